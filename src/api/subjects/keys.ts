import type { JsonObject } from "../../domain/json.js";

/** Schemas of keys and of protected buckets (docs/guides/keys.md). */
export const KEY_SCHEMAS = {
  Scope: {
    type: "string",
    maxLength: 300,
    pattern: "^(admin|assistant:(categories|apps|sites|titles|query)|(read|append|write):[\\s\\S]+)$",
    description: `A right of a key: \`read:GLOB\`, \`append:GLOB\`, \`write:GLOB\` or \`admin\`. GLOB is a bucket ID, in
      which \`*\` matches any characters. \`assistant:categories\`, \`assistant:apps\`, \`assistant:sites\`,
      \`assistant:titles\` and \`assistant:query\` limit what assistants learn, each including those before it.`,
    examples: ["append:window_*"],
  },
  Key: {
    description: "A key's record, without the key itself.",
    properties: {
      name: { type: "string", description: "Unique among keys that are not revoked." },
      scopes: { type: "array", items: { $ref: "Scope" }, description: "The key's scopes." },
      created: { $ref: "Timestamp" },
      expires: { $ref: "TimestampOrNull", description: "The key is valid until then; null: always." },
      origin: { type: ["string", "null"], description: "The only web origin that may use it; null: any." },
      revoked: { $ref: "TimestampOrNull", description: "The time of its revocation; null: it is active." },
      last_used: { $ref: "TimestampOrNull", description: "The last use, to the minute; null: never." },
      last_used_from: { type: ["string", "null"], description: "The address of the last use; null: unknown." },
    },
  },
  Keys: { type: "array", items: { $ref: "Key" }, description: "Keys, oldest first." },
  KeyCreation: {
    extends: "PairingRequest",
    description: "A new key. It has the rights of all its scopes.",
    required: [],
    properties: {
      expires: {
        description: "The key is valid until then. Missing or null: always.",
        anyOf: [{ $ref: "TimestampInput" }, { type: "null" }],
        default: null,
      },
      origin: {
        type: ["string", "null"],
        default: null,
        description: "The only web origin that may use it, such as `https://example.org`. Missing or null: any.",
      },
    },
  },
  NewKey: {
    extends: "Key",
    description: "A key that was just created. Only this response contains it.",
    properties: {
      revoked: { type: "null" },
      last_used: { type: "null" },
      last_used_from: { type: "null" },
      key: { type: "string", description: "The key, to send as `Authorization: Bearer <key>`. It is shown only here." },
    },
  },
  BucketAccess: {
    description: "The access of a bucket without an admin key.",
    properties: {
      access: {
        type: "string",
        enum: ["open", "append-only", "read-only"],
        description: "`append-only` allows only new events and heartbeats. `read-only` allows no change.",
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

/** docs/guides/keys.md. */
export const KEY_OPERATIONS = {
  listKeys: {
    route: "GET /api/0/keys",
    call: "keys.list",
    summary: "List keys",
    description: "Includes revoked and expired keys, without the keys themselves.",
    needs: "operator",
    answer: "Keys",
    example: [{ name: "phone", scopes: ["read:*"], expires: null, ...UNUSED }] as JsonObject[],
  },
  createKey: {
    route: "POST /api/0/keys",
    call: "keys.add",
    summary: "Create a key",
    description: "Only this response contains the key.",
    needs: "operator",
    body: "KeyCreation",
    sends: { name: "window-watcher", scopes: ["append:window_*"], expires: "2024-06-01T00:00:00Z" },
    answer: "NewKey",
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
    description: "The key stops working at once, and its name is free again.",
    needs: "operator",
    says: "The key is revoked.",
    errors: ["INVALID_INPUT"],
  },
} as const;
