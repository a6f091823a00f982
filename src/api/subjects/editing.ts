import type { JsonObject } from "../../domain/json.js";
import { FIRST } from "../examples.js";

/** Schemas of deleting by range and filter, of splitting and of moving (docs/trash.md#by-range-and-filter). */
export const EDITING_SCHEMAS = {
  DeletionSelection: {
    description: "Which events to delete: by range and filter, or by ids.",
    anyOf: [{ $ref: "DeletionByFilter" }, { $ref: "DeletionByIds" }],
  },
  DeletionByIds: {
    description: "The events of the bucket with one of the ids.",
    required: ["ids"],
    additionalProperties: false,
    properties: {
      ids: { type: "array", items: { type: "integer" }, description: "IDs of events; others are ignored." },
      permanent: { type: "boolean", default: false, description: "Delete for good, past the trash." },
    },
  },
  DeletionByFilter: {
    description: "Those that overlap the range and meet the rest. One of both is required.",
    additionalProperties: false,
    required: [],
    properties: {
      start: { anyOf: [{ $ref: "TimestampInput" }, { type: "null" }] },
      end: { anyOf: [{ $ref: "TimestampInput" }, { type: "null" }] },
      filter: {
        type: ["array", "null"],
        items: { type: "string" },
        maxItems: 100,
        description: "Terms that the data meet, all of them, such as `app=firefox`, `title~thesis`, `category:Work`.",
      },
      key: { type: "string", description: "A key of the data, for `equals` or `matches`." },
      equals: { type: ["string", "number", "boolean"], description: "What the key holds." },
      matches: { type: "string", description: "A pattern that is found in what the key holds." },
      preview: { type: "boolean", default: false, description: "Count only." },
      permanent: { type: "boolean", default: false, description: "Delete for good, past the trash." },
    },
  },
  WideDeletionSelection: {
    extends: "DeletionByFilter",
    description: "The same of several buckets.",
    required: [],
    properties: {
      buckets: {
        type: ["array", "null"],
        items: { type: "string" },
        description: "Ids, in which `*` stands for any text; all buckets where it is left out.",
      },
      hosts: { type: ["array", "null"], items: { type: "string" }, description: "Hostnames of the buckets." },
    },
  },
  DeletedEvents: {
    description: "Events of a bucket that were deleted, or would be.",
    properties: {
      bucket_id: { type: "string" },
      count: { type: "integer", minimum: 0 },
      duration: { $ref: "Seconds", description: "Seconds of all of them together." },
      first: { $ref: "TimestampOrNull" },
      last: { $ref: "TimestampOrNull" },
    },
  },
  EventsDeletionOrCount: {
    description: "With `ids` how many events were deleted; otherwise what was deleted, or would be.",
    anyOf: [{ $ref: "EventsDeletion" }, { type: "integer", minimum: 0 }],
  },
  EventsDeletion: {
    description: "What was deleted, or would be.",
    properties: {
      count: { type: "integer", minimum: 0 },
      duration: { $ref: "Seconds", description: "Seconds of all of them together." },
      first: { $ref: "TimestampOrNull", description: "When the earliest begins; null for none." },
      last: { $ref: "TimestampOrNull", description: "When the latest ends; null for none." },
      entry: {
        type: ["string", "null"],
        description: "The entry of the trash that restores them; null for a preview, for none, and for good.",
      },
      buckets: { type: "array", items: { $ref: "DeletedEvents" } },
    },
  },
  EventSplit: {
    description: "Where to split an event.",
    additionalProperties: false,
    properties: { at: { $ref: "TimestampInput" } },
  },
  EventMove: {
    description: "Where to move an event.",
    additionalProperties: false,
    properties: { bucket: { type: "string", description: "The id of the bucket." } },
  },
} as const;

const DELETED: JsonObject = {
  count: 1,
  duration: 7.5,
  first: "2024-03-01T10:00:00+00:00",
  last: "2024-03-01T10:00:07.500000+00:00",
};
const FOUND: JsonObject = {
  count: 1,
  duration: 52.5,
  first: "2024-03-01T10:00:07.500000+00:00",
  last: "2024-03-01T10:01:00+00:00",
};

/** docs/trash.md#by-range-and-filter, docs/api.md#splitting-and-moving-events. */
export const EDITING_OPERATIONS = {
  deleteEvents: {
    route: "POST /api/0/buckets/:bucketId/events/delete",
    call: "events.deleteMatching",
    raw: true,
    summary: "Delete events by range and filter or by ids, or count them",
    description: `Those that overlap the range, by more than an end, and meet all of the rest. One step, and one entry
      of the trash. With \`ids\`, those of the bucket with one of the ids; the response is their count.`,
    needs: "write",
    bulk: true,
    body: "DeletionSelection",
    sends: { end: "2024-03-02T00:00:00Z", filter: ["app=editor"] },
    answer: "EventsDeletionOrCount",
    says: "What was deleted, or how many with `ids`.",
    example: { ...DELETED, entry: "5f0c81ab-42d7", buckets: [{ bucket_id: "window_desk", ...DELETED }] } as JsonObject,
    headers: { "X-Activity-Trash-Entry": "The trash entry that restores them, if there is one." },
    errors: ["VETOED", "CONFLICT", "QUERY_TOO_LARGE", "STORAGE_UNSUPPORTED"],
  },
  deleteEventsOfAll: {
    route: "POST /api/0/events/delete",
    call: "events.deleteMatchingIn",
    summary: "Delete events of several buckets, or count them",
    description: `The same across buckets, in one step with one entry of the trash. Where the caller may not change one
      of them, nothing is deleted.`,
    needs: "listed",
    bulk: true,
    body: "WideDeletionSelection",
    sends: { buckets: ["window_*"], hosts: ["desk"], filter: ["title~weather"], preview: true },
    answer: "EventsDeletion",
    says: "What would be deleted.",
    example: { ...FOUND, entry: null, buckets: [{ bucket_id: "window_desk", ...FOUND }] } as JsonObject,
    errors: ["VETOED", "CONFLICT", "QUERY_TOO_LARGE", "STORAGE_UNSUPPORTED"],
  },
  splitEvent: {
    route: "POST /api/0/buckets/:bucketId/events/:eventId/split",
    call: "events.split",
    takes: "at",
    summary: "Make two events of one",
    description: "Both have its data; the first keeps the id.",
    needs: "write",
    body: "EventSplit",
    sends: { at: "2024-03-01T10:00:05Z" },
    answer: "Events",
    says: "Both of them.",
    example: [
      { ...FIRST, duration: 5 },
      { ...FIRST, id: 3, timestamp: "2024-03-01T10:00:05+00:00", duration: 2.5 },
    ] as JsonObject[],
    errors: ["VETOED", "CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  moveEvent: {
    route: "POST /api/0/buckets/:bucketId/events/:eventId/move",
    call: "events.move",
    takes: "bucket",
    summary: "Move an event to another bucket",
    description: "In one step, with its data and times. A key needs `append:` for the other bucket as well.",
    needs: "write",
    body: "EventMove",
    sends: { bucket: "window_laptop" },
    answer: "Event",
    says: "The event, with the id that it has there.",
    example: { ...FIRST, id: 3 } as JsonObject,
    errors: ["VETOED", "CONFLICT", "STORAGE_UNSUPPORTED"],
  },
} as const;
