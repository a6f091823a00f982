import type { JsonObject } from "../../domain/json.js";
import { FIRST } from "../examples.js";

/** docs/privacy.md. */
export const PRIVACY_OPERATIONS = {
  applyPrivacy: {
    route: "POST /api/0/privacy/apply",
    call: "privacy.apply",
    summary: "Apply privacy rules to what is stored",
    description: "Each bucket in one step. What the rules change or drop goes into the trash.",
    needs: "admin",
    bulk: true,
    body: "PrivacyApplication",
    sends: { rules: [{ when: { key: "app", equals: "editor" }, then: "drop" }], preview: true },
    answer: "AppliedPrivacy",
    says: "The buckets in which something was changed, or would be.",
    example: { buckets: [{ bucket_id: "window_desk", events: 2, dropped: 1, changed: 0, undo: null }] },
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  previewPrivacy: {
    route: "POST /api/0/privacy/preview",
    call: "privacy.preview",
    summary: "Try privacy rules on what is stored",
    description: "Changes nothing.",
    needs: "admin",
    readsOnly: true,
    bulk: true,
    body: "PrivacyTrial",
    sends: { rules: [{ when: { key: "app", equals: "editor" }, then: { redact: { keys: ["title"] } } }] },
    answer: "PrivacyPreview",
    says: "Counts, and examples for each rule.",
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
              before: FIRST,
              after: { ...FIRST, data: { app: "editor", title: "[redacted]" } },
            },
          ],
        },
      ],
      buckets: [{ bucket_id: "window_desk", events: 2, dropped: 0, changed: 1 }],
    } as JsonObject,
    errors: ["QUERY_TOO_LARGE"],
  },
} as const;
