// What a period is compared with.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Calendar } from "../../src/report/calendar.js";

const test = suite("calendar of reports");

const BERLIN = new Calendar({ zone: "Europe/Berlin", dayStart: "04:00", weekStart: "Monday" });

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
    const before = BERLIN.before(BERLIN.around(kind, date), Date.parse(now) * 1000);
    assert.equal([before.first, new Date(before.end / 1000).toISOString()], [first, until]);
  });
}

test("days start by the clock of their own moment, on clock changes too", () => {
  const startsAtThree = new Calendar({ zone: "Europe/Berlin", dayStart: "03:00", weekStart: "Monday" });
  const dayAt = (time: string): string => startsAtThree.dayAt(Date.parse(time) * 1000);
  // From 02:00 to 03:00, and back.
  assert.is(dayAt("2024-03-31T00:59:59Z"), "2024-03-30");
  assert.is(dayAt("2024-03-31T01:00:00Z"), "2024-03-31");
  assert.is(dayAt("2024-10-27T01:59:59Z"), "2024-10-26");
  assert.is(dayAt("2024-10-27T02:00:00Z"), "2024-10-27");
});

test.run();
