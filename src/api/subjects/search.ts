import type { JsonObject } from "../../domain/json.js";
import { BOTH_SPAN, FIRST_SPAN, SECOND_SPAN } from "../examples.js";

/** Schemas of searches (docs/guides/search.md). */
export const SEARCH_SCHEMAS = {
  SearchEvent: {
    extends: "Event",
    description: "A matching event, clipped to the range, or an active part of it.",
    properties: { bucket: { type: "string", description: "The ID of its bucket." } },
  },
  SearchGroup: {
    description: "A group of events.",
    properties: {
      key: { type: ["string", "null"], description: "The day, or the key's value; null: the events lack the key." },
      events: { type: "integer", description: "The number of events. A day counts all events that touch it." },
      seconds: { type: "number", description: "The covered time. Overlaps within a bucket count once." },
      first: { $ref: "Timestamp" },
      last: { $ref: "Timestamp" },
    },
  },
  SearchSummary: {
    description: "The totals of all matches, whatever the limit.",
    required: ["events", "seconds", "days", "first", "last"],
    properties: {
      events: { type: "integer" },
      seconds: { type: "number", description: "The covered time. Overlaps within a bucket count once." },
      days: { type: "integer", description: "The number of days that the events touch." },
      groups: { type: "integer", description: "The number of groups, if requested." },
      first: { $ref: "TimestampOrNull" },
      last: { $ref: "TimestampOrNull" },
    },
  },
  SearchResult: {
    description: "The matches and their summary.",
    properties: {
      rows: { type: "array", items: { anyOf: [{ $ref: "SearchEvent" }, { $ref: "SearchGroup" }] } },
      summary: { $ref: "SearchSummary" },
    },
  },
  CsvTable: { type: "string", description: "A table with a header, in the format of RFC 4180." },
} as const;

/** docs/guides/search.md. */
export const SEARCH_OPERATIONS = {
  search: {
    route: "GET /api/0/search",
    summary: "Search the events of all buckets",
    description: `Lists the matching events, or counts them by day, by category or by the value of a key, longest first.
      The summary covers all matches, whatever the limit. As lines (\`Accept: application/x-ndjson\`), the server sends
      each row immediately, and \`{"summary": ...}\` in the last line.`,
    needs: "listed",
    parameters: [
      "filter",
      "start",
      "end",
      "host",
      "bucket",
      "group",
      "numbers",
      "limit",
      "order",
      "active",
      "time_zone",
      "day_start",
      "format",
    ],
    answer: "SearchResult",
    example: {
      rows: [
        { key: "browser", events: 1, seconds: 52.5, ...SECOND_SPAN },
        { key: "editor", events: 1, seconds: 7.5, ...FIRST_SPAN },
      ],
      summary: { events: 2, seconds: 60, days: 1, groups: 2, ...BOTH_SPAN },
    } as JsonObject,
    others: { "application/x-ndjson": "JsonLines", "text/csv": "CsvTable" },
  },
} as const;
