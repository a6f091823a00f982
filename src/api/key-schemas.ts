/** Schemas of keys and of protected buckets (docs/keys.md). */
export const KEY_SCHEMAS = {
  Scope: {
    type: "string",
    pattern: "^(admin|(read|append|write):[^]+)$",
    description: `What a key opens: \`read:GLOB\`, \`append:GLOB\`, \`write:GLOB\` or \`admin\`. GLOB is a bucket id in
      which \`*\` stands for any text.`,
    examples: ["append:window_*"],
  },
  Key: {
    description: "What is known of a key, which is not the key itself.",
    properties: {
      name: { type: "string", description: "Unique among the keys that are not revoked." },
      scopes: { type: "array", items: { $ref: "Scope" }, description: "What it opens, all together." },
      created: { $ref: "Timestamp" },
      expires: { $ref: "TimestampOrNull", description: "From then on it opens nothing; null: never." },
      origin: { type: ["string", "null"], description: "The one web origin that may use it; null: any." },
      revoked: { $ref: "TimestampOrNull", description: "Since when it opens nothing; null: it is in use." },
      last_used: { $ref: "TimestampOrNull", description: "When it was last used, to the minute; null: never." },
      last_used_from: { type: ["string", "null"], description: "The address from which; null: unknown." },
    },
  },
  Keys: { type: "array", items: { $ref: "Key" }, description: "Keys, the oldest first." },
  KeyCreation: {
    description: "A key to be made.",
    required: ["name", "scopes"],
    properties: {
      name: { type: "string", pattern: "^[\\w.-]{1,64}$", description: "Letters, digits and signs of `. _ -`." },
      scopes: {
        type: "array",
        items: { $ref: "Scope" },
        description: "What it opens: at least one scope; several are a union.",
      },
      expires: {
        description: "From then on it opens nothing. Absent or null: never.",
        anyOf: [{ $ref: "TimestampInput" }, { type: "null" }],
        default: null,
      },
      origin: {
        type: ["string", "null"],
        default: null,
        description: "The one web origin that may use it, such as `https://example.org`. Absent or null: any.",
      },
    },
  },
  NewKey: {
    extends: "Key",
    description: "A key that was just made.",
    properties: {
      revoked: { type: "null" },
      last_used: { type: "null" },
      last_used_from: { type: "null" },
      key: { type: "string", description: "The key: sent as `Authorization: Bearer <key>`, and told nowhere else." },
    },
  },
  BucketAccess: {
    description: "What may be done with a bucket by those who have no admin key.",
    properties: {
      access: {
        type: "string",
        enum: ["open", "append-only", "read-only"],
        description: "`append-only`: only new events and heartbeats. `read-only`: no change at all.",
      },
    },
  },
} as const;
