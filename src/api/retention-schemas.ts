/** Schemas of retention (docs/retention.md). */
export const RETENTION_SCHEMAS = {
  RetentionRule: {
    type: "object",
    description: "What is kept of old events; at least one limit is given.",
    required: ["buckets"],
    properties: {
      buckets: { type: "string", description: "Ids of buckets; `*` stands for any text." },
      keepDays: { type: "number", description: "Events that ended more days ago are deleted." },
      dropShorterThan: { type: "number", description: "Seconds; shorter events are deleted when they are a day old." },
      summarizeAfterDays: { type: "number", description: "Older events become one for each hour and data." },
      enabled: { type: "boolean", description: "`false`: the rule is kept, and does nothing." },
    },
  },
  RetentionRules: {
    type: "object",
    description: "Rules to try; those of the setting `retention_rules` where there are none.",
    properties: { rules: { type: "array", items: { allOf: [{ $ref: "#/components/schemas/RetentionRule" }] } } },
  },
  BucketRetention: {
    type: "object",
    description: "What rules do to a bucket.",
    required: ["bucket_id", "expired", "short", "summarized", "summaries"],
    properties: {
      bucket_id: { type: "string" },
      expired: { type: "integer", description: "Events that are too old." },
      short: { type: "integer", description: "Events that are too short." },
      summarized: { type: "integer", description: "Events that summaries replace." },
      summaries: { type: "integer", description: "Those summaries." },
    },
  },
  RetentionPreview: {
    type: "object",
    description: "What rules would do now.",
    required: ["buckets"],
    properties: { buckets: { type: "array", items: { $ref: "#/components/schemas/BucketRetention" } } },
  },
  RetentionRun: {
    type: "object",
    description: "What a run did.",
    required: ["time", "buckets"],
    properties: {
      time: { $ref: "#/components/schemas/Timestamp" },
      buckets: { type: "array", items: { $ref: "#/components/schemas/BucketRetention" } },
    },
  },
  RetentionLog: {
    type: "array",
    items: { $ref: "#/components/schemas/RetentionRun" },
    description: "The latest first.",
  },
} as const;
