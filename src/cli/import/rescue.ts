import type { SqlRow } from "../../foreign/sqlite-dialect.js";
import { firstWhere } from "../../util/binary-search.js";
import type { SqliteFile } from "./sqlite-file.js";

/** No table has more rows than this. */
const LAST_ROW = 2 ** 50;

/**
 * Reads a table by its row numbers, without its indexes, and goes on behind what is damaged. The table is a tree by row
 * numbers, so what a broken page takes along is a range of them.
 *
 * @param lost told which row numbers cannot be read; `to` is `undefined` when none behind them can
 */
export function* rowsThatCanBeRead(
  file: SqliteFile,
  { table, columns }: { readonly table: string; readonly columns: string },
  lost: (from: number, to: number | undefined) => void = () => {},
): Generator<SqlRow> {
  const sql = `SELECT rowid AS rescued, ${columns} FROM ${table} NOT INDEXED WHERE rowid >= ? ORDER BY rowid`;
  // Not behind the last one: the way there may lead through a broken page.
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
      const next = nextReadable(file, table, from);
      lost(from, next === undefined ? undefined : next - 1);
      if (next === undefined) return;
      from = next;
    }
  }
}

/** Whether SQLite refuses because of what stands in the file. */
export function isDamage(cause: unknown): boolean {
  return cause instanceof Error && /malformed|corrupt|not a database|disk I\/O|out of memory/i.test(cause.message);
}

/** The next row number from which on a row can be read, whatever bucket it belongs to. */
function nextReadable(file: SqliteFile, table: string, from: number): number | undefined {
  let step = 1;
  while (!isReadable(file, table, from + step)) {
    if (step >= LAST_ROW) return undefined;
    step *= 2;
  }
  // The broken range ends between half the step and the step.
  return firstWhere(from + Math.floor(step / 2) + 1, from + step, (row) => isReadable(file, table, row));
}

/** Whether the first row from a number on can be read as a whole. */
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
