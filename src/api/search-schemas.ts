/** Schemas of searches (docs/search.md). */
export const SEARCH_SCHEMAS = {
  SearchEvent: {
    description: "An event that was found, cut to the range, or a part of it that was active.",
    properties: {
      bucket: { type: "string", description: "The id of its bucket." },
      id: { $ref: "EventId" },
      timestamp: { $ref: "Timestamp" },
      duration: { $ref: "Duration" },
      data: { $ref: "EventData" },
    },
  },
  SearchGroup: {
    description: "Events that are alike.",
    properties: {
      key: { type: ["string", "null"], description: "The day, or the value of the key; null: they do not have it." },
      events: { type: "integer", description: "How many there are; of a day all that touch it." },
      seconds: { type: "number", description: "Time that they cover; overlaps within a bucket count once." },
      first: { $ref: "Timestamp" },
      last: { $ref: "Timestamp" },
    },
  },
  SearchSummary: {
    description: "What all that was found comes to, whatever the limit.",
    required: ["events", "seconds", "days", "first", "last"],
    properties: {
      events: { type: "integer" },
      seconds: { type: "number", description: "Time that they cover; overlaps within a bucket count once." },
      days: { type: "integer", description: "Days that they touch." },
      groups: { type: "integer", description: "Groups, where these were asked for." },
      first: { $ref: "TimestampOrNull" },
      last: { $ref: "TimestampOrNull" },
    },
  },
  SearchResult: {
    description: "What was found.",
    properties: {
      rows: {
        type: "array",
        items: { anyOf: [{ $ref: "SearchEvent" }, { $ref: "SearchGroup" }] },
      },
      summary: { $ref: "SearchSummary" },
    },
  },
  CsvTable: { type: "string", description: "A table with a header, as RFC 4180 has it." },
} as const;
