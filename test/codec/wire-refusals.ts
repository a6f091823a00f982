import { parseTime, wireParser } from "../../src/codec/parse.js";
import type { JsonValue } from "../../src/domain/json.js";
import { parsePulsetime } from "../../src/http/parameters.js";
import { readQuery } from "../../src/http/routes/carried-out.js";
import { type EventSelection, selectionOf } from "../../src/service/event-reads.js";
import { refuseDefect } from "../../src/service/validation.js";
import { nested } from "../contract/values.js";

export const TIME: string = "2024-03-01T10:00:00Z";
export const BUCKET: { readonly type: string; readonly client: string; readonly hostname: string } = {
  type: "t",
  client: "c",
  hostname: "h",
};

export function json(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

export function draftOf(value: JsonValue | undefined, keepId = true): unknown {
  return wireParser.event(value, "event 3", keepId);
}

export function selectionIn(text: string): EventSelection {
  return selectionOf(readQuery("getEvents", query(text)));
}

export function bucketOf(value: JsonValue | undefined): unknown {
  return wireParser.bucket(value, "bucket 'x'");
}

export function query(text: string): URLSearchParams {
  return new URLSearchParams(text);
}

/** What is refused, the field that the message names, what it says of the value, and what it asks for. */
export const REFUSED: readonly (readonly [name: string, call: () => unknown, message: RegExp])[] = [
  ["a time that is missing", () => parseTime(undefined, "the time"), /^the time is missing; a time like 2024-.+ 1700/],
  ["a time that is a number", () => parseTime(1709287200, "the time"), /^the time is 1709287200; a time like 2024-/],
  ["a time that is null", () => parseTime(null, "the time"), /^the time is null; a time like /],
  ["a time in a list", () => parseTime([TIME], "the time"), /^the time is a list; a time like /],
  ["a time in an object", () => parseTime({}, "the time"), /^the time is an object; a time like /],
  ["a text that is no time", () => parseTime("now", "the time"), /^the time is 'now'; a time like /],
  ["a year out of range", () => parseTime("9999-01-01", "the time"), /^the time is '9999-01-01'; .* from 1700 to 2249/],
  ["an endless text for a time", () => parseTime("x".repeat(9e5), "the time"), /^the time is 'x{100,120}…'; a time /],

  ["an event that is missing", () => draftOf(undefined), /^event 3 is missing; an event object is expected$/],
  ["an event that is null", () => draftOf(null), /^event 3 is null; an event object is expected$/],
  ["an event that is a list", () => draftOf([]), /^event 3 is a list; an event object is expected$/],
  ["an event that is a text", () => draftOf("{}"), /^event 3 is '\{\}'; an event object is expected$/],
  ["an event without a time", () => draftOf({ data: {} }), /^timestamp of event 3 is missing; a time like /],
  ["an event of no time", () => draftOf({ timestamp: 1 }), /^timestamp of event 3 is 1; a time like /],
  ...(["60", true, null, [], {}] as JsonValue[]).map((duration): [string, () => unknown, RegExp] => [
    `a duration that is ${JSON.stringify(duration)}`,
    () => draftOf({ timestamp: TIME, duration }),
    /^duration of event 3 is .+; seconds are expected$/,
  ]),
  ...[1e300, -1e300, 1e11, -1.1e10, Infinity, -Infinity].map((duration): [string, () => unknown, RegExp] => [
    `a duration of ${duration}`,
    () => draftOf({ timestamp: TIME, duration }),
    /^duration of event 3 is -?[\dInfinity]+(e\+\d+)?; the event must end between the years 1700 and 2249$/,
  ]),
  ["an end at 2250", () => draftOf({ timestamp: "2249-12-31T23:59:59Z", duration: 1 }), /^duration of event 3 is 1; /],
  [
    "an end before 1700",
    () => draftOf({ timestamp: "1700-01-01", duration: -1e-6 }),
    /^duration of event 3 is -0.0+1;/,
  ],
  ...([null, [], "x", 1, true] as JsonValue[]).map((data): [string, () => unknown, RegExp] => [
    `data that are ${JSON.stringify(data)}`,
    () => draftOf({ timestamp: TIME, data }),
    /^data of event 3 is .+; an object is expected$/,
  ]),
  ["data too deep", () => draftOf({ timestamp: TIME, data: nested(1001) }), /^data of event 3 nests deeper than 1000 /],
  [
    "data with a number beyond a double",
    () => draftOf({ timestamp: TIME, data: json('{"a":[1e400]}') }),
    /^data of event 3 holds a number beyond the range of a double$/,
  ],
  ...([0, -1, 1.5, 2 ** 53, 1e300, "1", true, false, [], {}] as JsonValue[]).map(
    (id): [string, () => unknown, RegExp] => [
      `the id ${JSON.stringify(id)}`,
      () => draftOf({ timestamp: TIME, id }),
      /^id of event 3 is .+; an integer from 1 to 2\^53 - 1, or none, is expected$/,
    ],
  ),

  ["a bucket that is missing", () => bucketOf(undefined), /^bucket 'x' is missing; a bucket object is expected$/],
  ["a bucket that is a list", () => bucketOf([]), /^bucket 'x' is a list; a bucket object is expected$/],
  ...["type", "client", "hostname"].flatMap((field) =>
    [undefined, null, 1, true, ["t"], {}].map((value): [string, () => unknown, RegExp] => [
      `a bucket whose ${field} is ${JSON.stringify(value)}`,
      () => bucketOf({ ...BUCKET, [field]: value } as JsonValue),
      new RegExp(`^${field} of bucket 'x' is .+; a text is expected$`),
    ]),
  ),
  ["a name that is a number", () => bucketOf({ ...BUCKET, name: 1 }), /^name of bucket 'x' is 1; a text is expected$/],
  ["a bad creation time", () => bucketOf({ ...BUCKET, created: 1 }), /^created of bucket 'x' is 1; a time like /],
  ["an empty creation time", () => bucketOf({ ...BUCKET, created: "" }), /^created of bucket 'x' is ''; a time like /],
  ["bucket data in a list", () => bucketOf({ ...BUCKET, data: [] }), /^data of bucket 'x' is a list; an object is exp/],
  ["deep bucket data", () => bucketOf({ ...BUCKET, data: nested(1001) }), /^data of bucket 'x' nests deeper than 1000/],

  ["a start that is no time", () => selectionIn("start=now"), /^start must be a time like .*, got 'now'$/],
  ["an empty start", () => selectionIn("start="), /^start must be a time like .*, got ''$/],
  ["an end that is no time", () => selectionIn("end=1e3"), /^end must be a time like .*, got '1e3'$/],
  [
    "a raw plus in a zone",
    () => selectionIn("end=2024-03-01T10:00:00+01:00"),
    /^end must be a time like .*, got '2024/,
  ],
  ...["", "abc", "1.5", "1e3", "0x10", " 1", "1 ", "+5", "--1", "-", "Infinity", "NaN", "٣", "1\n"].map(
    (text): [string, () => unknown, RegExp] => [
      `the limit ${JSON.stringify(text)}`,
      () => selectionIn(text === "+5" ? "limit=+5" : `${new URLSearchParams({ limit: text })}`),
      /^limit must be an integer, got '.*'$/s,
    ],
  ),
  ["no pulsetime", () => parsePulsetime(query("")), /^query parameter pulsetime is missing; seconds are expected$/],
  ...["", "abc", "inf", "nan", "Infinity", "-Infinity", "1e400", ".", "e1", "1e", "1e1.5", "0x10", "1_0", "1,5"].map(
    (text): [string, () => unknown, RegExp] => [
      `the pulsetime ${JSON.stringify(text)}`,
      () => parsePulsetime(new URLSearchParams({ pulsetime: text })),
      /^query parameter pulsetime is '.*'; seconds are expected$/,
    ],
  ),
  ["a pulsetime with a space", () => parsePulsetime(query("pulsetime=%205")), /^query parameter pulsetime is ' 5'; /],
  ["a value with Infinity", () => refuseDefect(json("[1e400]"), "the value"), /^the value holds a number beyond /],
  ["a value too deep", () => refuseDefect(nested(1001), "the value"), /^the value nests deeper than 1000 levels$/],
];
