/**
 * Places where a spreadsheet starts a formula: at the start of a cell, and after characters that some spreadsheets take
 * for the end of a cell or a line. Full-width characters start one as well. CSV doubles a quote, which then is an empty
 * quoted text before the formula.
 */
const FORMULA = /(^|[;|\t\r\n]"?)([ \u00a0\u3000]{0,8})(?=[=+\-@\uff0b\uff0d\uff1d\uff20])|^(?=[\t\r])/g;

/** Makes a string safe for spreadsheets: inserts an apostrophe wherever a formula would start. */
export function spreadsheetText(text: string): string {
  return text.replace(FORMULA, "$1$2'");
}
