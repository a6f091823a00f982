// Views that were saved, and entries of the stopwatch.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientEvent } from "../../src/client/client-types.js";
import type { JsonValue } from "../../src/domain/json.js";
import type { Calendar } from "../../src/web/period.js";
import { addressOf, addView, distanceOf, readViews, removeView, renameView } from "../../src/web/saved-views/views.js";
import {
  byDay,
  changed,
  clockOf,
  labelsOf,
  readEntries,
  secondsOf,
  startOf,
  stopped,
} from "../../src/web/stopwatch/entries.js";

const test = suite("saved views and the stopwatch");

const CALENDAR: Calendar = { zone: "Europe/Berlin", startOfDay: "04:00", startOfWeek: "Monday" };
const SATURDAY = Date.parse("2026-11-21T12:00:00Z");
const IN_MARCH = Date.parse("2027-03-29T12:00:00Z");

const MOVING: readonly (readonly [address: string, later: string])[] = [
  ["#/", "#/day/2027-03-29"],
  ["#/day/2026-11-20?host=desk&f=app%3DCode", "#/day/2027-03-28?host=desk&f=app%3DCode"],
  ["#/week/2026-11-16", "#/week/2027-03-29"],
  ["#/week/2026-11-09", "#/week/2027-03-22"],
  ["#/month/2026-10", "#/month/2027-02"],
  ["#/month/2025-12", "#/month/2026-04"],
  ["#/year/2025", "#/year/2026"],
  ["#/range/2026-11-15/2026-11-21", "#/range/2027-03-23/2027-03-29"],
  ["#/timesheet/month/2026-11?round=900", "#/timesheet/month/2027-03?round=900"],
];

test("a view moves along with today, or stays where it was", () => {
  for (const [address, later] of MOVING) {
    const moves = distanceOf(address, CALENDAR, SATURDAY);
    assert.ok(moves, address);
    const view = readViews(addView(undefined, { name: "n", address, moves }))[0];
    assert.is(view && addressOf(view, CALENDAR, IN_MARCH), later);
    assert.is(addressOf({ name: "n", address }, CALENDAR, IN_MARCH), address);
  }
  for (const address of ["#/timeline?start=a&end=b", "#/query?period=7d", "#/buckets/week", "#/day/2026-02-30"]) {
    assert.is(distanceOf(address, CALENDAR, SATURDAY), undefined, address);
  }
});

test("what is no view stays in the setting, and names are unique", () => {
  const others: JsonValue = [{ name: "" }, 5, { name: "odd", address: "javascript:alert(1)" }];
  const one = addView(others, { name: "one", address: "#/week" });
  const two = addView(one, { name: "two", address: "#/timeline", moves: { kind: "week", offset: -1 } });
  assert.equal(
    readViews(two).map(({ name }) => name),
    ["one", "two"],
  );
  assert.equal((two as JsonValue[]).slice(0, 3), others);
  assert.equal(readViews(addView(two, { name: "one", address: "#/month" }))[0]?.address, "#/month");
  assert.equal(readViews(renameView(two, "one", "three"))[0]?.name, "three");
  assert.equal(readViews(renameView(two, "one", "two")), [{ name: "two", address: "#/week", moves: undefined }]);
  assert.equal(renameView(two, "one", "one"), two);
  assert.equal(removeView(removeView(two, "one"), "two"), others);
  for (const stored of [undefined, null, "x", {}]) assert.equal(readViews(stored), []);
});

function event(id: number, timestamp: string, duration: number, data: ClientEvent["data"]): ClientEvent {
  return { id, timestamp, duration, data };
}

test("entries of the official UI are read, and written as it does", () => {
  const entries = readEntries([
    event(1, "2026-11-20T10:00:00+00:00", 3600, { label: "Call", running: false }),
    event(2, "2026-11-21T01:00:00+00:00", 60, { label: "Late", running: false }),
    event(3, "2026-11-21T11:00:00+00:00", 0, { label: "Report", running: true, project: "x" }),
    event(4, "2026-11-19T11:00:00+00:00", 5, { label: 5 }),
  ]);
  assert.equal(
    entries.map(({ id, label, isRunning }) => [id, label, isRunning]),
    [
      [3, "Report", true],
      [2, "Late", false],
      [1, "Call", false],
      [4, "", false],
    ],
  );
  const [report] = entries;
  assert.ok(report);
  assert.is(secondsOf(report, SATURDAY), 3600);
  assert.equal(stopped(report, SATURDAY), {
    ...{ id: 3, timestamp: new Date("2026-11-21T11:00:00Z"), duration: 3600 },
    data: { label: "Report", running: false, project: "x" },
  });
  assert.is(stopped(report, 0).duration, 0);
  assert.equal(changed({ ...report, label: " New " }).data, { label: "New", running: true, project: "x" });
  assert.equal(startOf(" Call ", SATURDAY), {
    ...{ timestamp: new Date(SATURDAY), duration: 0, data: { label: "Call", running: true } },
  });
  // Before the start of a day it is still the one before.
  assert.equal(
    byDay(entries, CALENDAR).map(({ date, seconds }) => [date, seconds]),
    [
      ["2026-11-20", 3660],
      ["2026-11-19", 5],
    ],
  );
  assert.equal(labelsOf(entries), ["Report", "Late", "Call"]);
  assert.is(clockOf(3 * 3600 + 65.9), "3:01:05");
});

test.run();
