// What a client checks in responses; the compiler compares each schema with the route table (`SchemaAt`).

export const INFO = { hostname: "text", version: "text", testing: "boolean", device_id: "text" } as const;

export const EVENT = { id: "integer", timestamp: "text", duration: "number", data: "object" } as const;

/** What became of an event; `id` is null where a privacy rule dropped it. */
export const ACCEPTED = { id: "integer or null", timestamp: "text", duration: "number", data: "object" } as const;

export const TIMELINE = { start: "value", end: "value", count: "integer" } as const;

export const BUCKET = {
  id: "text",
  name: "value",
  type: "text",
  client: "text",
  hostname: "text",
  created: "text",
  data: "object",
  metadata: "object",
  last_updated: "value",
} as const;

export const KEY = {
  name: "text",
  scopes: "list",
  created: "text",
  expires: "value",
  origin: "value",
  revoked: "value",
  last_used: "value",
  last_used_from: "value",
} as const;

export const NEW_KEY: typeof KEY & { readonly key: "text" } = { ...KEY, key: "text" };

export const COUNTS = {
  buckets_created: "integer",
  buckets_merged: "integer",
  events_imported: "integer",
  events_already_there: "integer",
  events_invalid: "integer",
} as const;

export const SIGN_IN_LINK = { token: "text", path: "text", expires: "text" } as const;

export const NEW_SESSION = { id: "text", secret: "text", expires: "text" } as const;

export const SESSION_STATE = {
  signed_in: "boolean",
  required: "boolean",
  has_keys: "boolean",
  id: "value",
  expires: "value",
} as const;

export const SESSION = {
  id: "text",
  created: "text",
  last_used: "text",
  last_used_from: "value",
  user_agent: "value",
  expires: "text",
  current: "boolean",
} as const;

export const NEW_PAIRING = { code: "text", secret: "text", expires: "text" } as const;

export const PAIRING_OUTCOME = { status: "text" } as const;

export const PAIRING_QUESTION = {
  code: "text",
  kind: "text",
  name: "text",
  scopes: "list",
  origin: "value",
  address: "value",
  requested: "text",
  expires: "text",
} as const;

export const PAIRING_APPROVAL = { kind: "text", name: "text", scopes: "list", origin: "value" } as const;

export const EXTENSION = { origin: "text", allowed: "boolean" } as const;

export const PRIVACY_PREVIEW = {
  events: "integer",
  dropped: "integer",
  changed: "integer",
  rules: "list",
  buckets: "list",
} as const;

export const RETENTION_RUN = { time: "text", buckets: "list" } as const;

export const HEALTH = { status: "text" } as const;

export const TRASH_ENTRY = {
  id: "text",
  kind: "text",
  deleted: "text",
  expires: "text",
  reason: "text",
  events: "integer",
  start: "value",
  end: "value",
  bytes: "integer",
  buckets: "list",
} as const;

export const EVENTS_DELETION = {
  count: "integer",
  duration: "number",
  first: "value",
  last: "value",
  entry: "value",
  buckets: "list",
} as const;

export const TRASH_EMPTIED = { entries: "integer", events: "integer" } as const;

export const RELABELLING = { undo: "value", buckets: "list", redirects: "list" } as const;

export const REDIRECT = { from: "text", to: "text", created: "text", until: "value" } as const;

export const UNDO = {
  id: "text",
  kind: "text",
  time: "text",
  expires: "text",
  from: "list",
  to: "list",
  events: "integer",
} as const;

export const UNDONE: typeof UNDO & { readonly kept: "integer" } = { ...UNDO, kept: "integer" };

export const MERGING = { undo: "value", into: "text", buckets: "list", redirects: "list" } as const;
