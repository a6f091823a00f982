import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  formatAge,
  formatBytes,
  formatDate,
  formatDuration,
  formatEnd,
  formatMoment,
  formatRough,
  formatShare,
  formatTime,
  shorten,
} from "../../src/web/format.js";
import { roundTo } from "../../src/web/views/timesheet/rounding.js";
import { printLength } from "../../src/web/views/timesheet/sheet-document.js";

const test = suite("lengths and times for people");

const DURATIONS: readonly (readonly [seconds: number, text: string])[] = [
  [0, "0s"],
  [0.01, "<1s"],
  [0.96, "<1s"],
  [1, "1s"],
  [59.4, "59s"],
  [59.6, "1m 00s"],
  [750, "12m 30s"],
  [3599.7, "1h 00m"],
  [3629.6, "1h 00m"],
  [3630, "1h 01m"],
  [7199, "2h 00m"],
  [11_100, "3h 05m"],
  [360_000, "100h 00m"],
  [-90, "−1m 30s"],
  [Number.NaN, "–"],
  [Number.POSITIVE_INFINITY, "–"],
];

for (const [seconds, text] of DURATIONS)
  test(`${seconds} s are ${text}`, () => assert.is(formatDuration(seconds), text));

test("lengths without seconds are rounded to minutes", () => {
  for (const [seconds, text] of [
    [59.4, "59s"],
    [59.6, "1m"],
    [89, "1m"],
    [90, "2m"],
    [3569, "59m"],
    [3570, "1h 00m"],
    [26_205, "7h 17m"],
    [-3448, "−57m"],
    [Number.NaN, "–"],
    [Number.POSITIVE_INFINITY, "–"],
  ] as const) {
    assert.is(formatRough(seconds), text);
  }
});

test("the same length reads the same here and in a timesheet", () => {
  for (const seconds of [112_829.6, 112_830, 112_859, 112_890]) {
    const inSheet = printLength(roundTo(seconds, 60), { form: "time", step: 60 });
    assert.is(formatDuration(seconds).replace("h ", ":").replace("m", ""), inSheet);
  }
});

test("times and dates are those of the zone", () => {
  const late = "2024-03-01T23:30:09Z";
  for (const [zone, hour, day] of [
    ["UTC", /23|11/, /\b1\b/],
    ["Asia/Tokyo", /08|8/, /\b2\b/],
  ] as const) {
    assert.match(formatTime(late, zone), hour);
    assert.match(formatTime(late, zone, true), /09/);
    assert.match(formatDate(late, zone), day);
    assert.match(formatMoment(Date.parse(late), zone), day);
  }
  assert.match(formatMoment("2024-03-01T23:30:09.250Z", "UTC", true), /09[.,]250/);
  assert.not.match(formatMoment("2024-03-01T23:30:09.250Z", "UTC"), "250");
  assert.is(formatTime("no time", "UTC"), "–");
  const early = "2024-03-01T08:05:09Z";
  assert.match(formatTime(early, "UTC"), /^8:05\sAM$/u, "as the moment says it, without a zero in front");
  assert.match(formatEnd(early, "2024-03-01T21:05:09Z", "UTC"), /^9:05:09\sPM$/u);
  assert.match(formatEnd(early, "2024-03-02T08:05:09Z", "UTC"), /^Mar 2, 2024, 8:05:09\sAM$/u);
  assert.match(formatMoment(early, "UTC"), /, 8:05:09\sAM$/u);
});

test("ages are in whole units, and what is only just ahead is now", () => {
  assert.is(formatAge(59), formatAge(-59));
  assert.match(formatAge(3 * 60 + 20), /3/);
  assert.match(formatAge(26 * 3600), /yesterday|1/);
  assert.match(formatAge(-7200), /2/);
});

test("shares and sizes keep what matters", () => {
  assert.match(formatShare(1, 3), /^33\s?%$/);
  assert.match(formatShare(1, 40), /^2[.,]5\s?%$/);
  assert.match(formatShare(1, 0), /^0\s?%$/);
  assert.match(formatShare(0, 9), /^0\s?%$/);
  assert.match(formatShare(1, 1999), /^0[.,]1\s?%$/);
  assert.match(formatShare(1, 2001), /^<0[.,]1\s?%$/);
  assert.match(formatShare(1e-9, 1), /^<0[.,]1\s?%$/);
  assert.is(formatBytes(999), "999 B");
  assert.match(formatBytes(4_230_000), /^4[.,]2 MB$/);
  assert.is(formatBytes(0), "0 B");
});

test("a text is cut between characters", () => {
  assert.is(shorten("short", 5), "short");
  assert.is(shorten("too long", 5), "too …");
  assert.is(shorten("abc😀def", 5), "abc…");
});

test.run();
