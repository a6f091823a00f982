// What a period is compared with, its rhythm, and the goals for it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Goal, readGoals } from "../../src/domain/goals.js";
import { goalsOf, printGoals, renamedGoals, setGoal, targetsIn } from "../../src/web/goals.js";
import { passedLimits } from "../../src/web/limits/passed.js";
import { type Calendar, type Period, partsOf, periodAround, rangeOf } from "../../src/web/period.js";
import { computeRhythm, readActiveRanges } from "../../src/web/views/activity/active-ranges.js";
import { describeComparison } from "../../src/web/views/activity/describe-comparison.js";
import { describeGoals } from "../../src/web/views/activity/limit-text.js";
import { sortedLines } from "../../src/web/views/activity/line-order.js";
import { goneRows, rowLines } from "../../src/web/views/activity/lines.js";
import { adjacentPeriods, previousPeriod, previousSums } from "../../src/web/views/activity/previous-period.js";

const test = suite("comparison");

const BERLIN: Calendar = { zone: "Europe/Berlin", startOfDay: "04:00", startOfWeek: "Monday" };

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

for (const [kind, date, now, first, until] of [
  // Clocks went forward in the night to the 31st: the same time of day is another length.
  ["day", "2024-03-31", "2024-03-31T12:34:56Z", "2024-03-24", "2024-03-24T13:34:56.000Z"],
  ["day", "2024-03-31", "2024-03-31T23:30:00Z", "2024-03-24", "2024-03-25T00:30:00.000Z"],
  ["day", "2024-03-31", "2024-05-01T12:00:00Z", "2024-03-24", "2024-03-25T03:00:00.000Z"],
  ["week", "2024-03-01", "2024-03-01T17:30:00Z", "2024-02-19", "2024-02-23T17:30:00.000Z"],
  ["month", "2024-03-01", "2024-03-30T10:00:00Z", "2024-02-01", "2024-03-01T03:00:00.000Z"],
  ["month", "2024-03-01", "2024-03-15T10:00:00Z", "2024-02-01", "2024-02-15T10:00:00.000Z"],
  ["year", "2024-01-01", "2024-07-01T10:00:00Z", "2023-01-01", "2023-07-01T10:00:00.000Z"],
] as const) {
  test(`a ${kind} at ${now} is compared from ${first} to ${until}`, () => {
    const { period, until: found } = previousPeriod(periodAround(kind, date, BERLIN), BERLIN, Date.parse(now));
    assert.equal([period.first, iso(found)], [first, until]);
  });
}

test("a range is compared with as many whole weeks before as it takes", () => {
  const range = rangeOf("2024-03-01", "2024-03-10", BERLIN);
  const { period } = previousPeriod(range, BERLIN, Date.parse("2024-05-01T00:00Z"));
  assert.equal([period.first, period.last], ["2024-02-16", "2024-02-25"]);
});

test("of a range it is said that it is compared with the same weekdays, and how many weeks before", () => {
  const said = (period: Period, now: string): string =>
    describeComparison(previousPeriod(period, BERLIN, Date.parse(now)), period, BERLIN);
  const range = rangeOf("2024-03-01", "2024-03-10", BERLIN);
  assert.match(said(range, "2024-05-01T00:00Z"), /^Feb 16.*25, 2024 \(same weekdays, 2 weeks before\)$/);
  assert.match(said(range, "2024-03-05T12:00Z"), /\(same weekdays, 2 weeks before\), up to /);
  assert.match(said(rangeOf("2024-03-02", "2024-03-03", BERLIN), "2024-05-01T00:00Z"), /1 week before\)$/);
  assert.is(said(rangeOf("2024-03-01", "2024-03-31", BERLIN), "2024-05-01T00:00Z"), "February 2024");
});

test("a day that goes on behind midnight is compared up to a time of the day after", () => {
  const day = periodAround("day", "2024-03-14", BERLIN);
  const said = (now: string): string => describeComparison(previousPeriod(day, BERLIN, Date.parse(now)), day, BERLIN);
  assert.match(said("2024-03-14T20:14Z"), /, up to 9:14\sPM$/);
  assert.match(said("2024-03-15T01:14Z"), /, up to Fri, 2:14\sAM$/);
});

