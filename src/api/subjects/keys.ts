import type { JsonObject } from "../../domain/json.js";

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
