/** docs/retention.md. */
export const RETENTION_OPERATIONS = {
  listRetentionRuns: {
    method: "GET",
    path: "/api/0/retention",
    tag: "retention",
    summary: "List what retention did",
    description: "The last 100 runs that changed something.",
    needs: "admin",
    parameters: [],
    answers: {
      200: {
        description: "The latest first.",
        content: {
          schema: "RetentionLog",
          example: [
            {
              time: "2024-03-01T09:00:00+00:00",
              buckets: [{ bucket_id: "window_desk", expired: 2, short: 1, summarized: 0, summaries: 0 }],
            },
          ],
        },
      },
    },
    errors: [],
  },
  previewRetention: {
    method: "POST",
    path: "/api/0/retention/preview",
    tag: "retention",
    summary: "Count what retention would do",
    description: "Reads every event that is old enough, and changes nothing.",
    needs: "admin",
    readsOnly: true,
    bulk: true,
    parameters: [],
    bodyKind: "single",
    body: {
      "application/json": {
        schema: "RetentionRules",
        example: { rules: [{ buckets: "window_*", keepDays: 730, dropShorterThan: 2 }] },
      },
    },
    answers: {
      200: {
        description: "The buckets that something would happen to.",
        content: {
          schema: "RetentionPreview",
          example: {
            buckets: [{ bucket_id: "window_desk", expired: 2, short: 1, summarized: 0, summaries: 0 }],
          },
        },
      },
    },
    errors: ["INVALID_INPUT", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
  runRetention: {
    method: "POST",
    path: "/api/0/retention/run",
    tag: "retention",
    summary: "Carry the retention rules out now",
    description: "Those of the setting `retention_rules`. A listening server does the same every hour, slowly.",
    needs: "admin",
    parameters: [],
    answers: {
      200: {
        description: "What was done.",
        content: {
          schema: "RetentionRun",
          example: {
            time: "2024-03-01T09:00:00+00:00",
            buckets: [{ bucket_id: "window_desk", expired: 2, short: 1, summarized: 0, summaries: 0 }],
          },
        },
      },
    },
    errors: ["INVALID_INPUT"],
  },
} as const;
