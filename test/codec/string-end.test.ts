import { suite } from "uvu";
import * as assert from "uvu/assert";
import { stringEnd } from "../../src/codec/json-limits.js";
import { randomOf } from "../contract/case.js";

const test = suite("the end of a string in JSON");

/** What the text says, sign by sign. */
function plainEnd(text: string): number {
  let at = 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return Math.min(at, text.length);
}

for (const length of [0, 1, 100, 255, 256, 257, 258, 1_000, 5_000]) {
  test(`of about ${length} bytes, with and without escapes`, () => {
    const random = randomOf(length + 1);
    for (let round = 0; round < 100; round++) {
      const [backslashes, quotes] = [
        [0, 0.002],
        [0.1, 0.002],
        [0.9, 0.01],
      ][round % 3] as [number, number];
      let text = '"';
      while (text.length < length) text += random() < quotes ? '"' : random() < backslashes ? "\\" : "x";
      if (round % 2 === 0) text += '",1';
      assert.is(stringEnd(Buffer.from(text), 0), plainEnd(text), text);
      assert.is(stringEnd(new TextEncoder().encode(`  ${text}`), 2), plainEnd(text) + 2, text);
    }
  });
}

test.run();
