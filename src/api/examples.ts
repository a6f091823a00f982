// A bucket with two events, for the examples of several operations.
import type { JsonObject } from "../domain/json.js";

export const FIRST: JsonObject = {
  id: 1,
  timestamp: "2024-03-01T10:00:00+00:00",
  duration: 7.5,
  data: { app: "editor", title: "notes.md" },
};

export const SECOND: JsonObject = {
  id: 2,
  timestamp: "2024-03-01T10:00:07.500000+00:00",
  duration: 52.5,
  data: { app: "browser", title: "Weather" },
};

/** The times of these events. */
export const FIRST_SPAN: JsonObject = { first: "2024-03-01T10:00:00+00:00", last: "2024-03-01T10:00:07.500000+00:00" };
export const SECOND_SPAN: JsonObject = { first: "2024-03-01T10:00:07.500000+00:00", last: "2024-03-01T10:01:00+00:00" };
export const BOTH_SPAN: JsonObject = { first: "2024-03-01T10:00:00+00:00", last: "2024-03-01T10:01:00+00:00" };

const RECORD: JsonObject = {
  id: "window_desk",
  name: null,
  type: "currentwindow",
  client: "my-watcher",
  hostname: "desk",
  created: "2024-03-01T09:00:00+00:00",
  data: {},
};

export const BUCKET: JsonObject = {
  ...RECORD,
  metadata: { start: "2024-03-01T10:00:00+00:00", end: "2024-03-01T10:01:00+00:00" },
  last_updated: "2024-03-01T10:01:00+00:00",
};

export const DOCUMENT: JsonObject = {
  buckets: { window_desk: { ...RECORD, events: [SECOND, FIRST].map(({ id: _, ...event }) => event) } },
};
