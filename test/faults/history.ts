import type { Api } from "./api.js";
import { bucketIds, type Entry, entriesOf, settingsOf } from "./ledger.js";
import type { Observer } from "./load.js";
import { SETTINGS } from "./other-loads.js";

/** Events by their number, or settings by their keys; `null`: there is no such bucket. */
type State = ReadonlyMap<unknown, unknown> | null;

/** A state that a bucket, or the settings, had. */
interface Version {
  readonly state: State;
  /** Requests of one wave were sent together, each to another subject; those of a later one after their answers. */
  readonly wave: number;
  /** When its request was acknowledged; `undefined`: it was not. */
  acknowledged?: Moment;
}

/** A moment in the course of a trace. */
export interface Moment {
  /** Bytes of the trace. */
  readonly mark: number;
  /** Monotonic clock, nanoseconds. */
  readonly nanos: bigint;
}

/** What a storage holds, by subject; buckets that it does not hold are missing. */
export type Found = ReadonlyMap<string, State>;

/** Everything that a storage may hold after any part of what was sent to it. */
export class History implements Observer {
  readonly #versions: Map<string, Version[]> = new Map();
  readonly #now: () => Moment;
  #wave = 0;

  /** @param now tells the moment of an acknowledgement */
  constructor(now: () => Moment) {
    this.#now = now;
  }

  /** All requests so far were answered before the next ones are sent. */
  nextWave(): void {
    this.#wave++;
  }

  /** What is there before anything is sent. */
  begins(subject: string, state: State): void {
    this.#versions.set(subject, [{ state, wave: -1 }]);
  }

  sent(subject: string, state: State): void {
    this.#of(subject).push({ state, wave: this.#wave });
  }

  acknowledged(subject: string): void {
    const version = this.#of(subject).at(-1);
    if (version !== undefined) version.acknowledged = this.#now();
  }

  #of(subject: string): Version[] {
    const known = this.#versions.get(subject);
    if (known !== undefined) return known;
    const versions: Version[] = [{ state: subject === SETTINGS ? new Map() : null, wave: -1 }];
    this.#versions.set(subject, versions);
    return versions;
  }

  /**
   * Compares what was found with the history: it must be the state after some moment, nothing after that moment may be
   * there, and everything that is promised must.
   *
   * @param promised whether a request that was acknowledged then must be there
   * @returns what is wrong, or `undefined`
   */
  defectOf(found: Found, promised: (acknowledged: Moment) => boolean): string | undefined {
    for (const subject of found.keys()) {
      if (!this.#versions.has(subject)) return `${subject}: was never made`;
    }
    const possible = new Map<string, number[]>();
    for (const [subject, versions] of this.#versions) {
      const state = found.get(subject) ?? (subject === SETTINGS ? new Map() : null);
      const least = versions.findLastIndex(({ acknowledged }) => acknowledged !== undefined && promised(acknowledged));
      const fitting = versions.flatMap((version, index) => (sameState(state, version.state) ? [index] : []));
      if (!fitting.some((index) => index >= least)) {
        const newest = versions[Math.max(least, 0)]?.state ?? null;
        const kind = fitting.length === 0 ? "was never so" : `is ${least - (fitting.at(-1) ?? 0)} requests too old`;
        return `${subject}: ${kind}: ${detailOf(state, newest)}`;
      }
      possible.set(
        subject,
        fitting.filter((index) => index >= least),
      );
    }
    for (let wave = this.#wave; wave >= -1; wave--) if (this.#fitsWave(possible, wave)) return undefined;
    return `no moment of the history: ${[...possible].map(([subject, fits]) => `${subject} ${fits}`).join(", ")}`;
  }

  /** Whether all that was sent before a wave can be there, and nothing that was sent after it. */
  #fitsWave(possible: ReadonlyMap<string, readonly number[]>, wave: number): boolean {
    return [...possible].every(([subject, indices]) => {
      const versions = this.#of(subject);
      return indices.some((index) => {
        const next = versions[index + 1];
        return (versions[index]?.wave ?? 0) <= wave && (next === undefined || next.wave >= wave);
      });
    });
  }
}

function sameState(found: State, expected: State): boolean {
  if (found === null || expected === null) return found === expected;
  if (found.size !== expected.size) return false;
  for (const [key, value] of expected) if (!sameValue(found.get(key), value)) return false;
  return true;
}

/** Ids are compared where both are known. */
function sameValue(found: unknown, expected: unknown): boolean {
  if (found === expected) return true;
  if (!isEntry(found) || !isEntry(expected)) return false;
  if (found.timestamp !== expected.timestamp || found.duration !== expected.duration) return false;
  return found.id === undefined || expected.id === undefined || found.id === expected.id;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && "timestamp" in value;
}

/** The first difference, for people. */
function detailOf(found: State, expected: State): string {
  if (found === null || expected === null) return found === null ? "it is gone" : "it is there";
  for (const [key, value] of expected) {
    const other = found.get(key);
    if (!sameValue(other, value)) return `${key} is ${JSON.stringify(other)}, not ${JSON.stringify(value)}`;
  }
  const extra = [...found.keys()].find((key) => !expected.has(key));
  return extra === undefined ? "no difference to the newest" : `${extra} should not be there`;
}

/** Reads everything back. Damage throws. */
export async function readAll(api: Api): Promise<Found> {
  const found = new Map<string, State>([[SETTINGS, await settingsOf(api)]]);
  for (const bucketId of await bucketIds(api)) found.set(bucketId, await entriesOf(api, bucketId));
  return found;
}
