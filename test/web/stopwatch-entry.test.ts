// What is typed about an entry of the stopwatch.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { nextDayExample, printMoment, readEntry, readMoment } from "../../src/web/views/stopwatch/entry-form.js";

const test = suite("entries of the stopwatch, as they are typed");

const BERLIN = "Europe/Berlin";
const DATE = "2026-11-21";

test("a time alone is of the date that is given", () => {
  const cases: readonly (readonly [text: string, instant: string])[] = [
    ["9:30", "2026-11-21T08:30:00.000Z"],
    [" 09:30:15 ", "2026-11-21T08:30:15.000Z"],
    ["9.30", "2026-11-21T08:30:00.000Z"],
    ["9:30 pm", "2026-11-21T20:30:00.000Z"],
    ["12:05 AM", "2026-11-20T23:05:00.000Z"],
    ["12:05 p.m.", "2026-11-21T11:05:00.000Z"],
    ["0:00", "2026-11-20T23:00:00.000Z"],
    ["2026-11-20 9:30", "2026-11-20T08:30:00.000Z"],
    ["2026-07-01T09:30:00", "2026-07-01T07:30:00.000Z"],
    ["2026-07-01", "2026-06-30T22:00:00.000Z"],
  ];
  for (const [text, instant] of cases) {
    assert.is(new Date(readMoment(text, DATE, BERLIN) ?? Number.NaN).toISOString(), instant, text);
  }
  for (const text of ["", "9", "930", "25:00", "9:60", "13:00 pm", "0:30 am", "yesterday", "2026-02-30 9:00"]) {
    assert.is(readMoment(text, DATE, BERLIN), undefined, text);
  }
});

test("an end without a date is of the date of the start", () => {
  const read = readEntry({ label: "", from: "2026-11-19 22:00", to: "23:30" }, { zone: BERLIN, date: DATE });
  assert.equal([read.problems, (read.end ?? 0) - (read.start ?? 0)], [{}, 5_400_000]);
});

test("each field has a problem of its own", () => {
  const problems = (from: string, to: string, isRunning = false): unknown =>
    readEntry({ label: "", from, to }, { zone: BERLIN, date: DATE, isRunning }).problems;
  assert.equal(problems("", " "), { from: "noStart", to: "noEnd" });
  assert.equal(problems("9", "later"), { from: "noTime", to: "noTime" });
  assert.equal(problems("22:00", "0:30"), { to: "backwards" });
  assert.equal(problems("22:00", "22:00"), {});
  assert.equal(problems("22:00", "", true), {});
  const { start = 0, end = 0 } = readEntry({ label: "", from: "22:00", to: "0:30" }, { zone: BERLIN, date: DATE });
  assert.is(nextDayExample(start, end, BERLIN), "2026-11-22 00:30");
});

test("a time that was not touched stays as exact as it was, also in an hour that comes twice", () => {
  // 02:30 for the second time, and a fraction of a second.
  const before = { start: Date.parse("2026-10-25T01:30:00Z"), end: Date.parse("2026-10-25T01:40:00Z") + 0.25 };
  const [from, to] = [printMoment(before.start, BERLIN), printMoment(before.end, BERLIN)];
  const read = readEntry({ label: "", from, to }, { zone: BERLIN, date: "2026-10-25", before });
  assert.equal([read.start, read.end], [before.start, before.end]);
});

test.run();
