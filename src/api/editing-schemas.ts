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
