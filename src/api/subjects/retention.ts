import type { JsonObject } from "../../domain/json.js";

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

const RUN = {
  time: "2024-03-01T09:00:00+00:00",
  buckets: [{ bucket_id: "window_desk", expired: 2, short: 1, summarized: 0, summaries: 0 }],
};

/** docs/retention.md. */
export const RETENTION_OPERATIONS = {
  listRetentionRuns: {
    route: "GET /api/0/retention",
    call: "retention.log",
    summary: "List what retention did",
    description: "The last 100 runs that changed something.",
    needs: "admin",
    answer: "RetentionLog",
    says: "The latest first.",
    example: [RUN] as JsonObject[],
  },
  previewRetention: {
    route: "POST /api/0/retention/preview",
    call: "retention.preview",
    takes: "rules",
    returns: "buckets",
    summary: "Count what retention would do",
    description: "Reads every event that is old enough, and changes nothing.",
    needs: "admin",
    readsOnly: true,
    bulk: true,
    body: "RetentionRules",
    sends: { rules: [{ buckets: "window_*", keepDays: 730, dropShorterThan: 2 }] },
    answer: "RetentionPreview",
    says: "The buckets that something would happen to.",
    example: { buckets: RUN.buckets } as JsonObject,
  },
  runRetention: {
    route: "POST /api/0/retention/run",
    call: "retention.run",
    summary: "Carry the retention rules out now",
    description: "Those of the setting `retention_rules`. A listening server does the same every hour, slowly.",
    needs: "admin",
    answer: "RetentionRun",
    says: "What was done.",
    example: RUN as JsonObject,
    errors: ["INVALID_INPUT", "STORAGE_UNSUPPORTED"],
  },
} as const;
