import type { JsonObject } from "../../domain/json.js";

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
    errors: ["INVALID_INPUT"],
  },
} as const;
