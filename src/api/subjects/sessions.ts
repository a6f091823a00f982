/** Schemas of signing in, pairing and extensions (docs/guides/keys.md). */
export const SESSION_SCHEMAS = {
  SignInLink: {
    description: "A link that signs in once. Only this response contains it.",
    properties: {
      token: { type: "string", description: "The link works once within a minute." },
      path: { type: "string", description: "The path of the sign-in page with the token, below the server." },
      expires: { $ref: "Timestamp" },
    },
  },
  SignIn: { description: "The token of a link.", properties: { token: { type: "string" } } },
  NewSession: {
    description: "A new session.",
    properties: {
      id: { type: "string" },
      secret: {
        type: "string",
        description: "The page's secret. It proves with each request that it knows it. Returned only here.",
      },
      expires: { $ref: "Timestamp" },
    },
  },
  SessionState: {
    description: "The session, and whether the server needs one.",
    properties: {
      signed_in: { type: "boolean", description: "Whether this request has a session." },
      required: { type: "boolean", description: "Whether every request needs a key or a session." },
      has_keys: { type: "boolean", description: "Whether there are keys, so that some requests need one." },
      id: { type: ["string", "null"], description: "The session's ID." },
      expires: { $ref: "TimestampOrNull" },
    },
  },
  Session: {
    description: "A session.",
    properties: {
      id: { type: "string" },
      created: { $ref: "Timestamp" },
      last_used: { $ref: "Timestamp", description: "To the minute." },
      last_used_from: { type: ["string", "null"], description: "The address of the last use; null: unknown." },
      user_agent: { type: ["string", "null"], description: "The browser's own description." },
      expires: { $ref: "Timestamp", description: "Thirty days after the last use." },
      current: { type: "boolean", description: "Whether it is this request's session." },
    },
  },
  Sessions: { type: "array", items: { $ref: "Session" }, description: "Active sessions, oldest first." },
  PairingRequest: {
    description: "A request for a key.",
    properties: {
      name: {
        type: "string",
        pattern: "^[\\w.-]([\\w .-]{0,62}[\\w.-])?$",
        description: "The key's name: letters, digits, spaces and `. _ -`.",
      },
      scopes: { type: "array", items: { $ref: "Scope" }, minItems: 1, description: "At least one scope." },
    },
  },
  NewPairing: {
    description: "A pairing request that waits for the owner.",
    properties: {
      code: { type: "string", description: "The code to show to the owner, who compares it." },
      secret: { type: "string", description: "The secret to collect the key with. Returned only here." },
      expires: { $ref: "Timestamp", description: "Five minutes later." },
    },
  },
  PairingSecret: { description: "The secret from the pairing request.", properties: { secret: { type: "string" } } },
  PairingOutcome: {
    description: "The state of a pairing request.",
    required: ["status"],
    properties: {
      status: { type: "string", enum: ["pending", "refused", "approved"] },
      key: { type: "string", description: "The key, returned only once; with `approved`." },
      name: { type: "string", description: "The key's name; with `approved`." },
      scopes: { type: "array", items: { $ref: "Scope" }, description: "The key's scopes; with `approved`." },
    },
  },
  PairingQuestion: {
    description: "A pairing request.",
    properties: {
      code: { type: "string" },
      kind: {
        type: "string",
        enum: ["key", "extension"],
        description: "Requests a key, or is an extension that wants to report.",
      },
      name: { type: "string", description: "The key's name, or the extension's origin." },
      scopes: { type: "array", items: { $ref: "Scope" } },
      origin: { type: ["string", "null"], description: "The page's origin; null: not a page." },
      address: { type: ["string", "null"], description: "The address of the request; null: unknown." },
      requested: { $ref: "Timestamp" },
      expires: { $ref: "Timestamp" },
    },
  },
  PairingQuestions: {
    type: "array",
    items: { $ref: "PairingQuestion" },
    description: "Requests for keys, and of extensions that want to report, oldest first.",
  },
  PairingChanges: {
    description: "The owner's changes of a pairing request.",
    required: [],
    properties: {
      name: { type: "string", description: "Missing: the requested name, perhaps with a number." },
      scopes: {
        type: "array",
        items: { $ref: "Scope" },
        minItems: 1,
        description: "Fewer or narrower scopes. Missing: all requested ones.",
      },
    },
  },
  PairingApproval: {
    description: "The approval.",
    properties: {
      kind: { type: "string", enum: ["key", "extension"] },
      name: { type: "string" },
      scopes: { type: "array", items: { $ref: "Scope" } },
      origin: { type: ["string", "null"] },
    },
  },
  Extension: {
    description: "The decision about a browser extension.",
    properties: {
      origin: { type: "string" },
      allowed: { type: "boolean", description: "Whether it may report. Otherwise, it is refused without asking." },
    },
  },
  Extensions: { type: "array", items: { $ref: "Extension" }, description: "Extensions with a decision, by origin." },
} as const;

/** docs/reference/keys.md#sessions. */
export const SESSION_OPERATIONS = {
  createSignInLink: {
    route: "POST /api/0/session/links",
    call: "sessions.createLink",
    summary: "Create a sign-in link",
    description: "The link works once within a minute. The session has the rights of an admin key.",
    needs: "operator",
    answer: "SignInLink",
    example: {
      token: "2k1xjQv0m1f3dW8nB5sTgZy7Ue6Rc4Lh9Aa0PqXoEYI",
      path: "/#/sign-in/2k1xjQv0m1f3dW8nB5sTgZy7Ue6Rc4Lh9Aa0PqXoEYI",
      expires: "2024-03-01T09:01:00+00:00",
    },
  },
  signIn: {
    route: "POST /api/0/session",
    call: "sessions.signIn",
    takes: "token",
    raw: true,
    summary: "Sign in with a link's token",
    description: `Only the server's own pages may sign in. The response sets a cookie. The cookie is valid only in
      requests from these pages, together with the header \`X-Activity-Session\`, which proves knowledge of
      \`secret\`.`,
    open: true,
    bodyKind: "open",
    body: "SignIn",
    sends: { token: "2k1xjQv0m1f3dW8nB5sTgZy7Ue6Rc4Lh9Aa0PqXoEYI" },
    answer: "NewSession",
    example: {
      id: "kq3v9x1mT0aB",
      secret: "Zy7Ue6Rc4Lh9Aa0PqXoEYI2k1xjQv0m1f3dW8nB5sTg",
      expires: "2024-03-31T09:00:00+00:00",
    },
    headers: { "Set-Cookie": "The cookie: `HttpOnly`, `SameSite=Strict`, over TLS `Secure`." },
  },
  getSession: {
    route: "GET /api/0/session",
    call: "sessions.current",
    raw: true,
    summary: "Show the current session",
    open: true,
    answer: "SessionState",
    example: { signed_in: false, required: false, has_keys: true, id: null, expires: null },
  },
  signOut: {
    route: "DELETE /api/0/session",
    call: "sessions.signOut",
    raw: true,
    summary: "Sign out",
    description: "Ends the request's session, if any, and removes its cookie.",
    open: true,
    says: "The session has ended.",
  },
  listSessions: {
    route: "GET /api/0/sessions",
    call: "sessions.list",
    summary: "List sessions",
    needs: "owner",
    answer: "Sessions",
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
  endSession: {
    route: "DELETE /api/0/sessions/:sessionId",
    call: "sessions.end",
    summary: "End a session",
    description: "The session stops working at once.",
    needs: "owner",
    says: "The session has ended.",
  },
} as const;