test("a range that is a month or a year is compared as that", () => {
  for (const [kind, first, last, now] of [
    ["month", "2024-08-01", "2024-08-31", "2024-10-01T00:00Z"],
    ["month", "2024-03-01", "2024-03-31", "2024-03-15T10:00Z"],
    ["year", "2024-01-01", "2024-12-31", "2024-07-01T10:00Z"],
  ] as const) {
    const range = previousPeriod(rangeOf(first, last, BERLIN), BERLIN, Date.parse(now));
    assert.equal(range, previousPeriod(periodAround(kind, first, BERLIN), BERLIN, Date.parse(now)));
  }
});

test("hours are compared by the clock where clocks go forward or back, all else by its place", () => {
  for (const [date, missing] of [
    ["2024-03-31", 0],
    ["2024-10-27", 1],
  ] as const) {
    const calendar = { ...BERLIN, startOfDay: "00:00" };
    const day = periodAround("day", date, calendar);
    const { period } = previousPeriod(day, calendar, Date.parse("2025-01-01T00:00Z"));
    const before = partsOf(period, calendar);
    const times = before.map((_, hour) => [{ name: ["A"], seconds: hour + 1 }]);
    const ghosts = previousSums(partsOf(day, calendar), { parts: before, times }, calendar.zone);
    assert.is(ghosts.at(-1), 24);
    assert.is(ghosts.filter((seconds) => seconds === 0).length, missing);
  }
});

test("neighbours end with what is going on, and are few where they are long", () => {
  const now = Date.parse("2024-03-01T12:00Z");
  const days = adjacentPeriods(periodAround("day", "2024-02-28", BERLIN), BERLIN, now).map(({ first }) => first);
  assert.equal([days.length, days[0], days.at(-1)], [15, "2024-02-16", "2024-03-01"]);
  assert.is(adjacentPeriods(periodAround("year", "2024-01-01", BERLIN), BERLIN, now).length, 3);
});

test("the rhythm of days: the longest stretch, days with activity, and when they begin and end", () => {
  const answer = [
    ["2024-03-01T08:00:00Z", 3600],
    ["2024-03-01T15:00:00Z", 7200],
    ["2024-03-02T09:00:00Z", 1800],
    // Behind midnight it is still the evening before.
    ["2024-03-03T01:00:00Z", 3600],
    ["nonsense", 5],
  ].map(([timestamp, duration]) => ({ timestamp: timestamp ?? "", duration: duration ?? 0, data: {} }));
  const stretches = readActiveRanges(answer);
  assert.is(stretches.length, 4);
  const week = periodAround("week", "2024-03-01", BERLIN);
  const { longest, activeDays, first, last } = computeRhythm(stretches, week, BERLIN);
  assert.is(iso(longest?.start ?? 0), "2024-03-01T15:00:00.000Z");
  assert.is(activeDays, 2);
  assert.is(first, 9.5 * 3_600_000);
  assert.is(last, ((18 + 27) / 2) * 3_600_000);
  assert.equal(computeRhythm([], week, BERLIN), {
    ...{ longest: undefined, activeDays: 0, first: undefined, last: undefined },
  });
});

test("changes of rows are known where the list before was not cut, and what is gone is listed", () => {
  const row = (label: string, seconds: number) => ({ key: label, label, seconds });
  const before = { rows: [row("a", 10), row("b", 5)], isCut: false };
  const changes = (cut: boolean) =>
    rowLines([row("a", 30), row("c", 7)], { ...before, isCut: cut }, undefined).map(({ change }) => change);
  assert.equal(changes(false), [20, 7]);
  assert.equal(changes(true), [20, undefined]);
  assert.equal(
    goneRows([row("a", 30)], before, false).map(({ label, change }) => [label, change]),
    [["b", -5]],
  );
  assert.equal(goneRows([row("a", 30)], before, true), []);
});

