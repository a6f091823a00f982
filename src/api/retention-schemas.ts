/** Schemas of retention (docs/retention.md). */
export const RETENTION_SCHEMAS = {
  RetentionRule: {
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
    description: "Rules to try; those of the setting `retention_rules` where there are none.",
    required: [],
    properties: { rules: { type: "array", items: { allOf: [{ $ref: "RetentionRule" }] } } },
  },
  BucketRetention: {
    description: "What rules do to a bucket.",
    properties: {
      bucket_id: { type: "string" },
      expired: { type: "integer", description: "Events that are too old." },
      short: { type: "integer", description: "Events that are too short." },
      summarized: { type: "integer", description: "Events that summaries replace." },
      summaries: { type: "integer", description: "Those summaries." },
    },
  },
  RetentionPreview: {
    description: "What rules would do now.",
    properties: { buckets: { type: "array", items: { $ref: "BucketRetention" } } },
  },
  RetentionRun: {
    description: "What a run did.",
    properties: {
      time: { $ref: "Timestamp" },
      buckets: { type: "array", items: { $ref: "BucketRetention" } },
    },
  },
  RetentionLog: { type: "array", items: { $ref: "RetentionRun" }, description: "The latest first." },
} as const;
