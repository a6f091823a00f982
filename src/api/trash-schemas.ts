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
