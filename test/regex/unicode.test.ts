import { suite } from "uvu";
import * as assert from "uvu/assert";
import { otherCases } from "../../src/regex/case-folding.js";
import { has } from "../../src/regex/char-set.js";
import { SPACE, WORD } from "../../src/regex/properties.js";

const test = suite("regex: Unicode");

const LAST = 0x10ffff;

function allCharacters(): string[] {
  const characters: string[] = [];
  for (let point = 0; point <= LAST; point++) {
    if (point < 0xd800 || point > 0xdfff) characters.push(String.fromCodePoint(point));
  }
  return characters;
}

test("ignoring case joins the same characters as the engine does", () => {
  const cased = allCharacters().filter(
    (character) =>
      /[\p{Changes_When_Casefolded}\p{Changes_When_Casemapped}]/u.test(character) ||
      otherCases(character.codePointAt(0) as number).length > 0,
  );
  assert.ok(cased.length > 2_500, `${cased.length} letters with case`);
  const text = cased.join("");
  for (const character of cased) {
    const point = character.codePointAt(0) as number;
    const same = text.match(new RegExp(`\\u{${point.toString(16)}}`, "giu")) ?? [];
    const ours = [point, ...otherCases(point)].sort((a, b) => a - b);
    assert.equal(
      ours,
      same.map((found) => found.codePointAt(0) as number).sort((a, b) => a - b),
      character,
    );
  }
});

test("white space is what Unicode says", () => {
  for (const character of allCharacters()) {
    const point = character.codePointAt(0) as number;
    if (has(SPACE, point) !== /\p{White_Space}/u.test(character)) assert.unreachable(point.toString(16));
  }
});

test("with a character of a word, its other cases are such characters too", () => {
  for (const character of allCharacters()) {
    const point = character.codePointAt(0) as number;
    const others = otherCases(point);
    if (others.length === 0) continue;
    const members = new Set([point, ...others].map((other) => has(WORD, other)));
    assert.is(members.size, 1, character);
  }
});

test.run();
