// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  adjacentPeriod,
  type Calendar,
  dayAt,
  isCurrent,
  MAX_PARTS,
  type Part,
  type Period,
  partsOf,
  periodAround,
  periodOfRoute,
  rangeOf,
  routeOfPeriod,
} from "../../src/web/period.js";
import { IS_LONG, rotatingSampleOf } from "../faults/sizes.js";

const test = suite("period");

const HOUR = 3_600_000;
const BERLIN = calendar("Europe/Berlin");
const SANTIAGO = calendar("America/Santiago", "00:00");
const ZONES = [
  ...["UTC", "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "America/St_Johns", "Australia/Lord_Howe"],
  ...["Pacific/Apia", "Asia/Kathmandu", "Africa/Casablanca", "Pacific/Chatham", "America/Havana", "Asia/Gaza"],
];

function calendar(zone: string, startOfDay = "04:00", startOfWeek: Calendar["startOfWeek"] = "Monday"): Calendar {
  return { zone, startOfDay, startOfWeek };
}

function day(date: string, given: Calendar): Period {
  return periodAround("day", date, given);
}

function iso({ start, end }: { readonly start: number; readonly end: number }): string[] {
  return [start, end].map((instant) => new Date(instant).toISOString().replace(":00.000Z", "Z"));
}

function hours({ start, end }: { readonly start: number; readonly end: number }): number {
  return (end - start) / HOUR;
}

const DAYS: readonly (readonly [what: string, date: string, given: Calendar, start: string, end: string])[] = [
  ["an ordinary day", "2026-11-21", BERLIN, "2026-11-21T03:00Z", "2026-11-22T03:00Z"],
  ["a day from midnight", "2026-11-21", calendar("Europe/Berlin", "00:00"), "2026-11-20T23:00Z", "2026-11-21T23:00Z"],
  ["clocks go on", "2026-03-28", BERLIN, "2026-03-28T03:00Z", "2026-03-29T02:00Z"],
  ["clocks go back", "2026-10-24", BERLIN, "2026-10-24T02:00Z", "2026-10-25T03:00Z"],
  ["its start is skipped", "2026-03-29", calendar("Europe/Berlin", "02:30"), "2026-03-29T01:00Z", "2026-03-30T00:30Z"],
  ["its start comes twice", "2026-10-25", calendar("Europe/Berlin", "02:30"), "2026-10-25T00:30Z", "2026-10-26T01:30Z"],
  [
    "midnight is skipped",
    "2018-11-04",
    calendar("America/Sao_Paulo", "00:00"),
    "2018-11-04T03:00Z",
    "2018-11-05T02:00Z",
  ],
  ["midnight comes twice", "2024-04-06", SANTIAGO, "2024-04-06T03:00Z", "2024-04-07T04:00Z"],
  ["it begins at one", "2024-09-08", SANTIAGO, "2024-09-08T04:00Z", "2024-09-09T03:00Z"],
  ["half an hour on", "2026-10-03", calendar("Australia/Lord_Howe"), "2026-10-02T17:30Z", "2026-10-03T17:00Z"],
  ["half an hour back", "2026-04-04", calendar("Australia/Lord_Howe"), "2026-04-03T17:00Z", "2026-04-04T17:30Z"],
  ["before a skipped date", "2011-12-29", calendar("Pacific/Apia"), "2011-12-29T14:00Z", "2011-12-30T14:00Z"],
  ["a skipped date", "2011-12-30", calendar("Pacific/Apia"), "2011-12-30T14:00Z", "2011-12-30T14:00Z"],
  ["after a skipped date", "2011-12-31", calendar("Pacific/Apia"), "2011-12-30T14:00Z", "2011-12-31T14:00Z"],
  ["quarters of an hour", "2026-11-21", calendar("Asia/Kathmandu"), "2026-11-20T22:15Z", "2026-11-21T22:15Z"],
];

for (const [what, date, given, start, end] of DAYS) {
  test(`${date} in ${given.zone} from ${given.startOfDay}: ${what}`, () => {
    assert.equal(iso(day(date, given)), [start, end]);
  });
}

test("days follow each other without gap through most of a year in every zone", () => {
  for (const [index, zone] of rotatingSampleOf(ZONES, 3).entries()) {
    const starts = ["00:00", "02:30"];
    for (const startOfDay of IS_LONG ? starts : starts.slice(index % 2).slice(0, 1)) {
      const given = calendar(zone, startOfDay);
      let before = day("2011-02-28", given);
      while (before.last < "2012-01-15") {
        const next = adjacentPeriod(before, 1, given);
        assert.is(next.start, before.end, `${next.first} in ${zone} from ${startOfDay}`);
        assert.ok(next.end > next.start, `${next.first} in ${zone} has no time`);
        assert.equal(adjacentPeriod(next, -1, given), before, `back from ${next.first} in ${zone}`);
        assert.is(dayAt(next.start, given), next.first, `first moment of ${next.first} in ${zone} from ${startOfDay}`);
        assert.is(dayAt(next.end - 1, given), next.first, `last moment of ${next.first} in ${zone} from ${startOfDay}`);
        before = next;
      }
    }
  }
});

test("parts fill their period without gap", () => {
  for (const zone of ZONES) {
    const given = calendar(zone, "04:30");
    for (const kind of ["day", "week", "month"] as const) {
      for (const date of ["2011-12-29", "2018-11-03", "2026-03-28", "2026-10-03", "2026-10-24", "2026-11-01"]) {
        const period = periodAround(kind, date, given);
        const parts = partsOf(period, given);
        assert.ok(parts.length <= MAX_PARTS, `${parts.length} parts`);
        assert.is(parts[0]?.start, period.start);
        assert.is(parts.at(-1)?.end, period.end);
        for (const [index, part] of parts.entries()) {
          assert.ok(part.end > part.start, `${kind} ${date} in ${zone}: part ${index} has no time`);
          if (index > 0) assert.is(part.start, parts[index - 1]?.end);
        }
      }
    }
  }
});

const HOURS_OF_DAYS: readonly (readonly [date: string, given: Calendar, count: number, odd: readonly number[]])[] = [
  ["2026-11-21", BERLIN, 24, []],
  ["2026-03-28", BERLIN, 23, []],
  ["2026-10-24", BERLIN, 25, []],
  ["2026-11-21", calendar("Asia/Kathmandu", "00:00"), 24, []],
  ["2026-11-21", calendar("Europe/Berlin", "04:30"), 24, []],
  ["2026-10-03", calendar("Australia/Lord_Howe"), 24, [0.5]],
  ["2026-04-04", calendar("Australia/Lord_Howe"), 24, [1.5]],
  ["2011-12-29", calendar("Pacific/Apia"), 24, []],
];

for (const [date, given, count, odd] of HOURS_OF_DAYS) {
  test(`${date} in ${given.zone} from ${given.startOfDay} has ${count} hours on its clocks`, () => {
    const parts = partsOf(day(date, given), given);
    assert.is(parts.length, count);
    assert.equal(
      parts.map(hours).filter((length) => length !== 1),
      odd,
    );
    assert.ok(parts.every(({ unit, date: of }) => unit === "hour" && of === date));
  });
}

test("a week has seven days, from the day that weeks begin with", () => {
  const monday = periodAround("week", "2026-11-22", BERLIN);
  assert.equal([monday.first, monday.last], ["2026-11-16", "2026-11-22"]);
  const sunday = periodAround("week", "2026-11-21", calendar("Europe/Berlin", "04:00", "Sunday"));
  assert.equal([sunday.first, sunday.last], ["2026-11-15", "2026-11-21"]);
  const saturday = periodAround("week", "2026-11-20", calendar("Europe/Berlin", "04:00", "Saturday"));
  assert.equal([saturday.first, saturday.last], ["2026-11-14", "2026-11-20"]);
  assert.equal(
    partsOf(monday, BERLIN).map(({ date }) => date.slice(-2)),
    ["16", "17", "18", "19", "20", "21", "22"],
  );
});

test("weeks over a change of the clocks are an hour shorter or longer", () => {
  assert.is(hours(periodAround("week", "2026-03-29", BERLIN)), 167);
  assert.is(hours(periodAround("week", "2026-10-25", BERLIN)), 169);
});

test("a week without one of its dates has six days", () => {
  const apia = calendar("Pacific/Apia");
  const week = periodAround("week", "2011-12-28", apia);
  assert.equal(
    partsOf(week, apia).map(({ date }) => date.slice(-2)),
    ["26", "27", "28", "29", "31", "01"],
  );
  assert.is(hours(week), 144);
});

test("going on and back leaves out a date that was skipped", () => {
  const apia = calendar("Pacific/Apia");
  assert.is(adjacentPeriod(day("2011-12-29", apia), 1, apia).first, "2011-12-31");
  assert.is(adjacentPeriod(day("2011-12-31", apia), -1, apia).first, "2011-12-29");
});

test("months have their own length", () => {
  for (const [month, days] of [
    ["2026-02", 28],
    ["2028-02", 29],
    ["2026-11", 30],
    ["2026-12", 31],
  ] as const) {
    const period = periodAround("month", `${month}-15`, BERLIN);
    assert.is(partsOf(period, BERLIN).length, days);
    assert.equal(routeOfPeriod(period), ["month", month]);
  }
  assert.is(adjacentPeriod(periodAround("month", "2026-12-01", BERLIN), 1, BERLIN).first, "2027-01-01");
  assert.is(adjacentPeriod(periodAround("month", "2026-03-31", BERLIN), -1, BERLIN).first, "2026-02-01");
});

test("a year has its months, and neighbours", () => {
  const year = periodAround("year", "2024-02-29", BERLIN);
  assert.equal([year.first, year.last], ["2024-01-01", "2024-12-31"]);
  assert.equal([partsOf(year, BERLIN).length, partsOf(year, BERLIN)[0]?.unit], [12, "month"]);
  assert.is(adjacentPeriod(year, 1, BERLIN).first, "2025-01-01");
  assert.is(adjacentPeriod(year, -1, BERLIN).last, "2023-12-31");
});

const RANGES: readonly (readonly [first: string, last: string, unit: Part["unit"], count: number])[] = [
  ["2026-11-21", "2026-11-21", "hour", 24],
  ["2026-11-20", "2026-11-21", "day", 2],
  ["2026-10-01", "2026-10-31", "day", 31],
  ["2026-10-01", "2026-11-01", "week", 5],
  ["2026-05-04", "2026-12-06", "week", 31],
  ["2026-05-03", "2026-12-07", "month", 8],
  ["2000-01-01", "2026-12-31", "year", 27],
];

for (const [first, last, unit, count] of RANGES) {
  test(`from ${first} to ${last} is shown as ${count} of the unit ${unit}`, () => {
    const range = rangeOf(first, last, BERLIN);
    const parts = partsOf(range, BERLIN);
    assert.equal([parts.length, parts[0]?.unit], [count, unit]);
    assert.is(parts[0]?.start, range.start);
    assert.is(parts.at(-1)?.end, range.end);
  });
}

test("a range moves by its length, and its ends may be exchanged", () => {
  const range = rangeOf("2026-11-10", "2026-11-01", BERLIN);
  assert.equal(routeOfPeriod(range), ["range", "2026-11-01", "2026-11-10"]);
  assert.equal(routeOfPeriod(adjacentPeriod(range, 1, BERLIN)), ["range", "2026-11-11", "2026-11-20"]);
  assert.equal(routeOfPeriod(adjacentPeriod(range, -1, BERLIN)), ["range", "2026-10-22", "2026-10-31"]);
});

test("before the start of the day it is still the day before", () => {
  assert.is(dayAt(Date.parse("2026-11-21T02:59:59.999Z"), BERLIN), "2026-11-20");
  assert.is(dayAt(Date.parse("2026-11-21T03:00:00Z"), BERLIN), "2026-11-21");
});

const NOW = Date.parse("2026-11-21T22:20:00Z");
const ROUTES: readonly (readonly [route: string, period: string | undefined])[] = [
  ["", "day/2026-11-21"],
  ["day", "day/2026-11-21"],
  ["day/2026-02-28", "day/2026-02-28"],
  ["week", "week/2026-11-16"],
  ["week/2026-11-18", "week/2026-11-16"],
  ["month", "month/2026-11"],
  ["month/2026-02", "month/2026-02"],
  ["range", "range/2026-11-15/2026-11-21"],
  ["range/2026-11-03", "range/2026-11-03/2026-11-03"],
  ["range/2026-11-03/2026-11-01", "range/2026-11-01/2026-11-03"],
  ["day/2026-02-30", undefined],
  ["day/2026-2-3", undefined],
  ["day/2026-11-21/x", undefined],
  ["day/0001-01-01", undefined],
  ["day/__proto__", undefined],
  ["month/2026-13", undefined],
  ["month/2026-11-01", undefined],
  ["range/2026-11-03/later", undefined],
  ["range/2026-11-03/2026-11-04/x", undefined],
  ["year", "year/2026"],
  ["year/2024", "year/2024"],
  ["year/2024-01", undefined],
  ["year/24", undefined],
];

for (const [route, wanted] of ROUTES) {
  test(`the route '${route}' names ${wanted ?? "nothing"}`, () => {
    const path = route.split("/").filter((segment) => segment !== "");
    const period = periodOfRoute(path, BERLIN, NOW);
    assert.is(period && routeOfPeriod(period).join("/"), wanted);
  });
}

test("the end of a period is part of the next one", () => {
  const { start, end } = day("2026-11-21", BERLIN);
  const isIn = (now: number): boolean => isCurrent(day("2026-11-21", BERLIN), now);
  assert.equal([start - 1, start, end - 1, end].map(isIn), [false, true, true, false]);
});

test.run();
