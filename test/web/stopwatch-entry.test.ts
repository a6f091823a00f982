// What is typed about an entry of the stopwatch.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lastHour, printMoment, readEntry } from "../../src/web/views/stopwatch/entry-form.js";

const test = suite("entries of the stopwatch, as they are typed");

const BERLIN = "Europe/Berlin";

const NEW = lastHour(Date.parse("2026-11-21T10:00:42Z"));

test("a new entry begins as the last hour, in whole minutes of the zone", () => {
  assert.equal(
    [printMoment(NEW.start, BERLIN), printMoment(NEW.end, BERLIN)],
    ["2026-11-21T10:00", "2026-11-21T11:00"],
  );
});

test("each field has a problem of its own", () => {
  const problems = (from: string, to: string, isRunning = false): unknown =>
    readEntry({ label: "", from, to }, { zone: BERLIN, before: NEW, isRunning }).problems;
  assert.equal(problems("", ""), { from: "noStart", to: "noEnd" });
  assert.equal(problems("2026-11-21T22:00", "2026-11-21T00:30"), { to: "backwards" });
  assert.equal(problems("2026-11-21T22:00", "2026-11-22T00:30"), {});
  assert.equal(problems("2026-11-21T22:00", "2026-11-21T22:00"), {});
  assert.equal(problems("2026-11-21T22:00", "", true), {});
});

test("times are those of the zone", () => {
  const fields = { label: "", from: "2026-07-01T09:30", to: "2026-07-01T09:30:15" };
  const { start = 0, end } = readEntry(fields, { zone: BERLIN, before: NEW });
  assert.equal([new Date(start).toISOString(), end], ["2026-07-01T07:30:00.000Z", start + 15_000]);
});

test("a time that was not touched stays as exact as it was, also in an hour that comes twice", () => {
  // 02:30 for the second time, and a fraction of a second.
  const before = { start: Date.parse("2026-10-25T01:30:00Z"), end: Date.parse("2026-10-25T01:40:00Z") + 0.25 };
  const [from, to] = [printMoment(before.start, BERLIN), printMoment(before.end, BERLIN)];
  const read = readEntry({ label: "", from, to }, { zone: BERLIN, before });
  assert.equal([read.start, read.end], [before.start, before.end]);
});

test.run();
