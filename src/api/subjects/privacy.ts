import type { JsonObject } from "../../domain/json.js";
import { FIRST } from "../examples.js";

/** Schemas of privacy rules (docs/guides/privacy.md). */
export const PRIVACY_SCHEMAS = {
  PrivacyRule: {
    description: "A rule that keeps private data out of the storage: docs/guides/privacy.md.",
    additionalProperties: false,
    required: ["when", "then"],
    properties: {
      when: { $ref: "PrivacyCondition" },
      then: { $ref: "PrivacyAction" },
      enabled: { type: "boolean", description: "`false`: the rule is kept, but not applied." },
    },
  },
  PrivacyRules: {
    type: "array",
    items: { allOf: [{ $ref: "PrivacyRule" }] },
    maxItems: 1000,
    description: "A list of rules.",
  },
  PrivacyCondition: {
    description: "The events of a rule: all events of buckets, or events by a value in their data.",
    oneOf: [{ $ref: "PrivacyBuckets" }, { $ref: "PrivacyValue" }, { $ref: "PrivacyPattern" }],
  },
  BucketPattern: {
    type: "string",
    minLength: 1,
    maxLength: 300,
    description: "Bucket IDs, in which `*` matches any characters.",
  },
  PrivacyBuckets: {
    description: "All events of buckets.",
    additionalProperties: false,
    properties: { buckets: { $ref: "BucketPattern" } },
  },
  PrivacyValue: {
    description: "Events with this value in their data.",
    additionalProperties: false,
    required: ["key", "equals"],
    properties: {
      buckets: { $ref: "BucketPattern" },
      key: { type: "string", description: "A key of the data." },
      equals: { description: "The value of the key: any JSON." },
      ignoreCase: { type: "boolean", description: "Whether `matches` ignores case." },
    },
  },
  PrivacyPattern: {
    description: "Events with a string that the pattern matches.",
    additionalProperties: false,
    required: ["key", "matches"],
    properties: {
      buckets: { $ref: "BucketPattern" },
      key: { type: "string", description: "A key of the data." },
      matches: { type: "string", minLength: 1, description: "A pattern that matches a part of the key's value." },
      ignoreCase: { type: "boolean", description: "Whether `matches` ignores case." },
    },
  },
  PrivacyAction: {
    description: "Drops the event, replaces values, or replaces all data.",
    oneOf: [{ type: "string", enum: ["drop"] }, { $ref: "PrivacyRedaction" }, { $ref: "PrivacyReplacement" }],
  },
  PrivacyRedaction: {
    description: "Replaces the values of some keys.",
    additionalProperties: false,
    properties: { redact: { $ref: "RedactedKeys" } },
  },
  RedactedKeys: {
    description: "The keys, and the value that replaces theirs.",
    additionalProperties: false,
    required: ["keys"],
    properties: {
      keys: { type: "array", items: { type: "string" }, minItems: 1, description: "Keys of the data." },
      with: { description: "The new value: any JSON. Missing: `[redacted]`." },
    },
  },
  PrivacyReplacement: {
    description: "Replaces all data.",
    additionalProperties: false,
    properties: { replace: { type: "object", description: "The new data." } },
  },
  PrivacyTrial: {
    description: "Rules to try, and the events to try them on.",
    required: [],
    properties: {
      rules: { $ref: "PrivacyRules", description: "Missing: the stored rules." },
      buckets: { type: "string", default: "*", description: "Bucket IDs, in which `*` matches any characters." },
      events: {
        anyOf: [
          { type: "integer", minimum: 0 },
          { type: "string", enum: ["all"] },
        ],
        default: 1000,
        description: "The number of newest events in each bucket, or `all`.",
      },
      examples: { type: "integer", minimum: 0, maximum: 100, default: 5, description: "For each rule." },
    },
  },
  PrivacyApplication: {
    description: "Rules to apply, and the buckets to apply them to.",
    additionalProperties: false,
    required: [],
    allOf: [{ not: { required: ["bucket", "buckets"] } }],
    properties: {
      rules: { $ref: "PrivacyRules", description: "Missing: the stored rules." },
      buckets: { type: "string", description: "Bucket IDs, in which `*` matches any characters. Missing: all." },
      bucket: { type: "string", description: "The exact ID of one bucket, instead of `buckets`." },
      preview: { type: "boolean", default: false, description: "Only count, and change nothing." },
    },
  },
  AppliedBucketPrivacy: {
    extends: "BucketPrivacy",
    description: "The changes of a bucket's events by rules, or their preview.",
    properties: {
      undo: { type: ["string", "null"], description: "The ID to undo it; null for a preview, and without a trash." },
    },
  },
  AppliedPrivacy: {
    description: "The buckets with changes, or their preview.",
    properties: { buckets: { type: "array", items: { $ref: "AppliedBucketPrivacy" } } },
  },
  PrivacyExample: {
    description: "An event, and its form after all rules.",
    properties: {
      bucket_id: { type: "string" },
      before: { $ref: "Event" },
      after: { anyOf: [{ $ref: "Event" }, { type: "null" }], description: "null: it would be dropped." },
    },
  },
  RulePreview: {
    description: "The preview of one rule.",
    properties: {
      rule: { type: "string", description: "The rule's place, such as `rules[0]` or `privacy_rules[0]`." },
      dropped: { type: "integer", minimum: 0 },
      changed: { type: "integer", minimum: 0 },
      examples: { type: "array", items: { $ref: "PrivacyExample" } },
    },
  },
  BucketPrivacy: {
    description: "The preview for a bucket.",
    properties: {
      bucket_id: { type: "string" },
      events: { type: "integer", minimum: 0, description: "The number of tried events." },
      dropped: { type: "integer", minimum: 0 },
      changed: { type: "integer", minimum: 0 },
    },
  },
  PrivacyPreview: {
    description: "Counts, and examples for each rule.",
    properties: {
      events: { type: "integer", minimum: 0, description: "The number of tried events." },
      dropped: { type: "integer", minimum: 0 },
      changed: { type: "integer", minimum: 0 },
      rules: { type: "array", items: { $ref: "RulePreview" } },
      buckets: { type: "array", items: { $ref: "BucketPrivacy" } },
    },
  },
} as const;

/** docs/guides/privacy.md. */
export const PRIVACY_OPERATIONS = {
  applyPrivacy: {
    route: "POST /api/0/privacy/apply",
    call: "privacy.apply",
    summary: "Apply privacy rules to stored data",
    description: "Changes each bucket in one step. Changed and dropped events go into the trash.",
    needs: "admin",
    bulk: true,
    body: "PrivacyApplication",
    sends: { rules: [{ when: { key: "app", equals: "editor" }, then: "drop" }], preview: true },
    answer: "AppliedPrivacy",
    example: { buckets: [{ bucket_id: "window_desk", events: 2, dropped: 1, changed: 0, undo: null }] },
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  previewPrivacy: {
    route: "POST /api/0/privacy/preview",
    call: "privacy.preview",
    summary: "Preview privacy rules on stored data",
    description: "Counts the changes, and changes nothing.",
    needs: "admin",
    readsOnly: true,
    bulk: true,
    body: "PrivacyTrial",
    sends: { rules: [{ when: { key: "app", equals: "editor" }, then: { redact: { keys: ["title"] } } }] },
    answer: "PrivacyPreview",
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
