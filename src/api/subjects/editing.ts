import type { JsonObject } from "../../domain/json.js";
import { FIRST, FIRST_SPAN, SECOND_SPAN } from "../examples.js";

/** Schemas for deleting by filter, splitting and moving (docs/reference/trash.md#by-range-and-filter). */
export const EDITING_SCHEMAS = {
  DeletionSelection: {
    description: "The events to delete: by range and filter, or by IDs.",
    anyOf: [{ $ref: "DeletionByFilter" }, { $ref: "DeletionByIds" }],
  },
  DeletionByIds: {
    description: "The bucket's events with one of the IDs.",
    required: ["ids"],
    additionalProperties: false,
    properties: {
      ids: { type: "array", items: { type: "integer" }, description: "IDs of events. Unknown IDs are ignored." },
      permanent: { type: "boolean", default: false, description: "Delete permanently, skipping the trash." },
    },
  },
  DeletionByFilter: {
    description: `Events that overlap the range and match the filter. At least one of \`start\`, \`end\`, \`filter\`
      and \`key\` is required. \`key\` needs either \`equals\` or \`matches\`.`,
    additionalProperties: false,
    required: [],
    allOf: [
      {
        anyOf: [
          { required: ["start"], properties: { start: { type: "string" } } },
          { required: ["end"], properties: { end: { type: "string" } } },
          { required: ["filter"], properties: { filter: { type: "array", minItems: 1 } } },
          { required: ["key"] },
        ],
      },
      {
        oneOf: [
          { not: { anyOf: [{ required: ["key"] }, { required: ["equals"] }, { required: ["matches"] }] } },
          { required: ["key", "equals"] },
          { required: ["key", "matches"] },
        ],
      },
    ],
    properties: {
      start: { anyOf: [{ $ref: "TimestampInput" }, { type: "null" }] },
      end: { anyOf: [{ $ref: "TimestampInput" }, { type: "null" }] },
      filter: {
        type: ["array", "null"],
        items: { type: "string", pattern: "\\S" },
        maxItems: 100,
        description: "Conditions that the data must match, such as `app=firefox`, `title~thesis`, `category:Work`.",
      },
      key: { type: "string", description: "A key of the data, for `equals` or `matches`." },
      equals: { type: ["string", "number", "boolean"], description: "The value of the key." },
      matches: { type: "string", description: "A pattern that matches a part of the key's value." },
      preview: { type: "boolean", default: false, description: "Only count." },
      permanent: { type: "boolean", default: false, description: "Delete permanently, skipping the trash." },
    },
  },
  WideDeletionSelection: {
    extends: "DeletionByFilter",
    description: "Events of several buckets that overlap the range and match the filter.",
    required: [],
    properties: {
      buckets: {
        type: ["array", "null"],
        items: { type: "string" },
        description: "IDs, in which `*` matches any characters. Missing: all buckets.",
      },
      hosts: { type: ["array", "null"], items: { type: "string" }, description: "Hostnames of the buckets." },
    },
  },
  DeletedEvents: {
    description: "Deleted events of a bucket, or events that would be deleted.",
    properties: {
      bucket_id: { type: "string" },
      count: { type: "integer", minimum: 0 },
      duration: { $ref: "Seconds", description: "The sum of their durations in seconds." },
      first: { $ref: "TimestampOrNull" },
      last: { $ref: "TimestampOrNull" },
    },
  },
  EventsDeletionOrCount: {
    description: "With `ids`, the number of deleted events; otherwise the deletion or its preview.",
    anyOf: [{ $ref: "EventsDeletion" }, { type: "integer", minimum: 0 }],
  },
  EventsDeletion: {
    description: "A deletion or its preview.",
    properties: {
      count: { type: "integer", minimum: 0 },
      duration: { $ref: "Seconds", description: "The sum of their durations in seconds." },
      first: { $ref: "TimestampOrNull", description: "The earliest start; null for no events." },
      last: { $ref: "TimestampOrNull", description: "The latest end; null for no events." },
      entry: {
        type: ["string", "null"],
        description:
          "The trash entry that restores them; null for a preview, for no events, and for a permanent deletion.",
      },
      buckets: { type: "array", items: { $ref: "DeletedEvents" } },
    },
  },
  EventSplit: {
    description: "The time to split an event at.",
    additionalProperties: false,
    properties: { at: { $ref: "TimestampInput" } },
  },
  EventMove: {
    description: "The bucket to move an event to.",
    additionalProperties: false,
    properties: { bucket: { type: "string", description: "The bucket's ID." } },
  },
} as const;

const DELETED: JsonObject = { count: 1, duration: 7.5, ...FIRST_SPAN };
const FOUND: JsonObject = { count: 1, duration: 52.5, ...SECOND_SPAN };

/** docs/reference/trash.md#by-range-and-filter, docs/reference/api.md#splitting-and-moving-events. */
export const EDITING_OPERATIONS = {
  deleteEvents: {
    route: "POST /api/0/buckets/:bucketId/events/delete",
    call: "events.deleteMatching",
    summary: "Delete events of a bucket, or count them",
    description: `Deletes the events that overlap the range by more than an end and match all conditions, in one step
      with one trash entry. With \`ids\`, deletes the bucket's events with these IDs and returns their number.`,
    needs: "write",
    bulk: true,
    body: "DeletionSelection",
    sends: { end: "2024-03-02T00:00:00Z", filter: ["app=editor"] },
    answer: "EventsDeletionOrCount",
    example: { ...DELETED, entry: "5f0c81ab-42d7", buckets: [{ bucket_id: "window_desk", ...DELETED }] } as JsonObject,
    headers: { "X-Activity-Trash-Entry": "The trash entry that restores them, if there is one." },
    errors: ["VETOED", "CONFLICT", "QUERY_TOO_LARGE", "STORAGE_UNSUPPORTED"],
  },
  deleteEventsOfAll: {
    route: "POST /api/0/events/delete",
    call: "events.deleteMatchingIn",
    summary: "Delete events of several buckets, or count them",
    description: `Deletes from all buckets in one step, with one trash entry. If the caller may not change one of the
        buckets, nothing is deleted.`,
    needs: "listed",
    bulk: true,
    body: "WideDeletionSelection",
    sends: { buckets: ["window_*"], hosts: ["desk"], filter: ["title~weather"], preview: true },
    answer: "EventsDeletion",
    example: { ...FOUND, entry: null, buckets: [{ bucket_id: "window_desk", ...FOUND }] } as JsonObject,
    errors: ["VETOED", "CONFLICT", "QUERY_TOO_LARGE", "STORAGE_UNSUPPORTED"],
  },
  splitEvent: {
    route: "POST /api/0/buckets/:bucketId/events/:eventId/split",
    call: "events.split",
    takes: "at",
    summary: "Split an event into two",
    description: "Both events have its data. The first one keeps the ID.",
    needs: "write",
    body: "EventSplit",
    sends: { at: "2024-03-01T10:00:05Z" },
    answer: "Events",
    says: "The two events.",
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
    description: "Moves its data and times in one step. A key also needs `append:` for the other bucket.",
    needs: "write",
    body: "EventMove",
    sends: { bucket: "window_laptop" },
    answer: "Event",
    says: "The event with its ID in the other bucket.",
    example: { ...FIRST, id: 3 } as JsonObject,
    errors: ["VETOED", "CONFLICT", "STORAGE_UNSUPPORTED"],
  },
} as const;
