import type { JsonObject } from "../../domain/json.js";
import { FIRST, SECOND } from "../examples.js";

const MONTH_DAY = ["(0[1-9]|1[0-2])", "(0[1-9]|[12]\\d|3[01])"];
const OFFSET = "([01]\\d|2[0-3])(:?[0-5]\\d)?";
const EXTENDED = "[Tt ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.,]\\d+)?)?";
const BASIC = "T([01]\\d|2[0-3])[0-5]\\d([0-5]\\d([.,]\\d+)?)?";
const ZONE = `([Zz]|[+-]${OFFSET})?`;

/**
 * A date, or date and time, with or without separators: one pattern, from which generators can create values. Time
 * zones extend the years 1700 to 2249 by up to one day.
 */
const TIMESTAMP_PATTERN: string = [
  "^((1[7-9]\\d\\d|2[01]\\d\\d|22[0-4]\\d)",
  `(-${MONTH_DAY.join("-")}(${EXTENDED}${ZONE})?|${MONTH_DAY.join("")}${BASIC}${ZONE})`,
  `|(1699-12-31${EXTENDED}|16991231${BASIC})-${OFFSET}|(2250-01-01${EXTENDED}|22500101${BASIC})[+]${OFFSET})$`,
].join("");

/** Schemas of events and of their parts (docs/reference/api.md#timestamps, docs/reference/api.md#events). */
export const EVENT_SCHEMAS = {
  Timestamp: {
    type: "string",
    format: "date-time",
    pattern: "^(1[7-9]|2[012])\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{6})?\\+00:00$",
    description: `A time in UTC from 1700 to 2249, with six digits of a fraction (microseconds), or without a
        fraction if it is zero.`,
    examples: ["2024-03-01T10:00:00+00:00", "2024-03-01T10:00:00.250000+00:00"],
  },
  TimestampOrNull: { description: "A time; null for none.", anyOf: [{ $ref: "Timestamp" }, { type: "null" }] },
  TimestampInput: {
    type: "string",
    pattern: TIMESTAMP_PATTERN as string,
    description: `A time from the years 1700 to 2249: an ISO 8601 date such as \`2024-03-01\` (midnight), or date and
      time. Seconds, a fraction and a zone are optional. No zone means UTC. Digits after microseconds are dropped.`,
    examples: ["2024-03-01T10:00:00Z", "2024-03-01T11:00:00.25+01:00", "2024-03-01"],
  },
  Duration: {
    type: "number",
    minimum: -17356291200,
    maximum: 17356291200,
    description: "A duration in seconds, to the microsecond. It may be negative.",
    examples: [7.5],
  },
  EventId: {
    type: "integer",
    minimum: 1,
    maximum: 9007199254740991,
    description: "An event's number from 1 to 2^53 - 1. The server has one counter and never assigns a number twice.",
    examples: [1],
  },
  EventData: {
    type: "object",
    description: "The watcher's data: any JSON object of at most 1000 levels. The order of keys may change.",
    examples: [{ app: "editor", title: "notes.md" }],
  },
  Event: {
    description: "An event with its time range, complete or clipped to the requested range.",
    properties: {
      id: { $ref: "EventId" },
      timestamp: { $ref: "Timestamp" },
      duration: { $ref: "Duration" },
      data: { $ref: "EventData" },
    },
  },
  AcceptedEvent: {
    extends: "Event",
    description: `The stored event. If a privacy rule dropped it, the received event with \`id: null\`.`,
    properties: { id: { anyOf: [{ $ref: "EventId" }, { type: "null" }] } },
  },
  AcceptedEvents: { type: "array", items: { $ref: "AcceptedEvent" }, description: "The results for a list of events." },
  Events: { type: "array", items: { $ref: "Event" }, description: "A list of events." },
  Heartbeat: {
    description: `The current activity: an event without an ID. Unknown fields and an \`id\` are ignored.`,
    required: ["timestamp"],
    properties: {
      timestamp: { $ref: "TimestampInput" },
      duration: {
        type: "number",
        default: 0,
        minimum: -17356291200,
        maximum: 17356291200,
        description: "Seconds, to the microsecond; may be negative. The end must be a valid timestamp.",
      },
      data: { $ref: "EventData" },
    },
  },
  EventInput: {
    extends: "Heartbeat",
    description: "An event to store. Unknown fields are ignored.",
    required: [],
    properties: {
      id: {
        type: ["integer", "null"],
        minimum: 1,
        maximum: 9007199254740991,
        description: `The ID of an event in this bucket replaces that event. Any other ID is kept, and new IDs
            continue above it. Missing or null: a new ID.`,
      },
    },
  },
  EventsInput: {
    description: "A list of events, or one event.",
    anyOf: [{ type: "array", items: { $ref: "EventInput" } }, { $ref: "EventInput" }],
  },
  StoredEvents: {
    description: "The stored events: a list for a list, in its order, and an event for an event.",
    anyOf: [{ $ref: "AcceptedEvents" }, { $ref: "AcceptedEvent" }],
  },
  EventCount: {
    type: "integer",
    minimum: 0,
    description: "The number of events that touch the range and match the filter.",
    examples: [2],
  },
  TimelineBin: {
    description: "A part of a range with the events that touch it.",
    properties: {
      index: {
        type: "integer",
        minimum: 0,
        maximum: 9999,
        description: "The bin begins `index` times the bin duration after the start of the range.",
      },
      count: { type: "integer", minimum: 1, description: "The number of events that touch it." },
      covered: { type: "number", minimum: 0, description: "The seconds that at least one event covers." },
      data: { type: "integer", minimum: 0, description: "The index in `data` of the data to show." },
    },
    examples: [{ index: 7, count: 3, covered: 12.5, data: 0 }],
  },
  Timeline: {
    description: "The events of a range: `events` if there are few, else `bin_duration`, `bins` and `data`.",
    required: ["start", "end", "count"],
    properties: {
      start: { $ref: "TimestampOrNull" },
      end: {
        $ref: "TimestampOrNull",
        description: "The start or end of the range; null if the bucket is empty and the request has no range.",
      },
      count: { type: "integer", minimum: 0, description: "The number of events that touch the range." },
      events: { $ref: "Events" },
      bin_duration: {
        type: "number",
        description: "The duration of each bin in seconds. The last one may end after the range.",
      },
      bins: { type: "array", items: { $ref: "TimelineBin" } },
      data: { type: "array", items: { $ref: "EventData" }, description: "The data of the bins, each once." },
    },
    examples: [
      {
        start: "2024-03-01T10:00:00+00:00",
        end: "2024-03-01T10:02:00+00:00",
        count: 3,
        bin_duration: 60,
        bins: [{ index: 0, count: 3, covered: 60, data: 0 }],
        data: [{ app: "browser", title: "Weather" }],
      },
    ],
  },
  EventDeletion: {
    description: "Whether the event existed.",
    properties: { success: { type: "boolean", description: "Whether the event existed." } },
  },
} as const;

