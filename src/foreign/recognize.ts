/** What a file holds, by its beginning. */
export type ForeignFileKind = "backup" | "list" | "wakatime" | "export" | "csv";

/** How every database of SQLite begins. */
const SQLITE = "SQLite format 3\u0000";
/** Bytes that `isSqlite` looks at. */
export const SQLITE_HEAD: number = SQLITE.length;

export function isSqlite(head: Uint8Array): boolean {
  return String.fromCharCode(...head.subarray(0, SQLITE_HEAD)) === SQLITE;
}

/** Characters from which a kind can be told. */
export const BEGINNING: number = 64 * 1024;

/** @returns `undefined` for text that is none of what can be imported */
export function kindOfText(beginning: string): ForeignFileKind | undefined {
  if (/^\{"kind":"backup","format":"activity-server-backup"/.test(beginning)) return "backup";
  if (/^\s*(\[|\{\s*"buckets"\s*:\s*\[)/.test(beginning)) return "list";
  if (/^\s*\{\s*("(user|range|days)"\s*:|"data"\s*:\s*\[)/.test(beginning)) return "wakatime";
  if (/^\s*\{/.test(beginning)) return "export";
  return /^[^\n]*[,;\t]/.test(beginning) ? "csv" : undefined;
}

export const KNOWN_KINDS =
  "a database or an export of ActivityWatch, a backup, a dump of WakaTime, or CSV with a header";
