import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compileRegex, RegexSyntaxError } from "../../src/regex/regex.js";

const raw = String.raw;

/** What is wrong, and where, counted from 0. */
const ERRORS: readonly (readonly [pattern: string, at: number, message: string])[] = [
  ["a)", 1, "this ) has no opening ("],
  ["(a", 0, "this ( has no closing )"],
  ["b(?<=a", 1, "this ( has no closing )"],
  ["(?i", 0, "this ( has no closing )"],
  ["a(?#b", 1, "this comment has no closing )"],
  ["a[", 1, "this class has no closing ]"],
  ["a[]", 1, "this class has no closing ]"],
  ["[a[b]", 0, "this class has no closing ]"],
  ["[z-a]", 1, "the start of this range must be before its end"],
  [raw`[a-\d]`, 1, "both ends of a range must be characters"],
  [raw`[\d-z]`, 1, "both ends of a range must be characters"],
  ["*a", 0, "this * has nothing to repeat"],
  ["a**", 2, "this * has nothing to repeat"],
  ["a|+", 2, "this + has nothing to repeat"],
  ["(?i)?", 4, "this ? has nothing to repeat"],
  ["a{2,1}", 1, "the counts of this repetition are in the wrong order"],
  [raw`a\q`, 1, raw`unknown escape \q`],
  [raw`[\A]`, 1, raw`unknown escape \A`],
  ["a\\", 1, "the pattern ends in a backslash"],
  [raw`\1`, 0, "the group 1 does not exist"],
  [raw`(a)\2`, 3, "the group 2 does not exist"],
  [raw`(a)\18`, 3, "the group 18 does not exist"],
  [raw`\128`, 0, "the group 12 does not exist"],
  [raw`a\400`, 1, raw`\400 is above \377`],
  [raw`[\777]`, 1, raw`\777 is above \377`],
  [raw`[\8]`, 1, raw`unknown escape \8`],
  [raw`(a)\k<-2>`, 3, "the group -2 does not exist"],
  [raw`\k<x>(?<x>a)`, 0, 'no group before this is named "x"'],
  [raw`(?<=(.)\1)!`, 7, "a look-behind cannot refer to a group inside itself"],
  [raw`(?<=\1(a))b`, 4, "a look-behind cannot refer to a group inside itself"],
  ["(?P=x)", 0, 'no group before this is named "x"'],
  [raw`\kx`, 0, raw`\k needs the name of a group, as in \k<name>`],
  ["(?<x", 0, "a group needs a name, as in (?<name>...)"],
  ["(?<1x>a)", 0, "a group needs a name, as in (?<name>...)"],
  ["(?<x>a)(?<x>b)", 7, 'two groups are named "x"'],
  ["(?q)a", 0, "q is not a flag that can be switched"],
  ["(?-u)a", 0, "u is not a flag that can be switched"],
  ["(?)a", 0, "(?) is not a known type of group"],
  ["(?|a)", 0, "(?| is not a known type of group"],
  ["(?(a+)b|c)", 0, 'no group before this is named "a+"'],
  ["(?(?=a)b|c)", 0, "a condition must be a group, as in (?(1)...)"],
  [raw`\x4`, 0, raw`\x needs 2 hexadecimal digits, or {...}`],
  [raw`\u00e`, 0, raw`\u needs 4 hexadecimal digits, or {...}`],
  [raw`\U00110000`, 0, "no character has the code 00110000"],
  [raw`a\ud83d`, 1, raw`\ud83d is half of a character`],
  [raw`\ude00\ud83d`, 0, raw`\ude00 is half of a character`],
  [raw`\p{Klingon}`, 0, '"Klingon" is not a known property'],
  [raw`\p{Script=Lu}`, 0, '"Script=Lu" is not a known property'],
  [raw`\p{L`, 0, raw`\p needs a name, as in \p{Greek}`],
  [raw`\p{^}`, 0, '"" is not a known property'],
];

const test = suite("regex: errors");

