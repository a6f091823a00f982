// Each construct of the dialect (docs/reference/compatibility.md#regular-expressions): what a pattern finds and what it
// does not. Every way of searching is tried.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ENDLESS } from "./budget.js";
import { DIALECT } from "./dialect.js";
import { enginesOf } from "./engines.js";

const test = suite("regex: dialect");

for (const [construct, rows] of Object.entries(DIALECT)) {
  test(construct, () => {
    for (const { pattern, finds, misses } of rows) {
      for (const [engine, search] of Object.entries(enginesOf(pattern))) {
        for (const [texts, expected] of [
          [finds, true],
          [misses, false],
        ] as const) {
          for (const text of texts) {
            const answer = search(text, ENDLESS) ?? expected;
            assert.is(answer, expected, `${engine}: ${pattern} on ${JSON.stringify(text)}`);
          }
        }
      }
    }
  });
}

test("ignoring case as an option is the same as (?i)", () => {
  for (const [pattern, text, expected] of [
    ["github", "GitHub", true],
    ["ångström", "ÅNGSTRÖM", true],
    ["k", "\u212a", true],
    ["(?-i)github", "GitHub", false],
    ["straSSe", "straße", false],
  ] as const) {
    for (const [engine, search] of Object.entries(enginesOf(pattern, true))) {
      assert.is(search(text, ENDLESS) ?? expected, expected, `${engine}: ${pattern} on ${text}`);
    }
  }
});

test.run();
