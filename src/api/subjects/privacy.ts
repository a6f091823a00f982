/** docs/privacy.md. */
export const PRIVACY_OPERATIONS = {
  applyPrivacy: {
    method: "POST",
    path: "/api/0/privacy/apply",
    tag: "privacy",
    summary: "Apply privacy rules to what is stored",
    description: "Each bucket in one step. What the rules change or drop goes into the trash.",
    needs: "admin",
    bulk: true,
    parameters: [],
    bodyKind: "single",
    body: {
      "application/json": {
        schema: "PrivacyApplication",
        example: { rules: [{ when: { key: "app", equals: "editor" }, then: "drop" }], preview: true },
      },
    },
    answers: {
      200: {
        description: "The buckets in which something was changed, or would be.",
        content: {
          schema: "AppliedPrivacy",
          example: { buckets: [{ bucket_id: "window_desk", events: 2, dropped: 1, changed: 0, undo: null }] },
        },
      },
    },
    errors: ["INVALID_INPUT", "CONFLICT", "TOO_LARGE", "UNSUPPORTED_TYPE", "STORAGE_UNSUPPORTED"],
  },
  previewPrivacy: {
    method: "POST",
    path: "/api/0/privacy/preview",
    tag: "privacy",
    summary: "Try privacy rules on what is stored",
    description: "Changes nothing.",
    needs: "admin",
    readsOnly: true,
    bulk: true,
    parameters: [],
    bodyKind: "single",
    body: {
      "application/json": {
        schema: "PrivacyTrial",
        example: { rules: [{ when: { key: "app", equals: "editor" }, then: { redact: { keys: ["title"] } } }] },
      },
    },
    answers: {
      200: {
        description: "Counts, and examples for each rule.",
        content: {
          schema: "PrivacyPreview",
          example: {
            events: 2,
            dropped: 0,
            changed: 1,
            rules: [
              {
                rule: "rules[0]",
                dropped: 0,
                changed: 1,
                examples: [
                  {
                    bucket_id: "window_desk",
                    before: {
                      id: 1,
                      timestamp: "2024-03-01T10:00:00+00:00",
                      duration: 7.5,
                      data: { app: "editor", title: "notes.md" },
                    },
                    after: {
                      id: 1,
                      timestamp: "2024-03-01T10:00:00+00:00",
                      duration: 7.5,
                      data: { app: "editor", title: "[redacted]" },
                    },
                  },
                ],
              },
            ],
            buckets: [{ bucket_id: "window_desk", events: 2, dropped: 0, changed: 1 }],
          },
        },
      },
    },
    errors: ["INVALID_INPUT", "QUERY_TOO_LARGE", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
} as const;
