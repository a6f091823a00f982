import { ActivityError } from "../../src/errors.js";
import { slotName } from "./names.js";
import type { Values } from "./values.js";

/**
 * The places of a record that is written again and again. The place that holds the current version is left alone while
 * the next one is written: a driver may leave half a value behind when the process dies.
 *
 *     place 0   version 1            version 3
 *     place 1             version 2            version 4, failed
 *     place 2                                              version 5
 *
 * A place where a write has failed is not used again: the driver may still carry it out, whenever that is.
 */
export class Slots {
  readonly #record: string;
  #current = 1;
  #next = 0;
  #highest = 1;

  constructor(record: string) {
    this.#record = record;
  }

  /** Where to write the next version. */
  get next(): string {
    return slotName(this.#record, this.#next);
  }

  /** The version that was written counts from now on. */
  landed(): void {
    [this.#current, this.#next] = [this.#next, this.#current];
  }

  failed(): void {
    this.#next = ++this.#highest;
  }

  /** All places that may hold something. */
  get names(): readonly string[] {
    return Array.from({ length: this.#highest + 1 }, (_, slot) => slotName(this.#record, slot));
  }
}

/** Every record of several places counts its versions. */
export interface Versioned {
  /** Greater than that of every version before. */
  readonly version: number;
}

/**
 * Reads the newest version of a record.
 *
 * @param names its places
 * @param parse throws an Error for a body that is no such record, an ActivityError for one that must not be touched
 * @returns `undefined` when there is none; a version that was cut off while it was written never counted
 * @throws ActivityError `STORAGE_CORRUPT`
 */
export async function readRecord<T extends Versioned>(
  values: Values,
  names: readonly string[],
  parse: (body: string) => T,
): Promise<T | undefined> {
  const found = await Promise.all(names.map((name) => readSlot(values, name, parse)));
  let newest: T | undefined;
  for (const { record } of found) if (record && record.version > (newest?.version ?? 0)) newest = record;
  // Before the first version counted, no second one was begun.
  if (newest === undefined && found.filter(({ isTorn }) => isTorn).length > 1) {
    throw corrupt(values, names[0] as string, "all versions of it are cut off");
  }
  return newest;
}

interface SlotContent<T> {
  readonly record?: T;
  readonly isTorn: boolean;
}

async function readSlot<T>(values: Values, name: string, parse: (body: string) => T): Promise<SlotContent<T>> {
  const found = await values.read(name);
  if (found.kind === "missing") return { isTorn: false };
  if (found.kind === "torn") return { isTorn: true };
  if (found.kind === "damaged") throw corrupt(values, name, found.reason);
  if (found.kind === "foreign") throw corrupt(values, name, "somebody else wrote it");
  try {
    return { record: parse(found.body), isTorn: false };
  } catch (cause) {
    if (ActivityError.is(cause)) throw cause;
    throw corrupt(values, name, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** The error of a value that cannot be what was written. */
export function corrupt({ title }: Values, name: string, reason: string, cause?: unknown): ActivityError {
  return new ActivityError("STORAGE_CORRUPT", `${title} is damaged at '${name}': ${reason}; restore a backup`, {
    cause,
  });
}
