/** Schemas of searches (docs/search.md). */
export const SEARCH_SCHEMAS = {
  SearchEvent: {
    type: "object",
    description: "An event that was found, cut to the range, or a part of it that was active.",
    required: ["bucket", "id", "timestamp", "duration", "data"],
    properties: {
      bucket: { type: "string", description: "The id of its bucket." },
      id: { $ref: "#/components/schemas/EventId" },
      timestamp: { $ref: "#/components/schemas/Timestamp" },
      duration: { $ref: "#/components/schemas/Duration" },
      data: { $ref: "#/components/schemas/EventData" },
    },
  },
  SearchGroup: {
    type: "object",
    description: "Events that are alike.",
    required: ["key", "events", "seconds", "first", "last"],
    properties: {
      key: { type: ["string", "null"], description: "The day, or the value of the key; null: they do not have it." },
      events: { type: "integer", description: "How many there are; of a day all that touch it." },
      seconds: { type: "number", description: "Time that they cover; overlaps within a bucket count once." },
      first: { $ref: "#/components/schemas/Timestamp" },
      last: { $ref: "#/components/schemas/Timestamp" },
    },
  },
  SearchSummary: {
    type: "object",
    description: "What all that was found comes to, whatever the limit.",
    required: ["events", "seconds", "days", "first", "last"],
    properties: {
      events: { type: "integer" },
      seconds: { type: "number", description: "Time that they cover; overlaps within a bucket count once." },
      days: { type: "integer", description: "Days that they touch." },
      groups: { type: "integer", description: "Groups, where these were asked for." },
      first: { anyOf: [{ $ref: "#/components/schemas/Timestamp" }, { type: "null" }] },
      last: { anyOf: [{ $ref: "#/components/schemas/Timestamp" }, { type: "null" }] },
    },
  },
  SearchResult: {
    type: "object",
    description: "What was found.",
    required: ["rows", "summary"],
    properties: {
      rows: {
        type: "array",
        items: {
          anyOf: [{ $ref: "#/components/schemas/SearchEvent" }, { $ref: "#/components/schemas/SearchGroup" }],
        },
      },
      summary: { $ref: "#/components/schemas/SearchSummary" },
    },
  },
  CsvTable: { type: "string", description: "A table with a header, as RFC 4180 has it." },
} as const;