test("lines are sorted by change, those of a tree below their parents", () => {
  const line = (label: string, change: number | undefined, depth = 0) => ({
    ...{ key: label, label, seconds: 1, segments: [], change, depth },
  });
  const lines = [line("A", 1), line("A1", -5, 1), line("A2", 6, 1), line("B", 9), line("C", undefined)];
  const sorted = (descending: boolean) =>
    sortedLines(lines, { by: "change", descending }, true).map(({ label }) => label);
  assert.equal(sorted(true), ["B", "A", "A2", "A1", "C"]);
  assert.equal(sorted(false), ["A", "A1", "A2", "B", "C"]);
});

const GOAL: Goal = { category: ["Work"], kind: "goal", seconds: 3600, per: "day" };
const LIMIT: Goal = { category: ["Work"], kind: "limit", seconds: 18_000, per: "week" };
const WORK: readonly Goal[] = [GOAL, LIMIT];

test("goals are read with care, changed and renamed", () => {
  const odd = [{ category: "Work", goal: 1 }, { category: ["X"], goal: -1 }, 5, { category: [], limit: 9 }];
  assert.equal(readGoals(odd), [{ category: [], kind: "limit", seconds: 9, per: "day" }]);
  assert.equal(readGoals({}), []);
  assert.equal(setGoal(WORK, { ...GOAL, seconds: 0 }), [LIMIT]);
  assert.equal(setGoal(WORK, { ...LIMIT, per: "day" }), [GOAL, { ...LIMIT, per: "day" }]);
  assert.equal(
    goalsOf(
      renamedGoals(WORK, () => ["Job"]),
      ["Job"],
    ).length,
    2,
  );
});

test("a goal and a limit of one category have their own periods, which one item has in common for both", () => {
  const stored = [
    { category: ["Work"], goal: 3600, per: "day" },
    { category: ["Work"], limit: 18_000, per: "week" },
  ];
  assert.equal(printGoals(WORK), stored);
  assert.equal(readGoals(stored), WORK);
  const both = [{ category: ["Work"], goal: 3600, limit: 18_000, per: "week" }];
  assert.equal(readGoals(both), [{ ...GOAL, per: "week" }, LIMIT]);
});

test("goals of a day count on each day with activity, goals of a week on each seven days", () => {
  assert.equal(targetsIn(WORK, { isDay: true, days: 1, activeDays: 1 }), { goal: 3600 });
  assert.equal(targetsIn(WORK, { isDay: false, days: 7, activeDays: 5 }), { goal: 18_000, limit: 18_000 });
  assert.equal(targetsIn(WORK, { isDay: false, days: 14, activeDays: 0 }), { limit: 36_000 });
  assert.equal(targetsIn(WORK, { isDay: false, days: 14, activeDays: undefined }), { limit: 36_000 });
});

test("goals say what they are for where that is not just the period", () => {
  assert.is(describeGoals(WORK, { isDay: true, days: 1, activeDays: 1 }), "limit 5h 00m a week");
  assert.is(describeGoals(WORK, { isDay: false, days: 7, activeDays: 4 }), "goal 1h 00m a day on 4 days");
  assert.is(describeGoals(WORK, { isDay: false, days: 7, activeDays: undefined }), "");
  const month = { isDay: false, days: 30, activeDays: 1 };
  assert.is(describeGoals(WORK, month), "goal 1h 00m a day on 1 day; limit 5h 00m a week");
});

test("a limit counts all that is below its category", () => {
  const times = [
    { name: ["Work", "Code"], seconds: 5000 },
    { name: ["Work"], seconds: 2201 },
    { name: ["Workshop"], seconds: 9999 },
  ];
  const spent = { day: { first: "2024-03-01", times }, week: { first: "2024-02-26", times } };
  const limit = (category: string[], seconds: number): Goal => ({ category, kind: "limit", seconds, per: "week" });
  const passed = passedLimits([...WORK, limit(["Work"], 7200), { ...limit(["Workshop"], 1), kind: "goal" }], spent);
  assert.equal(
    passed.map(({ seconds }) => seconds),
    [7201],
  );
  assert.equal(passedLimits([limit([], 17_200)], spent), []);
});

test.run();
