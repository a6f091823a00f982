import type { JsonObject } from "../../domain/json.js";

/** Schemas of the trash (docs/guides/trash.md). */
export const TRASH_SCHEMAS = {
  TrashedBucket: {
    description: "The data of a bucket in a trash entry.",
    required: ["bucket_id", "whole", "events", "start", "end", "bytes"],
    properties: {
      bucket_id: { type: "string" },
      whole: { type: "boolean", description: "Whether it is the complete bucket." },
      events: { type: "integer", minimum: 0 },
      start: { $ref: "TimestampOrNull", description: "The earliest start; null for no events." },
      end: { $ref: "TimestampOrNull", description: "The latest known end; null for no events." },
      duration: {
        $ref: "Seconds",
        description: "The sum of the durations in seconds. Missing if unknown, as for whole buckets.",
      },
      bytes: { type: "integer", minimum: 0, description: "The approximate size as JSON." },
    },
  },
  TrashEntry: {
    description: "The data of one deletion.",
    required: ["id", "kind", "deleted", "expires", "reason", "events", "start", "end", "bytes", "buckets"],
    properties: {
      id: { type: "string" },
      kind: { type: "string", enum: ["bucket", "events"], description: "Whole buckets, or events." },
      deleted: { $ref: "Timestamp" },
      expires: { $ref: "Timestamp" },
      reason: { type: "string", description: "The reason, for people." },
      cause: {
        type: "string",
        enum: ["bucket", "events", "filter"],
        description: "The reason as a code, if it has one: a bucket, events or a time range, or a filter.",
      },
      filter: { type: "string", description: "The conditions of the filter." },
      events: { type: "integer", minimum: 0 },
      start: { $ref: "TimestampOrNull", description: "The earliest start; null for no events." },
      end: { $ref: "TimestampOrNull", description: "The latest known end; null for no events." },
      duration: {
        $ref: "Seconds",
        description: "The sum of the durations in seconds. Missing if unknown, as for whole buckets.",
      },
      bytes: { type: "integer", minimum: 0, description: "The approximate size as JSON." },
      buckets: { type: "array", items: { $ref: "TrashedBucket" } },
    },
  },
  Trash: { type: "array", items: { $ref: "TrashEntry" }, description: "Trash entries, newest first." },
  TrashRestoring: {
    description: "The target of a restore. By default, the old place.",
    additionalProperties: false,
    required: [],
    properties: {
      bucket: {
        type: ["string", "null"],
        minLength: 1,
        description: "The ID of another bucket, for entries of one bucket.",
      },
      merge: {
        type: "boolean",
        default: false,
        description: "Put the events of a deleted bucket into the existing bucket with its ID.",
      },
    },
  },
  RestoredBucket: {
    description: "A bucket with restored data.",
    properties: {
      bucket_id: { type: "string" },
      events: { type: "integer", minimum: 0 },
      created: { type: "boolean", description: "Whether the bucket is new." },
    },
  },
  TrashRestored: {
    description: "The buckets with the restored data.",
    properties: { buckets: { type: "array", items: { $ref: "RestoredBucket" } } },
  },
  TrashEmptied: {
    description: "The numbers of deleted entries and events.",
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

/** docs/guides/trash.md. */
export const TRASH_OPERATIONS = {
  listTrash: {
    route: "GET /api/0/trash",
    call: "trash.list",
    summary: "List the trash",
    description: "A key sees only entries whose buckets it may all `write:`.",
    needs: "listed",
    answer: "Trash",
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
    summary: "Restore a trash entry",
    description:
      "Restores buckets, or events into their bucket, in one step. They get their old IDs if these are free.",
    needs: "listed",
    bulk: true,
    body: "TrashRestoring",
    sends: {},
    answer: "TrashRestored",
    example: { buckets: [{ bucket_id: "window_desk", events: 1, created: false }] },
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  deleteTrash: {
    route: "DELETE /api/0/trash/:entryId",
    call: "trash.delete",
    summary: "Delete a trash entry permanently",
    needs: "listed",
    says: "The entry is deleted permanently.",
  },
  emptyTrash: {
    route: "DELETE /api/0/trash",
    call: "trash.empty",
    summary: "Empty the trash permanently",
    description: "A key deletes only entries that it sees.",
    needs: "listed",
    answer: "TrashEmptied",
    example: { entries: 1, events: 1 },
  },
} as const;
