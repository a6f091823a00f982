/** docs/keys.md. */
export const KEY_OPERATIONS = {
  listKeys: {
    method: "GET",
    path: "/api/0/keys",
    tag: "keys",
    summary: "List the keys",
    description: `Revoked and expired ones included; the keys themselves are not known. Needs an admin key or the
      control token also where nothing else does; 404 for a server that has neither.`,
    needs: "operator",
    parameters: [],
    answers: {
      200: {
        description: "The keys, the oldest first.",
        content: {
          schema: "Keys",
          example: [
            {
              name: "phone",
              scopes: ["read:*"],
              created: "2024-03-01T09:00:00+00:00",
              expires: null,
              origin: null,
              revoked: null,
              last_used: null,
              last_used_from: null,
            },
          ],
        },
      },
    },
    errors: ["NO_SUCH_ROUTE"],
  },
  createKey: {
    method: "POST",
    path: "/api/0/keys",
    tag: "keys",
    summary: "Make a key",
    description: `The response is the only place where the key is told. Needs an admin key or the control token also
      where nothing else does; 404 for a server that has neither.`,
    needs: "operator",
    parameters: [],
    bodyKind: "single",
    body: {
      "application/json": {
        schema: "KeyCreation",
        example: { name: "window-watcher", scopes: ["append:window_*"], expires: "2024-06-01T00:00:00Z" },
      },
    },
    answers: {
      200: {
        description: "The key, told this once.",
        content: {
          schema: "NewKey",
          example: {
            name: "window-watcher",
            scopes: ["append:window_*"],
            created: "2024-03-01T09:00:00+00:00",
            expires: "2024-06-01T00:00:00+00:00",
            origin: null,
            revoked: null,
            last_used: null,
            last_used_from: null,
            key: "as_2k1xjQv0m1f3dW8nB5sTgZy7Ue6Rc4Lh9Aa0PqXoEYI",
          },
        },
      },
    },
    errors: ["INVALID_INPUT", "NO_SUCH_ROUTE", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
  revokeKey: {
    method: "DELETE",
    path: "/api/0/keys/:keyName",
    tag: "keys",
    summary: "Revoke a key",
    description: `It opens nothing from now on, and its name is free again. Needs an admin key or the control token also
      where nothing else does; 404 for a server that has neither.`,
    needs: "operator",
    parameters: ["keyName"],
    answers: { 200: { description: "It is revoked.", content: { schema: "Nothing", example: {} } } },
    errors: ["INVALID_INPUT", "NO_SUCH_KEY", "NO_SUCH_ROUTE"],
  },
} as const;
