import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createOutput, printFailure } from "../../src/cli/output.js";
import { createReport } from "../../src/cli/tools/report.js";
import { visibleJson, visibleText } from "../../src/util/visible.js";

const test = suite("output that shows what it says");

/** Controls of one byte beyond ASCII, and what turns text around. */
const SIGNS = [
  "\u007f",
  "\u009b",
  "\u0085",
  "\u061c",
  "\u200e",
  "\u200f",
  "\u2028",
  "\u202a",
  "\u202e",
  "\u2066",
  "\u2069",
];

test("JSON has no control characters and keeps its value", () => {
  for (const sign of SIGNS) {
    const value = { [`a${sign}`]: [`x${sign}y`] };
    const json = visibleJson(value);
    assert.match(json, /^[ -~]+$/, json);
    assert.equal(JSON.parse(json), value);
  }
});

test("text keeps lines, tabs and colors, and escapes the rest", () => {
  for (const sign of [...SIGNS, "\u0000", "\u0007", "\r"]) assert.match(visibleText(`a${sign}b`), /^a\\u[\da-f]{4}b$/);
  assert.is(visibleText("\u001b]0;title\u0007"), "\\u001b]0;title\\u0007");
  assert.is(visibleText("\u001b[2J"), "\\u001b[2J");
  const fine = "a\n\tb \u001b[31mred\u001b[0m \u00fc \u5e7f";
  assert.is(visibleText(fine), fine);
});

test("what the launcher and its tools say goes that way", () => {
  for (const json of [true, false]) {
    let said = "";
    const write = (text: string): void => {
      said += text;
    };
    const stream = { write } as never;
    const streams = { stdin: stream, stdout: stream, stderr: stream };
    const output = createOutput({ json, verbose: true }, streams);
    const dirty = "x\u009b31m\u202ey";
    output.event("e", { dirty }, dirty);
    output.detail("e", { dirty }, dirty);
    output.info(dirty);
    output.warn(dirty);
    output.error(new Error(dirty));
    output.alarm([dirty]);
    printFailure(new Error(dirty), 1, { json, verbose: true }, stream);
    createReport({ json, streams }).event("e", { dirty }, dirty);
    assert.ok(said.split("\n").length > 6);
    assert.not.match(said, /[\u0080-\u009f\u202e]/);
  }
});

test.run();
