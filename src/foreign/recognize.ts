/** The kind of a file, detected by its beginning. */
export type ForeignFileKind = "backup" | "list" | "wakatime" | "export" | "csv";

/** The first bytes of every SQLite database. */
const SQLITE = "SQLite format 3\u0000";
/** Bytes that `isSqlite` reads. */
export const SQLITE_HEAD_BYTES: number = SQLITE.length;

export function isSqlite(head: Uint8Array): boolean {
  return String.fromCharCode(...head.subarray(0, SQLITE_HEAD_BYTES)) === SQLITE;
}

/** Number of characters that are enough to detect a kind. */
export const DETECTION_CHARACTERS: number = 64 * 1024;

/** @returns `undefined` for text that cannot be imported */
export function detectKind(beginning: string): ForeignFileKind | undefined {
  if (/^\{"kind":"backup","format":"activity-server-backup"/.test(beginning)) return "backup";
  if (/^\s*(\[|\{\s*"buckets"\s*:\s*\[)/.test(beginning)) return "list";
  if (/^\s*\{\s*("(user|range|days)"\s*:|"data"\s*:\s*\[)/.test(beginning)) return "wakatime";
  if (/^\s*\{/.test(beginning)) return "export";
  return /^[^\n]*[,;\t]/.test(beginning) ? "csv" : undefined;
}

export const IMPORTABLE_KINDS = "an ActivityWatch database or export, a backup, a WakaTime dump, or CSV with a header";
