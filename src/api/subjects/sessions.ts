/** Schemas of signing in, pairing and extensions (docs/keys.md). */
export const SESSION_SCHEMAS = {
  SignInLink: {
    description: "By which somebody signs in once.",
    properties: {
      token: { type: "string", description: "Works once, for a minute." },
      path: { type: "string", description: "Of the page that signs in, with the token; below the server." },
      expires: { $ref: "Timestamp" },
    },
  },
  SignIn: {
    description: "The token of a link.",
    properties: { token: { type: "string" } },
  },
  NewSession: {
    description: "A session that was just begun.",
    properties: {
      id: { type: "string" },
      secret: { type: "string", description: "The page proves with each request that it knows it. Told nowhere else." },
      expires: { $ref: "Timestamp" },
    },
  },
  SessionState: {
    description: "What a page has to know before it asks for anything else.",
    properties: {
      signed_in: { type: "boolean", description: "Whether this request came with a session." },
      required: { type: "boolean", description: "Whether nothing is told without a key or a session." },
      has_keys: { type: "boolean", description: "Whether there are keys, so that some things need one." },
      id: { type: ["string", "null"], description: "Of the session." },
      expires: { $ref: "TimestampOrNull" },
    },
  },
  Session: {
    description: "What is known of a session.",
    properties: {
      id: { type: "string" },
      created: { $ref: "Timestamp" },
      last_used: { $ref: "Timestamp", description: "To the minute." },
      last_used_from: { type: ["string", "null"], description: "The address from which; null: unknown." },
      user_agent: { type: ["string", "null"], description: "What the browser said of itself." },
      expires: { $ref: "Timestamp", description: "Thirty days after the last use." },
      current: { type: "boolean", description: "Whether it is that of this request." },
    },
  },
  Sessions: { type: "array", items: { $ref: "Session" }, description: "The oldest first." },
  PairingRequest: {
    description: "A key that somebody asks for.",
    properties: {
      name: { type: "string", pattern: "^[\\w.-]{1,64}$", description: "For the key: letters, digits and `. _ -`." },
      scopes: { type: "array", items: { $ref: "Scope" }, description: "What it is to open." },
    },
  },
  NewPairing: {
    description: "A question that now waits for the owner.",
    properties: {
      code: { type: "string", description: "To be shown to the owner, who compares it." },
      secret: { type: "string", description: "Collects the key, and is told nowhere else." },
      expires: { $ref: "Timestamp", description: "Five minutes later." },
    },
  },
  PairingSecret: {
    description: "The secret of who asked.",
    properties: { secret: { type: "string" } },
  },
  PairingOutcome: {
    description: "What has become of a question.",
    required: ["status"],
    properties: {
      status: { type: "string", enum: ["pending", "refused", "approved"] },
      key: { type: "string", description: "Told this once; with `approved`." },
      name: { type: "string", description: "Of the key; with `approved`." },
      scopes: {
        type: "array",
        items: { $ref: "Scope" },
        description: "What the key opens; with `approved`.",
      },
    },
  },
  PairingQuestion: {
    description: "Who waits for an answer of the owner.",
    properties: {
      code: { type: "string" },
      kind: {
        type: "string",
        enum: ["key", "extension"],
        description: "Wants a key, or is an extension that wants to report.",
      },
      name: { type: "string", description: "Of the key, or the origin of the extension." },
      scopes: { type: "array", items: { $ref: "Scope" } },
      origin: { type: ["string", "null"], description: "The web origin that asks; null: it is no page." },
      address: { type: ["string", "null"], description: "The address that asks; null: unknown." },
      requested: { $ref: "Timestamp" },
      expires: { $ref: "Timestamp" },
    },
  },
  PairingQuestions: { type: "array", items: { $ref: "PairingQuestion" }, description: "The oldest first." },
  PairingChanges: {
    description: "What the owner changes about what was asked for.",
    required: [],
    properties: {
      name: { type: "string", description: "Absent: that which was asked for, or with a number behind it." },
      scopes: {
        type: "array",
        items: { $ref: "Scope" },
        description: "Fewer or narrower ones. Absent: all that were asked for.",
      },
    },
  },
  PairingApproval: {
    description: "What was approved.",
    properties: {
      kind: { type: "string", enum: ["key", "extension"] },
      name: { type: "string" },
      scopes: { type: "array", items: { $ref: "Scope" } },
      origin: { type: ["string", "null"] },
    },
  },
  Extension: {
    description: "What was decided about a browser extension.",
    properties: {
      origin: { type: "string" },
      allowed: { type: "boolean", description: "Whether it may report; otherwise it is refused without a question." },
    },
  },
  Extensions: { type: "array", items: { $ref: "Extension" }, description: "By their origins." },
} as const;

/** docs/keys.md#signing-in. */
export const SESSION_OPERATIONS = {
  createSignInLink: {
    route: "POST /api/0/session/links",
    call: "sessions.createLink",
    summary: "Make a link by which somebody signs in",
    description: "It works once, for a minute, and gives a session that opens everything.",
    needs: "operator",
    answer: "SignInLink",
    says: "The link, told this once.",
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
    summary: "Sign in by the token of a link",
    description: `Only pages of the server itself may. The response sets a cookie that counts together with the header
      \`X-Activity-Session\`, a proof of \`secret\`, and for requests of pages of the server alone.`,
    open: true,
    bodyKind: "open",
    body: "SignIn",
    sends: { token: "2k1xjQv0m1f3dW8nB5sTgZy7Ue6Rc4Lh9Aa0PqXoEYI" },
    answer: "NewSession",
    says: "The session.",
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
    summary: "Say whether who asks is signed in, and whether that is needed",
    open: true,
    answer: "SessionState",
    says: "Whether and how.",
    example: { signed_in: false, required: false, has_keys: true, id: null, expires: null },
  },
  signOut: {
    route: "DELETE /api/0/session",
    call: "sessions.signOut",
    raw: true,
    summary: "Sign out",
    description: "Ends the session that the request came with, if any, and removes its cookie.",
    open: true,
    says: "Nobody is signed in here.",
  },
  listSessions: {
    route: "GET /api/0/sessions",
    call: "sessions.list",
    summary: "List the sessions",
    needs: "owner",
    answer: "Sessions",
    says: "Those that are going on.",
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
    description: "It opens nothing from now on.",
    needs: "owner",
    says: "It has ended.",
  },
} as const;
