import type { SegmentName } from "./store.js";

// Keys of stored values. docs/reference/format-leveldb.md describes them as a grammar; change both together.

export const ROOT_KEY = "root";

/** Key of a bucket's record. */
export function bucketKey(bucketNo: number): string {
  return `b/${bucketNo}`;
}

/** Key of a deleted bucket's tombstone, which exists while its segments may still be stored. */
export function tombstoneKey(bucketNo: number): string {
  return `x/${bucketNo}`;
}

export const SETTING_PREFIX = "s/";

/** Key of a setting. As JSON every string is valid UTF-8, even with lone surrogates. */
export function settingKey(key: string): string {
  return SETTING_PREFIX + JSON.stringify(key);
}

/** Prefix of all record keys of a kind. */
export function recordPrefix(kind: string): string {
  return `r/${JSON.stringify(kind)}/`;
}

/** Key of a private record. */
export function recordKey(kind: string, key: string): string {
  return recordPrefix(kind) + JSON.stringify(key);
}

/** Parses the key of a record. @throws Error for any other key */
export function parseRecordKey(key: string): { readonly kind: string; readonly key: string } {
  // A kind is a JSON string: it ends at the first quotation mark without a backslash before it.
  const [, kind, rest] = /^r\/("(?:[^"\\]|\\.)*")\/(".*")$/s.exec(key) ?? [];
  if (kind === undefined || rest === undefined) throw new Error(`unknown key ${JSON.stringify(key)}`);
  return { kind: JSON.parse(kind) as string, key: JSON.parse(rest) as string };
}

/** Prefix of a segment's bytes in its checksum. */
export function segmentKey({ bucketNo, segmentNo }: SegmentName): string {
  return `d/${bucketNo}/${segmentNo}`;
}

/** Prefix of a segment entry's text in its checksum. */
export function entryKey({ bucketNo, segmentNo }: SegmentName): string {
  return `g/${bucketNo}/${segmentNo}`;
}

/** The name of a segment in memory and in messages; not stored. */
export function describeSegment({ bucketNo, segmentNo }: SegmentName): string {
  return `${bucketNo}/${segmentNo}`;
}

/** The number after a prefix of two characters. @throws Error if there is none */
export function numberIn(key: string): number {
  const number = Number(key.slice(2));
  if (key.length > 2 && Number.isSafeInteger(number)) return number;
  throw new Error(`unknown key ${JSON.stringify(key)}`);
}
