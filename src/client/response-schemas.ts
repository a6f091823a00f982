// What a client checks in responses; the compiler compares each schema with the route table (`SchemaAt`).

export const INFO = { hostname: "a string", version: "a string", testing: "a boolean", device_id: "a string" } as const;

export const EVENT = { id: "an integer", timestamp: "a string", duration: "a number", data: "an object" } as const;

/** What became of an event; `id` is null where a privacy rule dropped it. */
export const ACCEPTED = {
  id: "an integer or null",
  timestamp: "a string",
  duration: "a number",
  data: "an object",
} as const;

export const TIMELINE = { start: "JSON", end: "JSON", count: "an integer" } as const;

export const BUCKET = {
  id: "a string",
  name: "JSON",
  type: "a string",
  client: "a string",
  hostname: "a string",
  created: "a string",
  data: "an object",
  metadata: "an object",
  last_updated: "JSON",
} as const;

export const COUNTS = {
  buckets_created: "an integer",
  buckets_merged: "an integer",
  events_imported: "an integer",
  events_already_there: "an integer",
  events_invalid: "an integer",
} as const;

export const HEALTH = { status: "a string" } as const;
