/** Schemas of deleting by range and filter, of splitting and of moving (docs/trash.md#by-range-and-filter). */
export const EDITING_SCHEMAS = {
  DeletionSelection: {
    description: "Which events to delete: by range and filter, or by ids.",
    anyOf: [{ $ref: "#/components/schemas/DeletionByFilter" }, { $ref: "#/components/schemas/DeletionByIds" }],
  },
  DeletionByIds: {
    type: "object",
    description: "The events of the bucket with one of the ids.",
    required: ["ids"],
    additionalProperties: false,
    properties: {
      ids: { type: "array", items: { type: "integer" }, description: "IDs of events; others are ignored." },
      permanent: { type: "boolean", default: false, description: "Delete for good, past the trash." },
    },
  },
  DeletionByFilter: {
    type: "object",
    description: "Those that overlap the range and meet the rest. One of both is required.",
    additionalProperties: false,
    properties: {
      start: { anyOf: [{ $ref: "#/components/schemas/TimestampInput" }, { type: "null" }] },
      end: { anyOf: [{ $ref: "#/components/schemas/TimestampInput" }, { type: "null" }] },
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
    type: "object",
    description: "The same of several buckets.",
    additionalProperties: false,
    properties: {
      buckets: {
        type: ["array", "null"],
        items: { type: "string" },
        description: "Ids, in which `*` stands for any text; all buckets where it is left out.",
      },
      hosts: { type: ["array", "null"], items: { type: "string" }, description: "Hostnames of the buckets." },
      start: { anyOf: [{ $ref: "#/components/schemas/TimestampInput" }, { type: "null" }] },
      end: { anyOf: [{ $ref: "#/components/schemas/TimestampInput" }, { type: "null" }] },
      filter: { type: ["array", "null"], items: { type: "string" }, maxItems: 100 },
      key: { type: "string" },
      equals: { type: ["string", "number", "boolean"] },
      matches: { type: "string" },
      preview: { type: "boolean", default: false },
      permanent: { type: "boolean", default: false },
    },
  },
  DeletedEvents: {
    type: "object",
    description: "Events of a bucket that were deleted, or would be.",
    required: ["bucket_id", "count", "duration", "first", "last"],
    properties: {
      bucket_id: { type: "string" },
      count: { type: "integer", minimum: 0 },
      duration: {
        $ref: "#/components/schemas/Seconds",
        description: "Seconds of all of them together.",
      },
      first: { anyOf: [{ $ref: "#/components/schemas/Timestamp" }, { type: "null" }] },
      last: { anyOf: [{ $ref: "#/components/schemas/Timestamp" }, { type: "null" }] },
    },
  },
  EventsDeletionOrCount: {
    description: "With `ids` how many events were deleted; otherwise what was deleted, or would be.",
    anyOf: [{ $ref: "#/components/schemas/EventsDeletion" }, { type: "integer", minimum: 0 }],
  },
  EventsDeletion: {
    type: "object",
    description: "What was deleted, or would be.",
    required: ["count", "duration", "first", "last", "entry", "buckets"],
    properties: {
      count: { type: "integer", minimum: 0 },
      duration: {
        $ref: "#/components/schemas/Seconds",
        description: "Seconds of all of them together.",
      },
      first: {
        anyOf: [{ $ref: "#/components/schemas/Timestamp" }, { type: "null" }],
        description: "When the earliest begins; null for none.",
      },
      last: {
        anyOf: [{ $ref: "#/components/schemas/Timestamp" }, { type: "null" }],
        description: "When the latest ends; null for none.",
      },
      entry: {
        type: ["string", "null"],
        description: "The entry of the trash that restores them; null for a preview, for none, and for good.",
      },
      buckets: { type: "array", items: { $ref: "#/components/schemas/DeletedEvents" } },
    },
  },
  EventSplit: {
    type: "object",
    description: "Where to split an event.",
    required: ["at"],
    additionalProperties: false,
    properties: { at: { $ref: "#/components/schemas/TimestampInput" } },
  },
  EventMove: {
    type: "object",
    description: "Where to move an event.",
    required: ["bucket"],
    additionalProperties: false,
    properties: { bucket: { type: "string", description: "The id of the bucket." } },
  },
} as const;
