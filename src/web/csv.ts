// CSV (RFC 4180) for spreadsheets. Pure.
import { spreadsheetText } from "../util/spreadsheet-text.js";

/** A cell value; numbers are written with a decimal point. */
export type CsvCell = string | number | undefined;

const NEEDS_QUOTES = /[",\r\n]/;
/** Without it some spreadsheets assume an older encoding. */
const BYTE_ORDER_MARK = "\ufeff";

/** Formats rows as CSV. Prefixes strings that a spreadsheet would treat as formulas with an apostrophe. */
export function printCsv(rows: readonly (readonly CsvCell[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(printCell).join(",")}\r\n`).join("");
}

function printCell(cell: CsvCell): string {
  if (cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const text = spreadsheetText(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rounds a duration for tables: fractions would be meaningless, and sums would have many digits. */
export function wholeSeconds(seconds: number): number {
  return Math.round(seconds);
}

/** The dates of a period, as parts of a file name. */
export function datesOf({ first, last }: { readonly first: string; readonly last: string }): readonly string[] {
  return first === last ? [first] : [first, last];
}

/** Joins strings to a file name. */
export function fileNameOf(...parts: readonly string[]): string {
  const named = parts.map((part) => part.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60));
  return named.filter((part) => part !== "").join("-") || "table";
}
