import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  EARLIEST,
  LATEST,
  microsToSeconds,
  parseTimestamp,
  secondsToMicros,
  serializeTimestamp,
} from "../../src/domain/time.js";
import { intOf, randomOf } from "../contract/case.js";
import { ACCEPTED, REFUSED } from "./timestamp-forms.js";

const test = suite("time");

function microsOf(iso: string): number {
  return Date.parse(iso) * 1000;
}

test("every form of the contract is read as its instant", () => {
  for (const [text, iso, more = 0] of ACCEPTED) assert.is(parseTimestamp(text), microsOf(iso) + more, text);
});

test("what has none of the forms, is no date or lies out of range is refused", () => {
  for (const text of REFUSED) assert.is(parseTimestamp(text), undefined, JSON.stringify(text));
});

test("the range begins with the year 1700 and ends before the year 2250", () => {
  assert.is(EARLIEST, Date.UTC(1700, 0) * 1000);
  assert.is(LATEST, Date.UTC(2250, 0) * 1000);
  assert.is(parseTimestamp("1700-01-01T00:00:00.000000Z"), EARLIEST);
  assert.is(parseTimestamp("2249-12-31T23:59:59.999999999Z"), LATEST - 1);
});

/** Fields and separators of a timestamp, so that variants can be put together. */
function textOf(millis: number, { separator = "T", point = ".", extra = "", zone = "Z", basic = false } = {}): string {
  const [, date = "", time = "", fraction = ""] =
    /^(.{10})T(.{8})\.(.{3})Z$/.exec(new Date(millis).toISOString()) ?? [];
  const text = `${date}${separator}${time}`;
  return `${basic ? text.replaceAll(/[-:]/g, "") : text}${point}${fraction}${extra}${zone}`;
}

test("random instants are read as Date reads them, in every spelling", () => {
  const random = randomOf(1);
  for (let round = 0; round < 5_000; round++) {
    const millis = intOf(random, EARLIEST / 1000, LATEST / 1000 - 1);
    const extra = String(intOf(random, 0, 999)).padStart(3, "0");
    const micros = millis * 1000 + Number(extra);
    const spellings = [
      textOf(millis, { extra }),
      textOf(millis, { extra, zone: "+00:00" }),
      textOf(millis, { extra, zone: "" }),
      textOf(millis, { extra, zone: "-0000" }),
      textOf(millis, { extra: `${extra}${intOf(random, 0, 1e9)}` }),
      textOf(millis, { extra, separator: " ", point: ",", zone: "z" }),
      textOf(millis, { extra, separator: "t", zone: "+00" }),
      textOf(millis, { extra, basic: true }),
    ];
    for (const text of spellings) assert.is(parseTimestamp(text), micros, text);
  }
});

