/** Schemas of searches (docs/search.md). */
export const SEARCH_SCHEMAS = {
  SearchEvent: {
    description: "An event that was found, cut to the range, or a part of it that was active.",
    properties: {
      bucket: { type: "string", description: "The id of its bucket." },
      id: { $ref: "#/components/schemas/EventId" },
      timestamp: { $ref: "#/components/schemas/Timestamp" },
      duration: { $ref: "#/components/schemas/Duration" },
      data: { $ref: "#/components/schemas/EventData" },
    },
  },
  SearchGroup: {
    description: "Events that are alike.",
    properties: {
      key: { type: ["string", "null"], description: "The day, or the value of the key; null: they do not have it." },
      events: { type: "integer", description: "How many there are; of a day all that touch it." },
      seconds: { type: "number", description: "Time that they cover; overlaps within a bucket count once." },
      first: { $ref: "#/components/schemas/Timestamp" },
      last: { $ref: "#/components/schemas/Timestamp" },
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
      first: { $ref: "#/components/schemas/TimestampOrNull" },
      last: { $ref: "#/components/schemas/TimestampOrNull" },
    },
  },
  SearchResult: {
    description: "What was found.",
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
