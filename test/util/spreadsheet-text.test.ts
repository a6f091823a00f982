import { suite } from "uvu";
import * as assert from "uvu/assert";
import { csvCell } from "../../src/codec/csv.js";
import { spreadsheetText } from "../../src/util/spreadsheet-text.js";
import { printCsv } from "../../src/web/csv.js";

const test = suite("texts in spreadsheets");

const ESCAPED: readonly (readonly [text: string, safe: string])[] = [
  ...[..."=+-@\uff1d\uff0b\uff0d\uff20"].map((sign) => [`${sign}1`, `'${sign}1`] as const),
  ["\t=1", "\t'=1"],
  ["\tx", "'\tx"],
  ["\rx", "'\rx"],
  ["a;=1", "a;'=1"],
  ["a; \uff1d1;b", "a; '\uff1d1;b"],
  ["a|+1", "a|'+1"],
  ["a\n=1", "a\n'=1"],
  ["a\r\n@x", "a\r\n'@x"],
  ["  =1", "  '=1"],
  ["=1;=2", "'=1;'=2"],
  // Doubled in CSV, the quote is an empty quoted text before the formula.
  ['a;"=1;b', "a;\"'=1;b"],
  ['a\t" +1', "a\t\" '+1"],
];
const PLAIN = ["", "a", "a=1", "a;b", "1-2", "x - y", "a;\u00fc=", "mail@example.com", "'=1", "a,=1"];

test("no text begins a formula, whatever ends a cell", () => {
  for (const [text, safe] of ESCAPED) {
    assert.is(spreadsheetText(text), safe);
    const unquoted = safe.replaceAll('"', "");
    assert.is(csvCell(text).replaceAll('"', ""), unquoted);
    assert.match(printCsv([[text]]).replaceAll('"', ""), unquoted);
  }
  for (const text of PLAIN) assert.is(spreadsheetText(text), text);
  assert.is(csvCell(-5), "-5");
});

test("long texts take no longer than they are", () => {
  const text = "; ".repeat(200_000);
  assert.is(spreadsheetText(text), text);
});

test.run();
