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