test("a zone shifts the instant by its hours and minutes", () => {
  const random = randomOf(2);
  for (let round = 0; round < 3_000; round++) {
    const millis = intOf(random, Date.UTC(1701, 0), Date.UTC(2249, 0));
    const [hours, minutes] = [intOf(random, 0, 23), intOf(random, 0, 59)];
    const sign = random() < 0.5 ? -1 : 1;
    const zone = `${sign < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
    const micros = (millis - sign * (hours * 60 + minutes) * 60_000) * 1000;
    for (const spelling of [zone, zone.replace(":", "")]) {
      const text = textOf(millis, { zone: spelling });
      assert.is(parseTimestamp(text), micros, text);
    }
    assert.is(parseTimestamp(textOf(millis, { zone })), Date.parse(textOf(millis, { zone })) * 1000);
  }
});

test("every day from 1700 to 2249 is accepted, and no other day of the month", () => {
  for (let year = 1700; year < 2250; year++) {
    for (let month = 1; month <= 12; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
        const date = new Date(Date.UTC(year, month - 1, day));
        const exists = date.getUTCMonth() === month - 1;
        const expected = exists ? date.getTime() * 1000 : undefined;
        if (parseTimestamp(text) !== expected) assert.is(parseTimestamp(text), expected, text);
        const long = `${text}T00:00:00Z`;
        if (parseTimestamp(long) !== expected) assert.is(parseTimestamp(long), expected, long);
      }
    }
  }
});

/** With a small `t` a text is never in the short form. */
function byGeneralForm(text: string): number | undefined {
  return parseTimestamp(`${text.slice(0, 10)}t${text.slice(11)}`);
}

test("the short way for the common form and the general way agree on every text of one wrong character", () => {
  const texts = [
    "2024-02-29T23:59:59Z",
    "2024-02-29T23:59:59+00:00",
    "1999-12-31T10:20:30.5Z",
    "1969-08-19T20:10:00.123456+00:00",
    "2100-10-05T09:08:07.123456789Z",
  ];
  for (const text of texts) {
    assert.is.not(parseTimestamp(text), undefined, text);
    for (let at = 0; at <= text.length; at++) {
      if (at === 10) continue;
      for (const sign of "0123456789/:;-+.,TtZz \n\u0000٣x") {
        const replaced = `${text.slice(0, at)}${sign}${text.slice(at + 1)}`;
        const inserted = `${text.slice(0, at)}${sign}${text.slice(at)}`;
        assert.is(parseTimestamp(replaced), byGeneralForm(replaced), replaced);
        if (at > 10) assert.is(parseTimestamp(inserted), byGeneralForm(inserted), inserted);
      }
      const shorter = `${text.slice(0, at)}${text.slice(at + 1)}`;
      if (at > 10) assert.is(parseTimestamp(shorter), byGeneralForm(shorter), shorter);
      assert.is(parseTimestamp(text.slice(0, at)), byGeneralForm(text.slice(0, at)), text.slice(0, at));
    }
  }
});

test("both ways agree on fractions of every length", () => {
  for (const zone of ["Z", "+00:00"]) {
    for (let length = 0; length < 45; length++) {
      const text = `2024-03-01T10:00:07.${"9081726354".repeat(5).slice(0, length)}${zone}`;
      assert.is(parseTimestamp(text), byGeneralForm(text), text);
      assert.is(parseTimestamp(text) === undefined, length === 0, text);
    }
  }
});

const PRINTED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/;

function checkPrinted(micros: number): void {
  const text = serializeTimestamp(micros);
  assert.match(text, PRINTED);
  if (parseTimestamp(text) !== micros) assert.is(parseTimestamp(text), micros, text);
  if (Date.parse(text) !== Math.floor(micros / 1000)) assert.is(Date.parse(text), Math.floor(micros / 1000), text);
  assert.is(text.includes("."), micros % 1_000_000 !== 0, text);
}

test("what is serialized is read back to the microsecond, all over the range", () => {
  const random = randomOf(3);
  for (let round = 0; round < 20_000; round++) checkPrinted(intOf(random, EARLIEST, LATEST - 1));
  // Seconds of .999999 are where a division could round up.
  for (let year = 1700; year < 2250; year++) {
    const start = Date.UTC(year, 0) * 1000;
    for (const offset of [0, 1, 999_999, 1_000_000, 86_400_000_000 - 1, 31_535_999_999_999])
      checkPrinted(start + offset);
    for (let round = 0; round < 5; round++) checkPrinted(start + intOf(random, 1, 31_000_000) * 1_000_000 - 1);
  }
  checkPrinted(LATEST - 1);
});

test("a fraction of zero is left out, any other has six digits", () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, "1970-01-01T00:00:00+00:00"],
    [1, "1970-01-01T00:00:00.000001+00:00"],
    [-1, "1969-12-31T23:59:59.999999+00:00"],
    [500_000, "1970-01-01T00:00:00.500000+00:00"],
    [86_399_000_000, "1970-01-01T23:59:59+00:00"],
    [-86_400_000_000, "1969-12-31T00:00:00+00:00"],
    [951_827_696_000_120, "2000-02-29T12:34:56.000120+00:00"],
    [EARLIEST, "1700-01-01T00:00:00+00:00"],
    [LATEST - 1, "2249-12-31T23:59:59.999999+00:00"],
  ];
  // Twice, and backwards: printing remembers a day.
  for (const [micros, text] of [...cases, ...[...cases].reverse()]) assert.is(serializeTimestamp(micros), text);
});

test("seconds become the nearest microsecond, and never -0", () => {
  const cases: readonly (readonly [number, number])[] = [
    [0, 0],
    [-0, 0],
    [1, 1_000_000],
    [-1.5, -1_500_000],
    [0.1 + 0.2, 300_000],
    [1.0000004, 1_000_000],
    [1.0000006, 1_000_001],
    [0.000_000_5, 1],
    [0.000_000_4, 0],
    [-0.000_000_4, 0],
    [-0.000_000_6, -1],
    [5e-324, 0],
    [1e300, 1e306],
  ];
  for (const [seconds, micros] of cases) {
    const found = secondsToMicros(seconds);
    assert.ok(Object.is(found, micros) || Math.abs(found / micros - 1) < 1e-15, `${seconds} became ${found}`);
  }
});

test("a length of up to seventy years survives being serialized as seconds", () => {
  const random = randomOf(4);
  for (let round = 0; round < 20_000; round++) {
    const micros = Math.round((random() - 0.5) * 2 ** intOf(random, 1, 52)) + 0;
    const seconds = JSON.parse(JSON.stringify(microsToSeconds(micros))) as number;
    if (secondsToMicros(seconds) !== micros) assert.is(secondsToMicros(seconds), micros);
  }
});

test.run();
