import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import type { JsonObject, JsonValue } from "../../src/domain/json.js";
import { emptyBatch } from "../../src/transforms/batches.js";
import { excludeKeyvals, filterKeyvals, filterKeyvalsRegex } from "../../src/transforms/filter.js";
import { runSteps } from "../../src/transforms/steps.js";
import { apply, eventsOf, idsOf, listOf } from "./lists.js";

const test = suite("filter");

/** What stands under the key `k`, one event for each; the last event does not have the key. */
const VALUES: readonly JsonValue[] = [
  "x",
  "",
  "5",
  5,
  0,
  1,
  true,
  false,
  null,
  [],
  ["a"],
  ["a", "b"],
  [["a"]],
  {},
  { n: 1, m: [2] },
  "a",
];
const LIST = EventBatch.from(
  [...VALUES.map((value): JsonObject => ({ k: value, other: "x" })), { other: "x" }].map((data, at) => ({
    id: at + 1,
    timestamp: at * 10,
    duration: 1,
    data,
  })),
);

const CASES: readonly { values: readonly JsonValue[]; kept: readonly JsonValue[] }[] = [
  { values: [], kept: [] },
  { values: ["x"], kept: ["x"] },
  { values: ["X", "x ", "other", "k"], kept: [] },
  { values: ["5"], kept: ["5"] },
  { values: [5.0], kept: [5] },
  { values: [-0], kept: [0] },
  { values: [1], kept: [1] },
  { values: [true], kept: [true] },
  { values: [false, ""], kept: ["", false] },
  { values: [null], kept: [null] },
  { values: [["a"]], kept: [["a"]] },
  { values: [["b", "a"], "a"], kept: ["a"] },
  { values: [[]], kept: [[]] },
  { values: [{}], kept: [{}] },
  { values: [{ m: [2], n: 1 }], kept: [{ n: 1, m: [2] }] },
  { values: [{ m: ["2"], n: 1 }], kept: [] },
  { values: VALUES, kept: VALUES },
];

for (const { values, kept } of CASES) {
  const label = JSON.stringify(values).slice(0, 60);
  test(`keeps the events whose value is in ${label}`, () => {
    const result = apply((list) => filterKeyvals(list, "k", values), LIST);
    assert.equal(
      eventsOf(result).map(({ data }) => data["k"]),
      kept,
    );
  });

  test(`excludes the events whose value is in ${label}, and keeps those without the key`, () => {
    const result = apply((list) => excludeKeyvals(list, "k", values), LIST);
    const ids = new Set([...idsOf(result), ...idsOf(runSteps(filterKeyvals(LIST, "k", values)))]);
    assert.is(ids.size, LIST.length, "together they are all");
    assert.is(result.length, LIST.length - kept.length);
    assert.is(idsOf(result).at(-1), LIST.length);
  });
}

test("keys that objects inherit are not there", () => {
  for (const key of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
    assert.is(runSteps(filterKeyvals(LIST, key, [{}, null, "x"])).length, 0, key);
    assert.is(runSteps(excludeKeyvals(LIST, key, [{}])).length, LIST.length, key);
    assert.is(runSteps(filterKeyvalsRegex(LIST, key, () => true)).length, 0, key);
    const own = EventBatch.from([{ timestamp: 0, duration: 1, data: JSON.parse(`{"${key}": "x"}`) }]);
    assert.is(runSteps(filterKeyvals(own, key, ["x"])).length, 1, `own ${key}`);
  }
});

test("a pattern sees texts only, each data object once", () => {
  const seen: string[] = [];
  const matches = (text: string): boolean => {
    seen.push(text);
    return text !== "5";
  };
  const kept = apply((list) => filterKeyvalsRegex(list, "k", matches), LIST);
  assert.equal(
    eventsOf(kept).map(({ data }) => data["k"]),
    ["x", "", "a"],
  );
  assert.equal(seen, ["x", "", "5", "a"]);
  seen.length = 0;
  runSteps(filterKeyvalsRegex(listOf([0, 1, "p"], [1, 2, "q"], [2, 3, "p"], [3, 4, "p"]), "app", matches));
  assert.equal(seen, ["p", "q"]);
});

test("what fails in a pattern reaches the caller", () => {
  const fails = (): boolean => {
    throw new RangeError("too slow");
  };
  assert.throws(() => runSteps(filterKeyvalsRegex(LIST, "k", fails)), /too slow/);
});

test("a list of which all is kept is the list itself, one of which nothing is kept is empty", () => {
  assert.is(runSteps(filterKeyvals(LIST, "other", ["x"])), LIST);
  assert.is(runSteps(excludeKeyvals(LIST, "zzz", ["x"])), LIST);
  assert.is(runSteps(filterKeyvals(LIST, "other", ["y"])), emptyBatch);
});

test.run();