for (const [pattern, at, message] of ERRORS) {
  test(`${JSON.stringify(pattern)}: ${message}`, () => {
    const error = errorOf(pattern);
    assert.is(error.message, `${message}, at character ${at + 1} of the pattern`);
    assert.is(error.at, at);
    assert.is(error.name, "RegexSyntaxError");
  });
}

/** Nothing that a pattern can be makes compiling endless, or overflows the stack. */
const TOO_MUCH: readonly (readonly [name: string, pattern: string, message: RegExp])[] = [
  ["a million characters", "a".repeat(1_000_000), /longer than 10000 characters/],
  ["10,000 opening brackets", "(".repeat(10_000), /more than 200 levels deep/],
  ["nested groups", "(".repeat(4_000) + ")".repeat(4_000), /more than 200 levels deep/],
  ["nested classes", "[".repeat(5_000), /more than 200 levels deep/],
  ["nested lookarounds", "(?=".repeat(2_000) + ")".repeat(2_000), /more than 200 levels deep/],
  ["a huge count", "a{100000}{100000}", /too large/],
  ["a count beyond all numbers", `a{${"9".repeat(400)}}`, /too large|wrong order/],
  ["counts of counts", "(a{1000}){1000}", /too large/],
  ["counts in many groups", `${"(?:".repeat(199)}a${"){2}".repeat(199)}`, /too large/],
];

for (const [name, pattern, message] of TOO_MUCH) {
  test(`${name}: refused`, () => assert.match(errorOf(pattern).message, message));
}

/** Wrong, with a piece as long as a pattern can be. */
const LONG_PIECES: readonly ((piece: string) => string)[] = [
  (piece) => raw`\p{${piece}}`,
  (piece) => `(?P=${piece})`,
  (piece) => raw`\k<${piece}>`,
  (piece) => `(?(${piece})a)`,
  (piece) => `[[:${piece}:]]`,
  (piece) => `(?<${piece}>a)(?<${piece}>b)`,
  (piece) => `(?${piece}=a)`,
  (piece) => raw`\x{${piece}}`,
];

for (const pattern of LONG_PIECES) {
  test(`${pattern("...")}: the message stays short`, () => {
    for (const piece of ["a".repeat(4_900), "_b".repeat(2_400), "9".repeat(4_900)]) {
      const { message } = errorOf(pattern(piece));
      assert.ok(message.length < 200, message);
    }
  });
}

/** Large, and allowed. */
const MUCH: readonly (readonly [name: string, pattern: string])[] = [
  ["200 nested groups", `${"(".repeat(200)}a${")".repeat(200)}`],
  ["200 nested loops", `${"(?:".repeat(200)}a${")+".repeat(200)}`],
  ["200 nested lookarounds", `${"(?=".repeat(200)}a${")".repeat(200)}`],
  ["5,000 options", "a|".repeat(4_999)],
  [
    "thousands of different characters",
    Array.from({ length: 4_900 }, (_, i) => String.fromCharCode(0x4e00 + i)).join("|"),
  ],
  ["2,000 lookarounds", "(?=a)".repeat(2_000)],
  ["5,000 classes of Unicode", raw`\w`.repeat(5_000)],
  ["1,000 properties", raw`\p{Lu}\P{Han}`.repeat(700)],
  ["3,000 references", `(a)${raw`\1`.repeat(3_000)}`],
  ["a count of tens of thousands", "a{49000}"],
];

for (const [name, pattern] of MUCH) {
  test(`${name}: compiled and searched for`, () => {
    const regex = compileRegex(pattern);
    assert.type(regex.test("aé日 some text", { spend() {} }), "boolean");
  });
}

function errorOf(pattern: string): RegexSyntaxError {
  try {
    compileRegex(pattern);
  } catch (error) {
    if (error instanceof RegexSyntaxError) return error;
    throw error;
  }
  throw new Error(`${pattern.slice(0, 50)} was not refused`);
}

test.run();
