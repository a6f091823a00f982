import type { JsonObject } from "../../domain/json.js";

/** Schemas of retention (docs/guides/retention.md). */
export const RETENTION_SCHEMAS = {
  RetentionRule: {
    description: "A rule for old events, with at least one limit.",
    additionalProperties: false,
    required: ["buckets"],
    allOf: [
      { anyOf: [{ required: ["keepDays"] }, { required: ["dropShorterThan"] }, { required: ["summarizeAfterDays"] }] },
    ],
    properties: {
      buckets: { $ref: "BucketPattern" },
      keepDays: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: 200_000,
        description: "Deletes events that ended more than this many days ago.",
      },
      dropShorterThan: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: 86_400,
        description: "Deletes events shorter than this many seconds when they are a day old.",
      },
      summarizeAfterDays: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: 200_000,
        description: "Merges older events into one per hour and data.",
      },
      enabled: { type: "boolean", description: "`false`: the rule is kept, but not applied." },
    },
  },
  RetentionRules: {
    description: "Rules to try. Missing: the setting `retention_rules`.",
    required: [],
    properties: { rules: { type: "array", items: { allOf: [{ $ref: "RetentionRule" }] }, maxItems: 1000 } },
  },
  BucketRetention: {
    description: "The effect of rules on a bucket.",
    properties: {
      bucket_id: { type: "string" },
      expired: { type: "integer", description: "The number of events that are too old." },
      short: { type: "integer", description: "The number of events that are too short." },
      summarized: { type: "integer", description: "The number of events that summaries replace." },
      summaries: { type: "integer", description: "The number of these summaries." },
    },
  },
  RetentionPreview: {
    description: "The buckets that would change.",
    properties: { buckets: { type: "array", items: { $ref: "BucketRetention" } } },
  },
  RetentionRun: {
    description: "A retention run.",
    properties: { time: { $ref: "Timestamp" }, buckets: { type: "array", items: { $ref: "BucketRetention" } } },
  },
  RetentionLog: { type: "array", items: { $ref: "RetentionRun" }, description: "Runs with changes, newest first." },
} as const;

const RUN = {
  time: "2024-03-01T09:00:00+00:00",
  buckets: [{ bucket_id: "window_desk", expired: 2, short: 1, summarized: 0, summaries: 0 }],
};

/** docs/guides/retention.md. */
export const RETENTION_OPERATIONS = {
  listRetentionRuns: {
    route: "GET /api/0/retention",
    call: "retention.log",
    summary: "List retention runs",
    description: "Returns the last 100 runs with changes.",
    needs: "admin",
    answer: "RetentionLog",
    example: [RUN] as JsonObject[],
  },
  previewRetention: {
    route: "POST /api/0/retention/preview",
    call: "retention.preview",
    takes: "rules",
    returns: "buckets",
    summary: "Preview retention",
    description: "Reads all events that are old enough, and changes nothing.",
    needs: "admin",
    readsOnly: true,
    bulk: true,
    body: "RetentionRules",
    sends: { rules: [{ buckets: "window_*", keepDays: 730, dropShorterThan: 2 }] },
    answer: "RetentionPreview",
    example: { buckets: RUN.buckets } as JsonObject,
  },
  runRetention: {
    route: "POST /api/0/retention/run",
    call: "retention.run",
    summary: "Run retention",
    description: "Applies the setting `retention_rules`. A listening server does the same every hour, slowly.",
    needs: "admin",
    answer: "RetentionRun",
    example: RUN as JsonObject,
    errors: ["INVALID_INPUT", "STORAGE_UNSUPPORTED"],
  },
} as const;
