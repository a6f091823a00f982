import type { JsonObject } from "../../domain/json.js";
import { FIRST, SECOND } from "../examples.js";

/** docs/api.md#reading-events, docs/api.md#heartbeats. */
export const EVENT_OPERATIONS = {
  getEvents: {
    route: "GET /api/0/buckets/:bucketId/events",
    call: "events.list",
    raw: true,
    summary: "Read events, newest first",
    description: `Newest first: by timestamp, of equal ones by id. In are events that touch the range; each is cut to it
      in the answer, while what is stored stays as it is. A \`start\` behind the \`end\` gives an empty list.`,
    needs: "read",
    parameters: ["start", "end", "limit", "offset", "filter", "format"],
    answer: "Events",
    says: "The events of the range, newest first.",
    example: [SECOND, FIRST] as JsonObject[],
    others: { "text/csv": "CsvTable" },
  },
  insertEvents: {
    route: "POST /api/0/buckets/:bucketId/events",
    summary: "Insert or replace events",
    description: `All are stored or none. An event with the id of an event of this bucket takes its place; of several
      with one id the last counts. Other buckets are never touched. What a privacy rule drops is answered with
      \`id: null\`.`,
    needs: "append",
    bodyKind: "events",
    body: "EventsInput",
    sends: [
      { timestamp: "2024-03-01T10:00:00Z", duration: 7.5, data: { app: "editor", title: "notes.md" } },
      { timestamp: "2024-03-01T10:00:07.5Z", duration: 52.5, data: { app: "browser", title: "Weather" } },
    ],
    answer: "StoredEvents",
    says: "What was stored, with ids.",
    example: [FIRST, SECOND] as JsonObject[],
    errors: ["VETOED"],
  },
  countEvents: {
    route: "GET /api/0/buckets/:bucketId/events/count",
    call: "events.count",
    summary: "Count events",
    needs: "read",
    parameters: ["start", "end", "filter"],
    answer: "EventCount",
    says: "How many events touch the range and meet the filter.",
    example: 2,
  },
  getEvent: {
    route: "GET /api/0/buckets/:bucketId/events/:eventId",
    call: "events.get",
    raw: true,
    summary: "Get an event",
    needs: "read",
    answer: "Event",
    says: "The event, not cut.",
    example: FIRST as JsonObject,
  },
  deleteEvent: {
    route: "DELETE /api/0/buckets/:bucketId/events/:eventId",
    summary: "Delete an event",
    description: "It can be restored from the trash, unless `permanent=true` is given.",
    needs: "write",
    parameters: ["permanent"],
    answer: "EventDeletion",
    says: "Whether there was such an event; there is none now.",
    example: { success: true },
    headers: { "X-Activity-Trash-Entry": "The entry of the trash that takes it back, where there is one." },
    errors: ["VETOED"],
  },
  heartbeat: {
    route: "POST /api/0/buckets/:bucketId/heartbeat",
    tag: "heartbeats",
    summary: "Extend the previous event, or start a new one",
    description: `The beat is compared with the event that the previous heartbeat of this bucket made or extended, or,
      if something else was written since, with the newest event. When the data are equal and the beat begins within
      that event, or at most \`pulsetime\` after its end, the event is extended to the end of the beat. Otherwise the
      beat becomes a new event. A heartbeat never shortens an event and never creates a bucket. One that a privacy rule
      drops is answered as it came, with \`id: null\`; later ones are not merged with events before it.`,
    watcher: true,
    needs: "append",
    parameters: ["pulsetime"],
    body: "Heartbeat",
    sends: { timestamp: "2024-03-01T10:01:20Z", duration: 0, data: { app: "browser", title: "Weather" } },
    answer: "AcceptedEvent",
    says: "The event that now covers the beat, or the beat that was dropped.",
    example: { ...SECOND, duration: 72.5 } as JsonObject,
    errors: ["VETOED"],
  },
} as const;
