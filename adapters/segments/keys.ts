import type { SegmentName } from "./store.js";

// The names under which things are kept. docs/storage.md has them as a grammar; a change here is a change there.

export const ROOT_KEY = "root";

/** Key of a bucket's record. */
export function bucketKey(bucketNo: number): string {
  return `b/${bucketNo}`;
}

/** Key of the tombstone of a deleted bucket whose segments may still be kept. */
export function tombstoneKey(bucketNo: number): string {
  return `x/${bucketNo}`;
}

export const SETTING_PREFIX = "s/";

/** Key of a setting. As JSON every text is valid UTF-8, lone surrogates and all. */
export function settingKey(key: string): string {
  return SETTING_PREFIX + JSON.stringify(key);
}

/** What the keys of the records of a kind begin with. */
export function recordPrefix(kind: string): string {
  return `r/${JSON.stringify(kind)}/`;
}

/** Key of a private record. */
export function recordKey(kind: string, key: string): string {
  return recordPrefix(kind) + JSON.stringify(key);
}

/** The kind and the key of a record, back from its key. @throws Error for any other key */
export function parseRecordKey(key: string): { readonly kind: string; readonly key: string } {
  // A kind is a JSON text: it ends at the first quotation mark without a backslash before it.
  const [, kind, rest] = /^r\/("(?:[^"\\]|\\.)*")\/(".*")$/s.exec(key) ?? [];
  if (kind === undefined || rest === undefined) throw new Error(`unknown key ${JSON.stringify(key)}`);
  return { kind: JSON.parse(kind) as string, key: JSON.parse(rest) as string };
}

/** What the checksum of a segment is taken over, before its bytes. */
export function segmentKey({ bucketNo, segmentNo }: SegmentName): string {
  return `d/${bucketNo}/${segmentNo}`;
}

/** What the checksum of a segment's entry is taken over, before its text. */
export function entryKey({ bucketNo, segmentNo }: SegmentName): string {
  return `g/${bucketNo}/${segmentNo}`;
}

/** The number behind a prefix of two characters. @throws Error when there is none */
export function numberIn(key: string): number {
  const number = Number(key.slice(2));
  if (key.length > 2 && Number.isSafeInteger(number)) return number;
  throw new Error(`unknown key ${JSON.stringify(key)}`);
}
