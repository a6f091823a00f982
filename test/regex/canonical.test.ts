// Canonical patterns find all canonically equivalent forms of what they say;
// docs/reference/regex.md#equivalent-characters
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { composed } from "../../src/util/composed.js";
import { ENDLESS } from "./budget.js";
import { enginesOf } from "./engines.js";

const test = suite("regex: equivalent characters");

const CASES: readonly { pattern: string; finds?: readonly string[]; misses?: readonly string[] }[] = [
  { pattern: "M\u00fcller", finds: ["M\u00fcller", "Mu\u0308ller"], misses: ["Muller"] },
  { pattern: "Mu\u0308ller", finds: ["M\u00fcller", "Mu\u0308ller"], misses: ["Muller"] },
  { pattern: "Mu\\u0308ller", finds: ["M\u00fcller", "Mu\u0308ller"], misses: ["Muller"] },
  { pattern: "M\\x75\\u{308}ller", finds: ["M\u00fcller"], misses: ["Muller"] },
  { pattern: "(?i)MU\u0308LLER", finds: ["m\u00fcller", "mu\u0308ller", "M\u00dcLLER"], misses: ["muller"] },
  // Without the marks it is another letter, in either form.
  { pattern: "Mu", finds: ["Mu"], misses: ["M\u00fcller", "Mu\u0308ller"] },
  { pattern: "^M.ller$", finds: ["M\u00fcller", "Mu\u0308ller"] },
  { pattern: "^\\w{6}$", finds: ["M\u00fcller", "Mu\u0308ller"] },
  // A quantifier is about the whole letter.
  { pattern: "^u\u0308+$", finds: ["\u00fc\u00fc", "u\u0308u\u0308"], misses: ["u\u0308\u0308"] },
  { pattern: "^xu\u0308?y$", finds: ["xy", "x\u00fcy"], misses: ["xuy"] },
  // Of marks in two orders, and with one that stays.
  { pattern: "e\u0301\u0323", finds: ["e\u0323\u0301", "\u1eb9\u0301", "\u00e9\u0323"], misses: ["\u00e9"] },
  { pattern: "^q\u0308+$", finds: ["q\u0308", "q\u0308\u0308"], misses: ["q\u0308q\u0308"] },
  // Classes: marks as themselves belong to the letter before them, marks by number are members.
  { pattern: "^[xu\u0308]$", finds: ["x", "\u00fc", "u\u0308"], misses: ["u"] },
  { pattern: "[a-z\\u0300-\\u036f]", finds: ["z", "q\u0308"], misses: ["\u00fc", "u\u0308", "1"] },
  { pattern: "^[\u00e0-u\u0308]$", finds: ["e\u0301"], misses: ["u", "z"] },
  { pattern: "^[^u]$", finds: ["u\u0308"] },
  { pattern: "^[q\u0308]+$", finds: ["q\u0308"] },
  // One sign in two places of Unicode, and one that is always written as two.
  { pattern: "\u212b", finds: ["\u00c5", "A\u030a", "\u212b"] },
  { pattern: "[\u212b]", finds: ["A\u030a"] },
  { pattern: "^\u0958+$", finds: ["\u0958\u0958", "\u0915\u093c"], misses: ["\u0915", "\u0915\u093c\u093c"] },
  { pattern: "\u1112\u1161\u11ab", finds: ["\ud55c"] },
  // What has a meaning is not a letter.
  { pattern: "(?=\u0338)", finds: ["q\u0338"] },
  { pattern: "\\d\u0307", finds: ["1\u0307"], misses: ["d\u0307", "\u1e0b"] },
  { pattern: "a\\.\u0308", finds: ["a.\u0308"] },
  // Behind groups and classes a mark is alone, and finds marks that stay alone.
  { pattern: "(?:u|o)\u0308", misses: ["\u00fc"] },
  { pattern: "[qu]\u0308", finds: ["q\u0308"], misses: ["\u00fc"] },
  { pattern: "\\p{M}", finds: ["q\u0308"], misses: ["\u00fc", "u\u0308"] },
];

for (const { pattern, finds = [], misses = [] } of CASES) {
  test(JSON.stringify(pattern), () => {
    for (const [engine, search] of Object.entries(enginesOf(pattern, false, true))) {
      for (const [texts, expected] of [
        [finds, true],
        [misses, false],
      ] as const) {
        for (const text of texts) {
          const answer = search(composed(text), ENDLESS) ?? expected;
          assert.is(answer, expected, `${engine} on ${JSON.stringify(text)}`);
        }
      }
    }
  });
}

test("a pattern that is not canonical is about characters as they are", () => {
  for (const search of Object.values(enginesOf("^u\u0308$"))) {
    assert.is(search("u\u0308", ENDLESS) ?? true, true);
    assert.is(search("\u00fc", ENDLESS) ?? false, false);
  }
});

test.run();
