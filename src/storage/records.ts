import { type JsonValue, sameJson } from "../domain/json.js";

/** Small JSON records of one kind. Keys are any text. */
export interface RecordStore {
  /** Resolves `undefined` for an unknown key. */
  get(key: string): Promise<JsonValue | undefined>;
  /** All of them, in no particular order. */
  list(): Promise<Map<string, JsonValue>>;
  /**
   * Replaces a record if it still has the expected value, by JSON equality.
   *
   * @param expected `undefined`: there must be none
   * @param value `undefined`: deletes it
   * @returns whether it was replaced
   */
  compareAndSet(key: string, expected: JsonValue | undefined, value: JsonValue | undefined): Promise<boolean>;
}

/** Names a private record. */
export interface RecordName {
  readonly recordKind: string;
  readonly key: string;
}

/** Whether `compareAndSet` finds the value that it expects. `undefined` stands for no record. */
export function isExpected(held: JsonValue | undefined, expected: JsonValue | undefined): boolean {
  return held === undefined || expected === undefined ? held === expected : sameJson(held, expected);
}

/** The kind under which a storage keeps its own device id; part of a backup like every record. */
export const DEVICE_KIND = "device";
export const DEVICE_KEY = "id";

/** The kind under which a server keeps what it knows of its clock. */
export const CLOCK_KIND = "clock";

/**
 * The kind of records that tell a bucket from a later one with the same id and creation time, by bucket id. A bucket
 * keeps its record under another id and in the trash; one that is deleted and imported again has another one, or none.
 */
export const INCARNATIONS_KIND = "incarnations";

/** The kind of records that redirect an id to another bucket, by that id. None begins at the id of a bucket. */
export const REDIRECTS_KIND = "redirects";

/** The device id among records: read, or made and kept. */
export async function deviceIdIn(records: RecordStore): Promise<string> {
  for (;;) {
    const known = await records.get(DEVICE_KEY);
    if (typeof known === "string") return known;
    const made = crypto.randomUUID();
    if (await records.compareAndSet(DEVICE_KEY, known, made)) return made;
  }
}