/** docs/reference/api.md#reading-events, docs/reference/api.md#heartbeats. */
export const EVENT_OPERATIONS = {
  getEvents: {
    route: "GET /api/0/buckets/:bucketId/events",
    call: "events.list",
    raw: true,
    summary: "Read events, newest first",
    description: `Returns the events that touch the range, clipped to it, sorted by timestamp and then by ID. The stored
      events stay complete. If \`start\` is after \`end\`, the list is empty.`,
    needs: "read",
    parameters: ["start", "end", "limit", "offset", "filter", "format"],
    answer: "Events",
    says: "The events of the range, newest first.",
    example: [SECOND, FIRST] as JsonObject[],
    others: { "text/csv": "CsvTable" },
  },
  insertEvents: {
    route: "POST /api/0/buckets/:bucketId/events",
    summary: "Insert or replace events",
    description: `Stores all events or none. An event with the ID of an event in this bucket replaces it. If IDs
      repeat, the last event wins. Other buckets never change. A dropped event is returned with \`id: null\`.`,
    needs: "append",
    bodyKind: "events",
    body: "EventsInput",
    sends: [
      { timestamp: "2024-03-01T10:00:00Z", duration: 7.5, data: { app: "editor", title: "notes.md" } },
      { timestamp: "2024-03-01T10:00:07.5Z", duration: 52.5, data: { app: "browser", title: "Weather" } },
    ],
    answer: "StoredEvents",
    example: [FIRST, SECOND] as JsonObject[],
    errors: ["VETOED"],
  },
  countEvents: {
    route: "GET /api/0/buckets/:bucketId/events/count",
    call: "events.count",
    summary: "Count events",
    needs: "read",
    parameters: ["start", "end", "filter"],
    answer: "EventCount",
    example: 2,
  },
  getEvent: {
    route: "GET /api/0/buckets/:bucketId/events/:eventId",
    call: "events.get",
    raw: true,
    summary: "Get an event",
    needs: "read",
    answer: "Event",
    says: "The complete event.",
    example: FIRST as JsonObject,
  },
  deleteEvent: {
    route: "DELETE /api/0/buckets/:bucketId/events/:eventId",
    summary: "Delete an event",
    description: "You can restore it from the trash, unless `permanent=true` is set.",
    needs: "write",
    parameters: ["permanent"],
    answer: "EventDeletion",
    example: { success: true },
    headers: { "X-Activity-Trash-Entry": "The trash entry that restores the event, if there is one." },
    errors: ["VETOED"],
  },
  heartbeat: {
    route: "POST /api/0/buckets/:bucketId/heartbeat",
    tag: "heartbeats",
    summary: "Extend the previous event, or start a new one",
    description: `Compares the heartbeat with the event of the bucket's previous heartbeat, or with the newest event if
      something else was written since then. If the data are equal and the heartbeat starts within that event or at
      most \`pulsetime\` after its end, the event is extended to the heartbeat's end. Otherwise, the heartbeat becomes
      a new event. A heartbeat never shortens an event and never creates a bucket. If a privacy rule drops it, the
      response is the heartbeat with \`id: null\`, and later heartbeats do not merge with events before it.`,
    watcher: true,
    needs: "append",
    parameters: ["pulsetime"],
    body: "Heartbeat",
    sends: { timestamp: "2024-03-01T10:01:20Z", duration: 0, data: { app: "browser", title: "Weather" } },
    answer: "AcceptedEvent",
    says: "The event that covers the heartbeat, or the dropped heartbeat.",
    example: { ...SECOND, duration: 72.5 } as JsonObject,
    errors: ["VETOED"],
  },
  getTimeline: {
    route: "GET /api/0/buckets/:bucketId/timeline",
    call: "events.timeline",
    raw: true,
    summary: "Read events or bins to draw",
    description: `For pages that draw time in columns. If at most \`bins\` events touch the range, \`events\` has them,
      oldest first, clipped to the range. Otherwise, the range is divided into at most that many bins of equal duration
      in whole microseconds. \`bins\` has the bins that an event touches, in order, and \`data\` the data to show. If
      events overlap, the newest one applies, by timestamp and then by ID. A bin shows the data that apply longest in
      it, or the earlier of two. An event without a positive duration touches the bin of its timestamp, covers no time,
      and is shown only if nothing else is. A missing \`start\` or \`end\` is the start or end of the bucket's events.
      The server refuses an \`end\` before the \`start\`.`,
    needs: "read",
    bulk: true,
    parameters: ["start", "end", "bins"],
    answer: "Timeline",
    example: {
      start: "2024-03-01T09:00:00+00:00",
      end: "2024-03-01T12:00:00+00:00",
      count: 2,
      events: [FIRST, SECOND],
    } as JsonObject,
    errors: ["QUERY_TOO_LARGE"],
  },
} as const;
