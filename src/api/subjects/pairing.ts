/** docs/keys.md#pairing. */
export const PAIRING_OPERATIONS = {
  requestPairing: {
    method: "POST",
    path: "/api/0/pairing",
    tag: "pairing",
    summary: "Ask for a key",
    description: `The owner sees name, scopes, origin and code in the dashboard or by \`activity-server pair\`, and
      answers within five minutes. Three can wait at a time. Programs, browser extensions and trusted origins may ask.`,
    asker: true,
    open: true,
    parameters: [],
    bodyKind: "open",
    body: {
      "application/json": { schema: "PairingRequest", example: { name: "phone", scopes: ["append:phone_*"] } },
    },
    answers: {
      200: {
        description: "The question, which now waits.",
        content: {
          schema: "NewPairing",
          example: {
            code: "KRTM-4829",
            secret: "Zy7Ue6Rc4Lh9Aa0PqXoEYI2k1xjQv0m1f3dW8nB5sTg",
            expires: "2024-03-01T09:05:00+00:00",
          },
        },
      },
    },
    errors: ["INVALID_INPUT", "TOO_LARGE", "UNSUPPORTED_TYPE", "TOO_MANY_REQUESTS"],
  },
  collectPairing: {
    method: "POST",
    path: "/api/0/pairing/collect",
    tag: "pairing",
    summary: "Collect the key that was asked for",
    description:
      "Asked again and again until the owner has answered. The key is told once, then the secret is unknown.",
    asker: true,
    open: true,
    parameters: [],
    bodyKind: "open",
    body: {
      "application/json": {
        schema: "PairingSecret",
        example: { secret: "Zy7Ue6Rc4Lh9Aa0PqXoEYI2k1xjQv0m1f3dW8nB5sTg" },
      },
    },
    answers: {
      200: {
        description: "What the owner has answered so far.",
        content: { schema: "PairingOutcome", example: { status: "pending" } },
      },
    },
    errors: ["INVALID_INPUT", "NO_SUCH_PAIRING", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
  listPairing: {
    method: "GET",
    path: "/api/0/pairing",
    tag: "pairing",
    summary: "List who waits for an answer of the owner",
    needs: "owner",
    parameters: [],
    answers: {
      200: {
        description: "Who asks for a key, and which extensions want to report.",
        content: {
          schema: "PairingQuestions",
          example: [
            {
              code: "KRTM-4829",
              kind: "key",
              name: "phone",
              scopes: ["append:phone_*"],
              origin: null,
              address: null,
              requested: "2024-03-01T09:00:00+00:00",
              expires: "2024-03-01T09:05:00+00:00",
            },
          ],
        },
      },
    },
    errors: [],
  },
  approvePairing: {
    method: "POST",
    path: "/api/0/pairing/:code/approve",
    tag: "pairing",
    summary: "Let somebody have a key, or an extension report",
    needs: "owner",
    parameters: ["code"],
    bodyKind: "single",
    body: {
      "application/json": { schema: "PairingChanges", example: { scopes: ["append:phone_*"] } },
    },
    answers: {
      200: {
        description: "What was approved.",
        content: {
          schema: "PairingApproval",
          example: { kind: "key", name: "phone", scopes: ["append:phone_*"], origin: null },
        },
      },
    },
    errors: ["INVALID_INPUT", "NO_SUCH_PAIRING", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
  refusePairing: {
    method: "DELETE",
    path: "/api/0/pairing/:code",
    tag: "pairing",
    summary: "Refuse somebody a key, or an extension to report",
    description: "An extension that was refused does not ask again until it is forgotten.",
    needs: "owner",
    parameters: ["code"],
    answers: { 200: { description: "It is refused.", content: { schema: "Nothing", example: {} } } },
    errors: ["NO_SUCH_PAIRING"],
  },
  listExtensions: {
    method: "GET",
    path: "/api/0/extensions",
    tag: "pairing",
    summary: "List the browser extensions that were allowed or refused",
    needs: "owner",
    parameters: [],
    answers: {
      200: {
        description: "Those that somebody has decided about.",
        content: {
          schema: "Extensions",
          example: [{ origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop", allowed: true }],
        },
      },
    },
    errors: [],
  },
  forgetExtension: {
    method: "DELETE",
    path: "/api/0/extensions/:extensionOrigin",
    tag: "pairing",
    summary: "Forget what was decided about an extension",
    description: "Its next request is refused, and asks again.",
    needs: "owner",
    parameters: ["extensionOrigin"],
    answers: { 200: { description: "It is forgotten.", content: { schema: "Nothing", example: {} } } },
    errors: [],
  },
} as const;
