// Tables as CSV (RFC 4180), for spreadsheets. Pure.
import { spreadsheetText } from "../util/spreadsheet-text.js";

/** What a cell can hold; numbers are written with a point. */
export type CsvCell = string | number | undefined;

const NEEDS_QUOTES = /[",\r\n]/;
/** Without it some spreadsheets take the text for one of an older encoding. */
const BYTE_ORDER_MARK = "\ufeff";

/** Rows as the text of a file. A text that a spreadsheet would take for a formula gets an apostrophe. */
export function printCsv(rows: readonly (readonly CsvCell[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(printCell).join(",")}\r\n`).join("");
}

function printCell(cell: CsvCell): string {
  if (cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const text = spreadsheetText(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A length for a table: nobody measures more exactly, and sums would have digits without end. */
export function wholeSeconds(seconds: number): number {
  return Math.round(seconds);
}

/** The dates of a period, as parts of the name of a file. */
export function datesOf({ first, last }: { readonly first: string; readonly last: string }): readonly string[] {
  return first === last ? [first] : [first, last];
}

/** A text as part of the name of a file. */
export function fileNameOf(...parts: readonly string[]): string {
  const named = parts.map((part) => part.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60));
  return named.filter((part) => part !== "").join("-") || "table";
}
