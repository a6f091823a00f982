/** docs/keys.md#signing-in. */
export const SESSION_OPERATIONS = {
  createSignInLink: {
    method: "POST",
    path: "/api/0/session/links",
    tag: "sessions",
    summary: "Make a link by which somebody signs in",
    description: `It works once, for a minute, and gives a session that opens everything. Needs an admin key, the
      control token or a session also where nothing else does; 404 for a server that has neither key nor token.`,
    needs: "operator",
    parameters: [],
    answers: {
      200: {
        description: "The link, told this once.",
        content: {
          schema: "SignInLink",
          example: {
            token: "2k1xjQv0m1f3dW8nB5sTgZy7Ue6Rc4Lh9Aa0PqXoEYI",
            path: "/#/sign-in/2k1xjQv0m1f3dW8nB5sTgZy7Ue6Rc4Lh9Aa0PqXoEYI",
            expires: "2024-03-01T09:01:00+00:00",
          },
        },
      },
    },
    errors: ["NO_SUCH_ROUTE"],
  },
  signIn: {
    method: "POST",
    path: "/api/0/session",
    tag: "sessions",
    summary: "Sign in by the token of a link",
    description: `Only pages of the server itself may. The response sets a cookie that counts together with the header
      \`X-Activity-Session\`, a proof of \`secret\`, and for requests of pages of the server alone.`,
    open: true,
    parameters: [],
    bodyKind: "open",
    body: {
      "application/json": { schema: "SignIn", example: { token: "2k1xjQv0m1f3dW8nB5sTgZy7Ue6Rc4Lh9Aa0PqXoEYI" } },
    },
    answers: {
      200: {
        description: "The session.",
        headers: { "Set-Cookie": "The cookie: `HttpOnly`, `SameSite=Strict`, over TLS `Secure`." },
        content: {
          schema: "NewSession",
          example: {
            id: "kq3v9x1mT0aB",
            secret: "Zy7Ue6Rc4Lh9Aa0PqXoEYI2k1xjQv0m1f3dW8nB5sTg",
            expires: "2024-03-31T09:00:00+00:00",
          },
        },
      },
    },
    errors: ["INVALID_INPUT", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
  getSession: {
    method: "GET",
    path: "/api/0/session",
    tag: "sessions",
    summary: "Say whether who asks is signed in, and whether that is needed",
    open: true,
    parameters: [],
    answers: {
      200: {
        description: "Whether and how.",
        content: {
          schema: "SessionState",
          example: { signed_in: false, required: false, has_keys: true, id: null, expires: null },
        },
      },
    },
    errors: [],
  },
  signOut: {
    method: "DELETE",
    path: "/api/0/session",
    tag: "sessions",
    summary: "Sign out",
    description: "Ends the session that the request came with, if any, and removes its cookie.",
    open: true,
    parameters: [],
    answers: { 200: { description: "Nobody is signed in here.", content: { schema: "Nothing", example: {} } } },
    errors: [],
  },
  listSessions: {
    method: "GET",
    path: "/api/0/sessions",
    tag: "sessions",
    summary: "List the sessions",
    needs: "owner",
    parameters: [],
    answers: {
      200: {
        description: "Those that are going on.",
        content: {
          schema: "Sessions",
          example: [
            {
              id: "kq3v9x1mT0aB",
              created: "2024-03-01T09:00:00+00:00",
              last_used: "2024-03-01T09:00:00+00:00",
              last_used_from: null,
              user_agent: "Mozilla/5.0",
              expires: "2024-03-31T09:00:00+00:00",
              current: false,
            },
          ],
        },
      },
    },
    errors: [],
  },
  endSession: {
    method: "DELETE",
    path: "/api/0/sessions/:sessionId",
    tag: "sessions",
    summary: "End a session",
    description: "It opens nothing from now on.",
    needs: "owner",
    parameters: ["sessionId"],
    answers: { 200: { description: "It has ended.", content: { schema: "Nothing", example: {} } } },
    errors: ["NO_SUCH_SESSION"],
  },
} as const;
