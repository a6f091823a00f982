// How coverage is judged; what is measured comes from the runner: runner/coverage.mjs.
import { suite } from "uvu";
import * as assert from "uvu/assert";

interface Part {
  readonly covered: number;
  readonly total: number;
}
type Sum = Readonly<Record<"lines" | "branches", Part>>;
interface Coverage {
  shortfalls(sums: ReadonlyMap<string, Sum>, thresholds: Readonly<Record<string, object>>): string[];
}

const { shortfalls }: Coverage = await import(new URL("runner/coverage.mjs", import.meta.url).href);

const test = suite("coverage");

function sumsOf(covered: number, branches = 100): ReadonlyMap<string, Sum> {
  return new Map([["src/query", { lines: { covered, total: 1000 }, branches: { covered: branches, total: 100 } }]]);
}

const WANTED = { "src/query": { lines: 93.5, branches: 90 } };

test("a folder that reaches its thresholds is no shortfall", () => {
  assert.equal(shortfalls(sumsOf(935, 90), WANTED), []);
});

test("a shortfall names the folder, what was reached and the threshold, and rounds nothing up", () => {
  assert.equal(shortfalls(sumsOf(934.9, 89), WANTED), [
    "src/query: tests reach 93.4 % of its lines, the threshold is 93.5 %",
    "src/query: tests reach 89 % of its branches, the threshold is 90 %",
  ]);
});

test("a folder without a threshold is one, and so is a threshold of a folder that is gone", () => {
  assert.equal(shortfalls(sumsOf(1000), {}), ["src/query has no threshold in test/coverage.json"]);
  assert.equal(shortfalls(new Map(), WANTED), ["src/query: nothing of it ran"]);
});

test.run();
