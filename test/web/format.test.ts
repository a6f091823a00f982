import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  formatAge,
  formatBytes,
  formatDate,
  formatDuration,
  formatMoment,
  formatRough,
  formatShare,
  formatTime,
  shorten,
} from "../../src/web/format.js";

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
  [11_100, "3h 05m"],
  [360_000, "100h 00m"],
  [-90, "−1m 30s"],
  [Number.NaN, "–"],
  [Number.POSITIVE_INFINITY, "–"],
];

for (const [seconds, text] of DURATIONS)
  test(`${seconds} s are ${text}`, () => assert.is(formatDuration(seconds), text));

test("lengths without seconds are never longer than the same length with them", () => {
  for (const [seconds, rough, exact] of [
    [59.4, "59s", "59s"],
    [59.6, "1m", "1m 00s"],
    [119, "1m", "1m 59s"],
    [3599.7, "1h 00m", "1h 00m"],
    [26_205, "7h 16m", "7h 16m"],
    [-3448, "−57m", "−57m 28s"],
  ] as const) {
    assert.is(formatRough(seconds), rough);
    assert.is(formatDuration(seconds), exact);
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
