import type { JsonObject } from "../../domain/json.js";

/** Schemas of the trash (docs/trash.md). */
export const TRASH_SCHEMAS = {
  TrashedBucket: {
    description: "What an entry of the trash holds of a bucket.",
    required: ["bucket_id", "whole", "events", "start", "end", "bytes"],
    properties: {
      bucket_id: { type: "string" },
      whole: { type: "boolean", description: "Whether it is the whole bucket." },
      events: { type: "integer", minimum: 0 },
      start: { $ref: "TimestampOrNull", description: "When the earliest event begins; null for no events." },
      end: {
        $ref: "TimestampOrNull",
        description: "When the latest event ends, as far as it was looked at; null for no events.",
      },
      duration: {
        $ref: "Seconds",
        description: "Seconds of all events together; absent where they were not summed up, as for whole buckets.",
      },
      bytes: { type: "integer", minimum: 0, description: "About so many bytes as JSON." },
    },
  },
  TrashEntry: {
    description: "What one deletion put into the trash.",
    required: ["id", "kind", "deleted", "expires", "reason", "events", "start", "end", "bytes", "buckets"],
    properties: {
      id: { type: "string" },
      kind: { type: "string", enum: ["bucket", "events"], description: "Whole buckets, or events." },
      deleted: { $ref: "Timestamp" },
      expires: { $ref: "Timestamp" },
      reason: { type: "string", description: "For people: what it was deleted for." },
      cause: {
        type: "string",
        enum: ["bucket", "events", "filter"],
        description: "The same as a code, if it has one: a bucket, events or a time range, or what meets a filter.",
      },
      filter: { type: "string", description: "The terms of the filter, for that cause." },
      events: { type: "integer", minimum: 0 },
      start: { $ref: "TimestampOrNull", description: "When the earliest event begins; null for no events." },
      end: {
        $ref: "TimestampOrNull",
        description: "When the latest event ends, as far as it was looked at; null for no events.",
      },
      duration: {
        $ref: "Seconds",
        description: "Seconds of all events together; absent where they were not summed up, as for whole buckets.",
      },
      bytes: { type: "integer", minimum: 0, description: "About so many bytes as JSON." },
      buckets: { type: "array", items: { $ref: "TrashedBucket" } },
    },
  },
  Trash: { type: "array", items: { $ref: "TrashEntry" }, description: "The latest first." },
  TrashRestoring: {
    description: "Where an entry goes; back where it was, unless something else is said.",
    additionalProperties: false,
    required: [],
    properties: {
      bucket: {
        type: ["string", "null"],
        minLength: 1,
        description: "The id of another bucket; for entries of one bucket.",
      },
      merge: {
        type: "boolean",
        default: false,
        description: "Put the events of a deleted bucket into the bucket that has its id again.",
      },
    },
  },
  RestoredBucket: {
    description: "A bucket that something went back to.",
    properties: {
      bucket_id: { type: "string" },
      events: { type: "integer", minimum: 0 },
      created: { type: "boolean", description: "Whether there was no such bucket before." },
    },
  },
  TrashRestored: {
    description: "What went back.",
    properties: { buckets: { type: "array", items: { $ref: "RestoredBucket" } } },
  },
  TrashEmptied: {
    description: "What is gone for good.",
    properties: { entries: { type: "integer", minimum: 0 }, events: { type: "integer", minimum: 0 } },
  },
} as const;

const CONTENT: JsonObject = {
  events: 1,
  start: "2024-03-01T10:00:00+00:00",
  end: "2024-03-01T10:00:07.500000+00:00",
  duration: 7.5,
  bytes: 115,
};

/** docs/trash.md. */
export const TRASH_OPERATIONS = {
  listTrash: {
    route: "GET /api/0/trash",
    call: "trash.list",
    summary: "List what was deleted and can be restored",
    description: "Of a key those entries whose buckets it may all `write:`.",
    needs: "listed",
    answer: "Trash",
    says: "The latest first.",
    example: [
      {
        id: "5f0c81ab-42d7",
        kind: "events",
        deleted: "2024-03-01T09:00:00+00:00",
        expires: "2024-03-31T09:00:00+00:00",
        reason: "an event was deleted",
        cause: "events",
        ...CONTENT,
        buckets: [{ bucket_id: "window_desk", whole: false, ...CONTENT }],
      },
    ] as JsonObject[],
  },
  restoreTrash: {
    route: "POST /api/0/trash/:entryId/restore",
    call: "trash.restore",
    returns: "buckets",
    summary: "Restore what was deleted",
    description: `In one step: whole buckets, or events into their bucket, under the ids that they had where those are
      free.`,
    needs: "listed",
    bulk: true,
    body: "TrashRestoring",
    sends: {},
    answer: "TrashRestored",
    says: "Where it is now.",
    example: { buckets: [{ bucket_id: "window_desk", events: 1, created: false }] },
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  deleteTrash: {
    route: "DELETE /api/0/trash/:entryId",
    call: "trash.delete",
    summary: "Delete an entry of the trash for good",
    needs: "listed",
    says: "It is gone.",
  },
  emptyTrash: {
    route: "DELETE /api/0/trash",
    call: "trash.empty",
    summary: "Delete everything in the trash for good",
    description: "Of a key those entries that it is shown.",
    needs: "listed",
    answer: "TrashEmptied",
    says: "What is gone.",
    example: { entries: 1, events: 1 },
  },
} as const;
