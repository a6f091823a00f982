// What a period is compared with, its rhythm, and the goals for it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Goal, readGoals } from "../../src/domain/goals.js";
import { createColors } from "../../src/web/category-colors.js";
import { foldRows } from "../../src/web/filter/fold.js";
import { goalsOf, printGoals, renamedGoals, setGoal } from "../../src/web/goals.js";
import { passedLimits } from "../../src/web/limits/passed.js";
import { type Calendar, type Period, partsOf, periodAround, rangeOf } from "../../src/web/period.js";
import type { ReportGoal, ReportGroup } from "../../src/web/report.js";
import { describeComparison } from "../../src/web/views/activity/describe-comparison.js";
import { describeDays, describeGoals } from "../../src/web/views/activity/limit-text.js";
import { sortedLines } from "../../src/web/views/activity/line-order.js";
import {
  categoryLines,
  compared,
  goneCategories,
  goneRows,
  rowLines,
  targetsOf,
} from "../../src/web/views/activity/lines.js";
import {
  adjacentPeriods,
  namedPeriod,
  previousPeriod,
  previousSums,
} from "../../src/web/views/activity/previous-period.js";
import { rowsOf } from "../../src/web/views/activity/rows.js";

const test = suite("comparison");

const BERLIN: Calendar = { zone: "Europe/Berlin", startOfDay: "04:00", startOfWeek: "Monday" };

test("a range is compared with as many whole weeks before as it takes", () => {
  const range = rangeOf("2024-03-01", "2024-03-10", BERLIN);
  const { first, last } = previousPeriod(range, BERLIN);
  assert.equal([first, last], ["2024-02-16", "2024-02-25"]);
});

test("of a range it is said that it is compared with the same weekdays, and how many weeks before", () => {
  const said = (period: Period, until?: string): string => {
    const before = previousPeriod(period, BERLIN);
    return describeComparison(before, until === undefined ? before.end : Date.parse(until), period, BERLIN);
  };
  const range = rangeOf("2024-03-01", "2024-03-10", BERLIN);
  assert.match(said(range), /^Feb 16.*25, 2024 \(same weekdays, 2 weeks before\)$/);
  assert.match(said(range, "2024-02-20T12:00Z"), /\(same weekdays, 2 weeks before\), up to /);
  assert.match(said(rangeOf("2024-03-02", "2024-03-03", BERLIN)), /1 week before\)$/);
  assert.is(said(namedPeriod(rangeOf("2024-03-01", "2024-03-31", BERLIN), BERLIN)), "February 2024");
});

test("a day that goes on behind midnight is compared up to a time of the day after", () => {
  const day = periodAround("day", "2024-03-14", BERLIN);
  const said = (until: string): string =>
    describeComparison(previousPeriod(day, BERLIN), Date.parse(until), day, BERLIN);
  assert.match(said("2024-03-07T20:14Z"), /, up to 9:14\sPM$/);
  assert.match(said("2024-03-08T01:14Z"), /, up to Fri, 2:14\sAM$/);
});

test("a range that is a month or a year is compared as that", () => {
  for (const [kind, first, last] of [
    ["month", "2024-08-01", "2024-08-31"],
    ["year", "2024-01-01", "2024-12-31"],
  ] as const) {
    assert.equal(namedPeriod(rangeOf(first, last, BERLIN), BERLIN), periodAround(kind, first, BERLIN));
  }
  const other = rangeOf("2024-08-01", "2024-08-30", BERLIN);
  assert.is(namedPeriod(other, BERLIN), other);
});

test("hours are compared by the clock where clocks go forward or back, all else by its place", () => {
  for (const [date, missing] of [
    ["2024-03-31", 0],
    ["2024-10-27", 1],
  ] as const) {
    const calendar = { ...BERLIN, startOfDay: "00:00" };
    const day = periodAround("day", date, calendar);
    const before = partsOf(previousPeriod(day, calendar), calendar);
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

/** A list of a report. */
function group(...rows: readonly (readonly [key: string, seconds: number, change?: number])[]): ReportGroup {
  return {
    rows: rows.map(([key, seconds, change]) => ({ key, name: key.split(">"), seconds, share: 0, change })),
    ...{ total: rows.length, seconds: 0, next: null },
  } as unknown as ReportGroup;
}

test("rows have the changes of the report, folded ones that of all their rows, and what is gone is listed", () => {
  const changes = (rows: readonly { label: string; change?: number | undefined }[]) =>
    rows.map(({ label, change }) => [label, change]);
  const now = rowsOf(group(["a", 30, 20], ["c", 7, 7]), "app");
  const before = rowsOf(group(["a", 10], ["b", 5]), undefined);
  assert.equal(changes(rowLines(now, undefined)), [
    ["a", 20],
    ["c", 7],
  ]);
  assert.equal(changes(goneRows(now, before)), [["b", -5]]);
  const tickets = foldRows(rowsOf(group(["Ticket 1", 30, 30], ["Ticket 2", 10, 0]), "title"));
  const old = foldRows(rowsOf(group(["Ticket 2", 10], ["Ticket 3", 5]), undefined));
  assert.equal(changes(compared(tickets, old)), [["Ticket #", 25]]);
});

test("the tree of categories has their targets, and those that only the period before has", () => {
  const now = group(["Work", 50, 10], ["Work>Mail", 40, 40]);
  const goals = [
    { category: ["Work"], kind: "goal", per: "day", target: 3600, seconds: 50 },
    { category: ["Work"], kind: "limit", per: "week", target: 7200, seconds: 50 },
  ] as unknown as readonly ReportGoal[];
  const lines = categoryLines(now, { colors: createColors([]), goals });
  assert.equal(
    lines.map(({ label, within, depth, targets }) => [label, within, depth, targets]),
    [
      ["Work", undefined, 0, { goal: 3600, limit: 7200 }],
      ["Mail", "Work", 1, {}],
    ],
  );
  const gone = goneCategories(now, group(["Work", 40], ["Media", 5]));
  assert.equal(
    gone.map(({ label, change }) => [label, change]),
    [["Media", -5]],
  );
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

test("goals say what they are for where that is not just the period", () => {
  assert.is(describeGoals(WORK, { days: 1, activeDays: 1 }), "limit 5h 00m a week");
  assert.is(describeGoals(WORK, { days: 7, activeDays: 4 }), "goal 1h 00m a day on 4 days");
  assert.is(describeGoals(WORK, { days: 7, activeDays: undefined }), "");
  const goals = [{ ...LIMIT, per: "day", target: 90_000, seconds: 20_000, days: { count: 5, met: 4 } }] as const;
  const targets = targetsOf(
    goals.map(({ ...goal }) => ({ ...goal, category: ["Work"] })),
    ["Work"],
  );
  assert.equal(targets, { limit: 90_000, days: { limit: { count: 5, met: 4 } } });
  assert.is(describeDays("limit", { count: 5, met: 4 }), "kept on 4 of 5 days");
  assert.is(describeDays("goal", { count: 1, met: 0 }), "reached on 0 of 1 day");
  assert.is(
    describeGoals([{ ...LIMIT, per: "day" }], { days: 7, activeDays: 6 }, targets),
    "limit 5h 00m a day on 5 days",
  );
  const month = { days: 30, activeDays: 1 };
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
