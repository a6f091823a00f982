// long: 300 s
// There are several ways to search for one pattern. They share the parser and nothing else, and must always agree.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { CountingBudget, OverBudget } from "./budget.js";
import { enginesOf } from "./engines.js";
import { RandomPatterns } from "./random-patterns.js";

const PATTERNS = sizeOf("PATTERNS", { short: 100, long: 400 });
const TEXTS_EACH = 15;
const MAX_STEPS = 200_000;

const test = suite("regex: ways of searching");

for (const [name, orderDependent, seed] of [
  ["patterns that say what matches", false, 1],
  ["patterns in which the order of trying matters", true, 2],
] as const) {
  test(`all ways agree on random ${name}`, () => {
    const random = randomOf(seed);
    const source = new RandomPatterns(random, orderDependent);
    let compared = 0;
    for (let count = 0; count < PATTERNS; count++) {
      const pattern = source.pattern();
      const ignoreCase = intOf(random, 0, 4) === 0;
      const engines = enginesOf(pattern, ignoreCase);
      for (let index = 0; index < TEXTS_EACH; index++) {
        const text = source.text();
        const answers = answersOf(engines, text);
        assert.ok(new Set(answers.values()).size <= 1, disagreement(pattern, text, answers));
        compared += answers.size;
      }
    }
    assert.ok(compared > PATTERNS * TEXTS_EACH, `${compared} comparisons`);
  });
}

function answersOf(engines: ReturnType<typeof enginesOf>, text: string): Map<string, boolean> {
  const answers = new Map<string, boolean>();
  for (const [name, search] of Object.entries(engines)) {
    try {
      const answer = search(text, new CountingBudget(MAX_STEPS));
      if (answer !== undefined) answers.set(name, answer);
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
    }
  }
  return answers;
}

function disagreement(pattern: string, text: string, answers: ReadonlyMap<string, boolean>): string {
  return `${JSON.stringify(pattern)} on ${JSON.stringify(text)}: ${JSON.stringify([...answers])}`;
}

test.run();
