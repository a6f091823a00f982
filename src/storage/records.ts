import { type JsonValue, sameJson } from "../domain/json.js";

/** Small JSON records of one kind. Keys are arbitrary strings. */
export interface RecordStore {
  /** Resolves `undefined` for an unknown key. */
  get(key: string): Promise<JsonValue | undefined>;
  /** Lists all of them in no particular order. */
  list(): Promise<Map<string, JsonValue>>;
  /**
   * Replaces a record if it still has the expected value, by JSON equality.
   *
   * @param expected `undefined`: the record must not exist
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

/** Whether `compareAndSet` finds the expected value. `undefined` means that there is no record. */
export function isExpected(held: JsonValue | undefined, expected: JsonValue | undefined): boolean {
  return held === undefined || expected === undefined ? held === expected : sameJson(held, expected);
}

/** The kind under which a storage keeps its device ID; part of a backup like every record. */
export const DEVICE_KIND = "device";
export const DEVICE_KEY = "id";

/** The kind under which a server keeps the state of its clock. */
export const CLOCK_KIND = "clock";

/**
 * The kind of records that distinguish a bucket from a later one with the same ID and creation time, by bucket ID. A
 * bucket keeps its record under another ID and in the trash; a bucket that is deleted and imported again has another
 * record, or none.
 */
export const INCARNATIONS_KIND = "incarnations";

/** The kind of records that redirect an ID to another bucket, by that ID. No redirect has the ID of a bucket. */
export const REDIRECTS_KIND = "redirects";

/** Reads the device ID from the records, or creates and stores it. */
export async function deviceIdIn(records: RecordStore): Promise<string> {
  for (;;) {
    const known = await records.get(DEVICE_KEY);
    if (typeof known === "string") return known;
    const made = crypto.randomUUID();
    if (await records.compareAndSet(DEVICE_KEY, known, made)) return made;
  }
}

/** The kind of records with sums of past days. They can be made again, so they are not part of backups. */
export const SUMMARIES_KIND = "report-summaries";

/** Whether an item belongs to backups. */
export function isBackedUp(item: object): boolean {
  return !("recordKind" in item) || item.recordKind !== SUMMARIES_KIND;
}

/** Deletes the sums of past days. */
export async function deleteSummaries(storage: { records(kind: string): RecordStore }): Promise<void> {
  const records = storage.records(SUMMARIES_KIND);
  for (const [key, value] of await records.list()) await records.compareAndSet(key, value, undefined);
}
