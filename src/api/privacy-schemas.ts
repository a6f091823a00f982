/** Schemas of privacy rules (docs/privacy.md). */
export const PRIVACY_SCHEMAS = {
  PrivacyRule: {
    type: "object",
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
    type: "object",
    description: "Rules to try, and what to try them on.",
    properties: {
      rules: {
        type: "array",
        items: { allOf: [{ $ref: "#/components/schemas/PrivacyRule" }] },
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
    type: "object",
    description: "Rules to apply, and what to apply them to.",
    additionalProperties: false,
    properties: {
      rules: {
        type: "array",
        items: { allOf: [{ $ref: "#/components/schemas/PrivacyRule" }] },
        description: "Those of the settings where there are none.",
      },
      buckets: { type: "string", description: "Ids of buckets; `*` stands for any text. Left out: all buckets." },
      bucket: { type: "string", description: "The id of one bucket as it is, in place of `buckets`." },
      preview: { type: "boolean", default: false, description: "Whether to count only, and to change nothing." },
    },
  },
  AppliedPrivacy: {
    type: "object",
    description: "What rules did, or would do.",
    required: ["buckets"],
    properties: {
      buckets: {
        type: "array",
        description: "Those in which something was changed.",
        items: {
          type: "object",
          required: ["bucket_id", "events", "dropped", "changed", "undo"],
          properties: {
            bucket_id: { type: "string" },
            events: { type: "integer", minimum: 0 },
            dropped: { type: "integer", minimum: 0 },
            changed: { type: "integer", minimum: 0 },
            undo: { type: ["string", "null"], description: "Undoes it; null for a preview, and without a trash." },
          },
        },
      },
    },
  },
  PrivacyExample: {
    type: "object",
    description: "An event, and what all rules together would leave of it.",
    required: ["bucket_id", "before", "after"],
    properties: {
      bucket_id: { type: "string" },
      before: { $ref: "#/components/schemas/Event" },
      after: {
        anyOf: [{ $ref: "#/components/schemas/Event" }, { type: "null" }],
        description: "null: it would be dropped.",
      },
    },
  },
  RulePreview: {
    type: "object",
    description: "What one rule would do.",
    required: ["rule", "dropped", "changed", "examples"],
    properties: {
      rule: { type: "string", description: "Where it stands, such as `rules[0]` or `privacy_rules[0]`." },
      dropped: { type: "integer", minimum: 0 },
      changed: { type: "integer", minimum: 0 },
      examples: { type: "array", items: { $ref: "#/components/schemas/PrivacyExample" } },
    },
  },
  BucketPrivacy: {
    type: "object",
    description: "What rules would do to the events of a bucket.",
    required: ["bucket_id", "events", "dropped", "changed"],
    properties: {
      bucket_id: { type: "string" },
      events: { type: "integer", minimum: 0, description: "That they were tried on." },
      dropped: { type: "integer", minimum: 0 },
      changed: { type: "integer", minimum: 0 },
    },
  },
  PrivacyPreview: {
    type: "object",
    description: "What rules would do.",
    required: ["events", "dropped", "changed", "rules", "buckets"],
    properties: {
      events: { type: "integer", minimum: 0, description: "That they were tried on." },
      dropped: { type: "integer", minimum: 0 },
      changed: { type: "integer", minimum: 0 },
      rules: { type: "array", items: { $ref: "#/components/schemas/RulePreview" } },
      buckets: { type: "array", items: { $ref: "#/components/schemas/BucketPrivacy" } },
    },
  },
} as const;
