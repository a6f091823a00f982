import { suite } from "uvu";
import * as assert from "uvu/assert";
import { localDay } from "../../src/testing/local-day.js";
import { type Refusal, testRefusals } from "./refusal.js";

const test = suite("local days");

function iso(second: number): string {
  return new Date(second * 1000).toISOString().replace(".000Z", "Z");
}

/** A date, its time zone, its start, its hours, and when clocks there first show 9:00. */
type Day = readonly [date: string, timezone: string, start: string, hours: number, nine: string];

const DAYS: readonly Day[] = [
  ["2024-03-01", "UTC", "2024-03-01T00:00:00Z", 24, "2024-03-01T09:00:00Z"],
  ["2024-02-29", "Etc/UTC", "2024-02-29T00:00:00Z", 24, "2024-02-29T09:00:00Z"],
  // Clocks go forward at 2:00.
  ["2024-03-10", "America/New_York", "2024-03-10T05:00:00Z", 23, "2024-03-10T13:00:00Z"],
  // Clocks go back at 3:00.
  ["2024-10-27", "Europe/Berlin", "2024-10-26T22:00:00Z", 25, "2024-10-27T08:00:00Z"],
  ["2024-06-15", "Asia/Kathmandu", "2024-06-14T18:15:00Z", 24, "2024-06-15T03:15:00Z"],
  ["2024-06-15", "Pacific/Apia", "2024-06-14T11:00:00Z", 24, "2024-06-14T20:00:00Z"],
  // The day before Samoa left one out.
  ["2011-12-29", "Pacific/Apia", "2011-12-29T10:00:00Z", 24, "2011-12-29T19:00:00Z"],
  // Clocks go forward at midnight, so the day begins at 1:00.
  ["2024-03-10", "America/Havana", "2024-03-10T05:00:00Z", 23, "2024-03-10T13:00:00Z"],
  // Half an hour, at 2:00.
  ["2024-10-06", "Australia/Lord_Howe", "2024-10-05T13:30:00Z", 23.5, "2024-10-05T22:00:00Z"],
  ["2024-01-01", "Pacific/Kiritimati", "2023-12-31T10:00:00Z", 24, "2023-12-31T19:00:00Z"],
  ["2024-01-01", "Pacific/Pago_Pago", "2024-01-01T11:00:00Z", 24, "2024-01-01T20:00:00Z"],
  ["1970-01-01", "UTC", "1970-01-01T00:00:00Z", 24, "1970-01-01T09:00:00Z"],
  ["2199-12-31", "UTC", "2199-12-31T00:00:00Z", 24, "2199-12-31T09:00:00Z"],
];

for (const [date, timezone, start, hours, nine] of DAYS) {
  test(`${date} in ${timezone} has ${hours} hours from ${start}`, () => {
    const day = localDay(date, timezone);
    assert.is(iso(day.start), start);
    assert.is((day.end - day.start) / 3600, hours);
    assert.is(iso(day.secondAt(9 * 3600)), nine);
  });
}

test("a time that clocks skip comes at the end of the gap", () => {
  const day = localDay("2024-03-10", "America/New_York");
  assert.is(iso(day.secondAt(2.5 * 3600)), "2024-03-10T07:00:00Z");
});

test("the days of a year follow each other", () => {
  for (const timezone of ["America/New_York", "Europe/Berlin", "Africa/Cairo", "America/Santiago", "Asia/Kathmandu"]) {
    let end: number | undefined;
    for (let number = 0; number < 366; number++) {
      const date = new Date(Date.UTC(2024, 0, 1 + number)).toISOString().slice(0, 10);
      const day = localDay(date, timezone);
      if (end !== undefined) assert.is(day.start, end, `${timezone} ${date}`);
      end = day.end;
    }
  }
});

testRefusals(test, [
  ...["2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "1969-12-31", "2200-01-01", "2024-3-1", "", "today"].map(
    (date): Refusal => [() => localDay(date, "UTC"), "date must be"],
  ),
  [() => localDay(new Date(0), "UTC"), "date must be"],
  ...["Europe/Atlantis", "", "Berlin", "+25:00"].map(
    (zone): Refusal => [() => localDay("2024-03-01", zone), "timezone must be"],
  ),
  [() => localDay("2024-03-01", undefined), "timezone must be"],
  [() => localDay("2024-03-01", 2), "timezone must be"],
  [() => localDay("2011-12-30", "Pacific/Apia"), "date must be a day that 'Pacific/Apia' had, got '2011-12-30'"],
]);

test.run();
