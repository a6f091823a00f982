import type { JsonObject } from "../../domain/json.js";
import { FIRST } from "../examples.js";

/** Schemas of privacy rules (docs/privacy.md). */
export const PRIVACY_SCHEMAS = {
  PrivacyRule: {
    description: "What keeps private things out of the storage: docs/privacy.md tells the exact rules.",
    required: ["when", "then"],
    properties: {
      when: {
        type: "object",
        description: "Which events it is about: `buckets`, `key`, `equals`, `matches`, `ignoreCase`.",
      },
      then: {
        description: '`"drop"`, `{"redact": {"keys": [...], "with": ...}}` or `{"replace": {...}}`.',
        anyOf: [{ type: "string", enum: ["drop"] }, { type: "object" }],
      },
      enabled: { type: "boolean", description: "`false`: the rule is kept, and does nothing." },
    },
  },
  PrivacyTrial: {
    description: "Rules to try, and what to try them on.",
    required: [],
    properties: {
      rules: {
        type: "array",
        items: { allOf: [{ $ref: "PrivacyRule" }] },
        description: "Those of the settings where there are none.",
      },
      buckets: { type: "string", default: "*", description: "Ids of buckets; `*` stands for any text." },
      events: {
        anyOf: [
          { type: "integer", minimum: 0 },
          { type: "string", enum: ["all"] },
        ],
        default: 1000,
        description: "How many of the newest events of each bucket, or `all`.",
      },
      examples: { type: "integer", minimum: 0, maximum: 100, default: 5, description: "For each rule." },
    },
  },
  PrivacyApplication: {
    description: "Rules to apply, and what to apply them to.",
    additionalProperties: false,
    required: [],
    properties: {
      rules: {
        type: "array",
        items: { allOf: [{ $ref: "PrivacyRule" }] },
        description: "Those of the settings where there are none.",
      },
      buckets: { type: "string", description: "Ids of buckets; `*` stands for any text. Left out: all buckets." },
      bucket: { type: "string", description: "The id of one bucket as it is, in place of `buckets`." },
      preview: { type: "boolean", default: false, description: "Whether to count only, and to change nothing." },
    },
  },
  AppliedBucketPrivacy: {
    extends: "BucketPrivacy",
    description: "What rules did to the events of a bucket, or would do.",
    properties: {
      undo: { type: ["string", "null"], description: "Undoes it; null for a preview, and without a trash." },
    },
  },
  AppliedPrivacy: {
    description: "What rules did, or would do.",
    properties: {
      buckets: {
        type: "array",
        items: { $ref: "AppliedBucketPrivacy" },
        description: "Those in which something was changed.",
      },
    },
  },
  PrivacyExample: {
    description: "An event, and what all rules together would leave of it.",
    properties: {
      bucket_id: { type: "string" },
      before: { $ref: "Event" },
      after: { anyOf: [{ $ref: "Event" }, { type: "null" }], description: "null: it would be dropped." },
    },
  },
  RulePreview: {
    description: "What one rule would do.",
    properties: {
      rule: { type: "string", description: "Where it stands, such as `rules[0]` or `privacy_rules[0]`." },
      dropped: { type: "integer", minimum: 0 },
      changed: { type: "integer", minimum: 0 },
      examples: { type: "array", items: { $ref: "PrivacyExample" } },
    },
  },
  BucketPrivacy: {
    description: "What rules would do to the events of a bucket.",
    properties: {
      bucket_id: { type: "string" },
      events: { type: "integer", minimum: 0, description: "That they were tried on." },
      dropped: { type: "integer", minimum: 0 },
      changed: { type: "integer", minimum: 0 },
    },
  },
  PrivacyPreview: {
    description: "What rules would do.",
    properties: {
      events: { type: "integer", minimum: 0, description: "That they were tried on." },
      dropped: { type: "integer", minimum: 0 },
      changed: { type: "integer", minimum: 0 },
      rules: { type: "array", items: { $ref: "RulePreview" } },
      buckets: { type: "array", items: { $ref: "BucketPrivacy" } },
    },
  },
} as const;

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
