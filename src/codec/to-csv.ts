import type { JsonValue } from "../domain/json.js";
import { formatPath } from "../filter/term.js";
import { csvLine } from "./csv.js";

/** How rows become a table. */
export interface CsvOptions {
  /** The columns in their order; others are left out. @default all, in the order in which they appear */
  readonly columns?: readonly string[] | undefined;
  /** Whether the table starts with a byte order mark, which some spreadsheets need to read UTF-8. @default false */
  readonly byteOrderMark?: boolean | undefined;
}

/** Levels of objects that become columns of their own. */
const MAX_LEVELS = 8;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Writes objects as CSV (RFC 4180), such as events, groups of a search, or results of a query. Members of inner objects
 * have columns such as `data.app`. Strings that a spreadsheet would run as a formula get an apostrophe.
 *
 * @throws TypeError for a row that is not an object
 */
export function toCsv(rows: Iterable<object>, { columns, byteOrderMark = false }: CsvOptions = {}): string {
  const cells = Array.from(rows, cellsOf);
  const names = columns ?? [...new Set(cells.flatMap((row) => [...row.keys()]))];
  const lines = cells.map((row) => csvLine(names.map((name) => row.get(name))));
  return (byteOrderMark ? BYTE_ORDER_MARK : "") + csvLine(names) + lines.join("");
}

function cellsOf(row: object): Map<string, JsonValue | undefined> {
  if (typeof row !== "object" || row === null) throw new TypeError(`rows must be objects, got ${row}`);
  const cells = new Map<string, JsonValue | undefined>();
  function walk(object: object, path: readonly string[]): void {
    for (const [key, value] of Object.entries(object) as [string, unknown][]) {
      const place = [...path, key];
      if (isPlain(value) && place.length < MAX_LEVELS) walk(value, place);
      else cells.set(path.length === 0 ? key : formatPath(place), cellOf(value));
    }
  }
  walk(row, []);
  return cells;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.prototype.toString.call(value) === "[object Object]";
}

function cellOf(value: unknown): JsonValue | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  return typeof value === "bigint" ? String(value) : (value as JsonValue);
}
