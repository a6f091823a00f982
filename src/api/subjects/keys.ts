import type { JsonObject } from "../../domain/json.js";

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

const UNUSED: JsonObject = {
  created: "2024-03-01T09:00:00+00:00",
  origin: null,
  revoked: null,
  last_used: null,
  last_used_from: null,
};

/** docs/keys.md. */
export const KEY_OPERATIONS = {
  listKeys: {
    route: "GET /api/0/keys",
    call: "keys.list",
    summary: "List the keys",
    description: "Revoked and expired ones included; the keys themselves are not known.",
    needs: "operator",
    answer: "Keys",
    says: "The keys, the oldest first.",
    example: [{ name: "phone", scopes: ["read:*"], expires: null, ...UNUSED }] as JsonObject[],
  },
  createKey: {
    route: "POST /api/0/keys",
    call: "keys.add",
    summary: "Make a key",
    description: "The response is the only place where the key is told.",
    needs: "operator",
    body: "KeyCreation",
    sends: { name: "window-watcher", scopes: ["append:window_*"], expires: "2024-06-01T00:00:00Z" },
    answer: "NewKey",
    says: "The key, told this once.",
    example: {
      name: "window-watcher",
      scopes: ["append:window_*"],
      expires: "2024-06-01T00:00:00+00:00",
      ...UNUSED,
      key: "as_2k1xjQv0m1f3dW8nB5sTgZy7Ue6Rc4Lh9Aa0PqXoEYI",
    } as JsonObject,
  },
  revokeKey: {
    route: "DELETE /api/0/keys/:keyName",
    call: "keys.revoke",
    summary: "Revoke a key",
    description: "It opens nothing from now on, and its name is free again.",
    needs: "operator",
    says: "It is revoked.",
    errors: ["INVALID_INPUT"],
  },
} as const;
