/**
 * Where a spreadsheet begins a formula: at the start of a cell, and after what some spreadsheets take for the end of a
 * cell or a line. Full-width signs count as well.
 */
const FORMULA = /(^|[;|\t\r\n])([ \u00a0\u3000]{0,8})(?=[=+\-@\uff0b\uff0d\uff1d\uff20])|^(?=[\t\r])/g;

/** A text that no spreadsheet runs as a formula: it gets an apostrophe where one would begin. */
export function spreadsheetText(text: string): string {
  return text.replace(FORMULA, "$1$2'");
}
