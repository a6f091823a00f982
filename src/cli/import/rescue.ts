import type { SqlRow } from "../../foreign/sqlite-dialect.js";
import { firstWhere } from "../../util/binary-search.js";
import type { SqliteFile } from "./sqlite-file.js";

/** No table has more rows than this. */
const LAST_ROW = 2 ** 50;

/**
 * Reads a table by its row numbers, without its indexes, and continues after damaged parts. The table is a tree by row
 * numbers, so a broken page loses a range of them.
 *
 * @param onLost called with unreadable row numbers; `to` is `undefined` if none after them is readable
 */
export function* readableRows(
  file: SqliteFile,
  { table, columns }: { readonly table: string; readonly columns: string },
  onLost: (from: number, to: number | undefined) => void = () => {},
): Generator<SqlRow> {
  const sql = `SELECT rowid AS rescued, ${columns} FROM ${table} NOT INDEXED WHERE rowid >= ? ORDER BY rowid`;
  // Do not start after the last row: the way there may lead through a broken page.
  let from = 1;
  for (;;) {
    try {
      for (const row of file.rows(sql, [from])) {
        from = Number(row["rescued"]) + 1;
        yield row;
      }
      return;
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      const next = findNextReadable(file, table, from);
      onLost(from, next === undefined ? undefined : next - 1);
      if (next === undefined) return;
      from = next;
    }
  }
}

/** Whether SQLite fails because of the file's content. */
export function isDamage(cause: unknown): boolean {
  return cause instanceof Error && /malformed|corrupt|not a database|disk I\/O|out of memory/i.test(cause.message);
}

/** The next readable row number, of any bucket. */
function findNextReadable(file: SqliteFile, table: string, from: number): number | undefined {
  let step = 1;
  while (!isReadable(file, table, from + step)) {
    if (step >= LAST_ROW) return undefined;
    step *= 2;
  }
  // The broken range ends between half the step and the step.
  return firstWhere(from + Math.floor(step / 2) + 1, from + step, (row) => isReadable(file, table, row));
}

/** Whether the first row from a number on is readable as a whole. */
function isReadable(file: SqliteFile, table: string, from: number): boolean {
  try {
    for (const _ of file.rows(`SELECT * FROM ${table} NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1`, [from])) {
      return true;
    }
    return true;
  } catch {
    return false;
  }
}
