import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { StoredEvent } from "../../src/domain/event.js";
import { computeLimits, planChanges } from "../../src/retention/plan.js";
import { readRetentionRules } from "../../src/retention/read-rules.js";

const test = suite("retention plans");

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const NOW = 20_000 * DAY;

function event(id: number, timestamp: number, seconds: number, app = "a"): StoredEvent {
  return { id, timestamp, duration: seconds * SECOND, data: { app } };
}

function planned(rule: object, events: readonly StoredEvent[]) {
  const limits = computeLimits(readRetentionRules([{ buckets: "b*", ...rule }], "rules"), "bucket", NOW);
  if (limits === undefined) throw new Error("no rule is about it");
  return planChanges(events, limits);
}

test("an event that ends a moment too early goes, one that reaches the limit stays", () => {
  const { removed, added, counts } = planned({ keepDays: 10 }, [
    event(1, NOW - 10 * DAY - 60 * SECOND, 59),
    event(2, NOW - 10 * DAY - 60 * SECOND, 60),
    event(3, NOW, 0),
  ]);
  assert.equal(
    removed.map(({ id }) => id),
    [1],
  );
  assert.equal(added, []);
  assert.equal(counts, { expired: 1, short: 0, summarized: 0, summaries: 0 });
});

test("short events go when they are a day old", () => {
  const { removed } = planned({ dropShorterThan: 2 }, [
    event(1, NOW - 2 * DAY, 1.999),
    event(2, NOW - 2 * DAY, 2),
    event(3, NOW - HOUR, 0),
  ]);
  assert.equal(
    removed.map(({ id }) => id),
    [1],
  );
});

test("events of one hour and equal data become one, which covers what they covered", () => {
  const hour = NOW - 30 * DAY;
  const { removed, added, counts } = planned({ summarizeAfterDays: 7 }, [
    event(1, hour, 60),
    event(2, hour + 10 * SECOND, 10, "b"),
    event(3, hour + 30 * SECOND, 60),
    event(4, hour + 600 * SECOND, 60),
    event(5, hour + HOUR, 60),
    event(6, NOW - DAY, 60),
    event(7, NOW - DAY + 60 * SECOND, 60),
  ]);
  assert.equal(
    removed.map(({ id }) => id),
    [1, 3, 4],
  );
  assert.equal(added, [{ timestamp: hour, duration: 150 * SECOND, data: { app: "a" } }]);
  assert.equal(counts, { expired: 0, short: 0, summarized: 3, summaries: 1 });
});

test("what was summarized is not summarized again", () => {
  const hour = NOW - 30 * DAY;
  const once = planned({ summarizeAfterDays: 7 }, [event(1, hour, 60), event(2, hour + 100 * SECOND, 60)]);
  const again = planned(
    { summarizeAfterDays: 7 },
    once.added.map((draft) => ({ ...draft, id: 9 })),
  );
  assert.equal(again.removed, []);
});

test("the strictest of several rules counts, and none is about another bucket", () => {
  const rules = readRetentionRules(
    [
      { buckets: "b*", keepDays: 10 },
      { buckets: "*", keepDays: 20, dropShorterThan: 3 },
      { buckets: "*", keepDays: 1, enabled: false },
      { buckets: "c", keepDays: 2 },
    ],
    "rules",
  );
  const limits = computeLimits(rules, "b1", NOW);
  assert.is(limits?.keepFrom, NOW - 10 * DAY);
  assert.is(limits?.shortest, 3 * SECOND);
  assert.is(limits?.summarizeUntil, Number.NEGATIVE_INFINITY);
  assert.is(computeLimits(rules.slice(0, 1), "c", NOW), undefined);
});

for (const [rule, message] of [
  [{ keepDays: 1 }, /rules\[0\]\.buckets/],
  [{ buckets: "b" }, /rules\[0\] needs one of keepDays/],
  [{ buckets: "b", keepdays: 1 }, /rules\[0\] must have only the fields .*, got .keepdays./],
  [{ buckets: "b", keepDays: 0 }, /rules\[0\]\.keepDays must be a number above 0/],
  [{ buckets: "b", keepDays: "7" }, /rules\[0\]\.keepDays/],
  [{ buckets: "b", keepDays: 7, enabled: 1 }, /rules\[0\]\.enabled/],
  [7, /rules\[0\] must be/],
] as const) {
  test(`a rule is refused with its place: ${JSON.stringify(rule)}`, () => {
    assert.throws(() => readRetentionRules([rule], "rules"), message);
  });
}

test.run();
