// Composed forms: the same for all strings that are canonically equivalent.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { caseless, composed } from "../../src/util/composed.js";

const test = suite("composed strings");

test("each character and its decomposed form have the form that Unicode says", () => {
  const behind = new Set<string>();
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    const [, ...marks] = character.normalize("NFD");
    for (const mark of marks) behind.add(mark);
    assert.is(composed(character), character.normalize("NFC"));
    assert.is(composed(character.normalize("NFD")), character.normalize("NFC"));
  }
  for (const mark of behind) {
    for (const base of ["a", "e", "\u05e9", "\u3042", "\u1100", mark]) {
      assert.is(composed(base + mark), (base + mark).normalize("NFC"));
    }
  }
});

test("long strings have the form of short ones", () => {
  for (const text of [
    "Mu\u0308ller, ",
    "\u304b\u3099\u65e5",
    "\u1112\u1161\u11ab\u1100\u116e\u11a8",
    "e\u0301\u0323",
  ]) {
    const long = text.repeat(2_000);
    assert.is(composed(long), long.normalize("NFC"), text);
  }
});

test("a million marks are composed in pieces: the whole would take hours", () => {
  const marks = `a${"\u0308".repeat(500_000)}${"\u0323".repeat(500_000)}`;
  assert.is(composed(marks).length, marks.length - 1);
});

test("caseless forms join case and form", () => {
  assert.is(caseless("MU\u0308LLER"), caseless("m\u00fcller"));
  assert.is(caseless("I\u0307stanbul"), caseless("\u0130STANBUL"));
});

test.run();
