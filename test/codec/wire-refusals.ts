import { parseTime, wireParser } from "../../src/codec/parse.js";
import type { JsonValue } from "../../src/domain/json.js";
import { parsePulsetime } from "../../src/http/parameters.js";
import { readQuery } from "../../src/http/routes/action-handlers.js";
import { type EventSelection, parseSelection } from "../../src/service/event-reads.js";
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
  return parseSelection(readQuery("getEvents", query(text)));
}

export function bucketOf(value: JsonValue | undefined): unknown {
  return wireParser.bucket(value, "bucket 'x'");
}

export function query(text: string): URLSearchParams {
  return new URLSearchParams(text);
}

/** What is refused, the field that the message names, what it says of the value, and what it asks for. */
export const REFUSED: readonly (readonly [name: string, call: () => unknown, message: RegExp])[] = [
  ["a time that is missing", () => parseTime(undefined, "the time"), /^the time must be /],
  ["a time that is a number", () => parseTime(1709287200, "the time"), /^the time must be /],
  ["a time that is null", () => parseTime(null, "the time"), /^the time must be /],
  ["a time in a list", () => parseTime([TIME], "the time"), /^the time must be /],
  ["a time in an object", () => parseTime({}, "the time"), /^the time must be /],
  ["a text that is no time", () => parseTime("now", "the time"), /^the time must be /],
  ["a year out of range", () => parseTime("9999-01-01", "the time"), /^the time must be /],
  ["an endless text for a time", () => parseTime("x".repeat(9e5), "the time"), /^the time must be /],

  ["an event that is missing", () => draftOf(undefined), /^event 3 must be /],
  ["an event that is null", () => draftOf(null), /^event 3 must be /],
  ["an event that is a list", () => draftOf([]), /^event 3 must be /],
  ["an event that is a text", () => draftOf("{}"), /^event 3 must be /],
  ["an event without a time", () => draftOf({ data: {} }), /^timestamp of event 3 must be /],
  ["an event of no time", () => draftOf({ timestamp: 1 }), /^timestamp of event 3 must be /],
  ...(["60", true, null, [], {}] as JsonValue[]).map((duration): [string, () => unknown, RegExp] => [
    `a duration that is ${JSON.stringify(duration)}`,
    () => draftOf({ timestamp: TIME, duration }),
    /^duration of event 3 must be /,
  ]),
  ...[1e300, -1e300, 1e11, -1.1e10, Infinity, -Infinity].map((duration): [string, () => unknown, RegExp] => [
    `a duration of ${duration}`,
    () => draftOf({ timestamp: TIME, duration }),
    /^duration of event 3 must be /,
  ]),
  [
    "an end at 2250",
    () => draftOf({ timestamp: "2249-12-31T23:59:59Z", duration: 1 }),
    /^duration of event 3 must be /,
  ],
  ["an end before 1700", () => draftOf({ timestamp: "1700-01-01", duration: -1e-6 }), /^duration of event 3 must be /],
  ...([null, [], "x", 1, true] as JsonValue[]).map((data): [string, () => unknown, RegExp] => [
    `data that are ${JSON.stringify(data)}`,
    () => draftOf({ timestamp: TIME, data }),
    /^data of event 3 must be /,
  ]),
  ["data too deep", () => draftOf({ timestamp: TIME, data: nested(1001) }), /^data of event 3 nests deeper than 1000 /],
  [
    "data with a number beyond a double",
    () => draftOf({ timestamp: TIME, data: json('{"a":[1e400]}') }),
    /^data of event 3 contains /,
  ],
  ...([0, -1, 1.5, 2 ** 53, 1e300, "1", true, false, [], {}] as JsonValue[]).map(
    (id): [string, () => unknown, RegExp] => [
      `the id ${JSON.stringify(id)}`,
      () => draftOf({ timestamp: TIME, id }),
      /^id of event 3 must be /,
    ],
  ),

  ["a bucket that is missing", () => bucketOf(undefined), /^bucket 'x' must be /],
  ["a bucket that is a list", () => bucketOf([]), /^bucket 'x' must be /],
  ...["type", "client", "hostname"].flatMap((field) =>
    [undefined, null, 1, true, ["t"], {}].map((value): [string, () => unknown, RegExp] => [
      `a bucket whose ${field} is ${JSON.stringify(value)}`,
      () => bucketOf({ ...BUCKET, [field]: value } as JsonValue),
      new RegExp(`^${field} of bucket 'x' must be a string`),
    ]),
  ),
  ["a name that is a number", () => bucketOf({ ...BUCKET, name: 1 }), /^name of bucket 'x' must be /],
  ["a bad creation time", () => bucketOf({ ...BUCKET, created: 1 }), /^created of bucket 'x' must be /],
  ["an empty creation time", () => bucketOf({ ...BUCKET, created: "" }), /^created of bucket 'x' must be /],
  ["bucket data in a list", () => bucketOf({ ...BUCKET, data: [] }), /^data of bucket 'x' must be /],
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
  ["no pulsetime", () => parsePulsetime(query("")), /^pulsetime must be /],
  ...["", "abc", "inf", "nan", "Infinity", "-Infinity", "1e400", ".", "e1", "1e", "1e1.5", "0x10", "1_0", "1,5"].map(
    (text): [string, () => unknown, RegExp] => [
      `the pulsetime ${JSON.stringify(text)}`,
      () => parsePulsetime(new URLSearchParams({ pulsetime: text })),
      /^pulsetime must be /,
    ],
  ),
  ["a pulsetime with a space", () => parsePulsetime(query("pulsetime=%205")), /^pulsetime must be /],
  ["a value with Infinity", () => refuseDefect(json("[1e400]"), "the value"), /^the value contains /],
  ["a value too deep", () => refuseDefect(nested(1001), "the value"), /^the value nests /],
];
