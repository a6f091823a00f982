/** docs/search.md. */
export const SEARCH_OPERATIONS = {
  search: {
    route: "GET /api/0/search",
    summary: "Search the events of all buckets",
    description: `Lists the events that meet a filter, or counts them by day or by the value of a key, the longest
      first; the summary is of all that was found, whatever the limit. As lines (\`Accept: application/x-ndjson\`) rows
      come as they are found, with \`{"summary": ...}\` in the last line.`,
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
    says: "What was found.",
    example: {
      rows: [
        {
          key: "browser",
          events: 1,
          seconds: 52.5,
          first: "2024-03-01T10:00:07.500000+00:00",
          last: "2024-03-01T10:01:00+00:00",
        },
        {
          key: "editor",
          events: 1,
          seconds: 7.5,
          first: "2024-03-01T10:00:00+00:00",
          last: "2024-03-01T10:00:07.500000+00:00",
        },
      ],
      summary: {
        events: 2,
        seconds: 60,
        days: 1,
        groups: 2,
        first: "2024-03-01T10:00:00+00:00",
        last: "2024-03-01T10:01:00+00:00",
      },
    },
    others: { "application/x-ndjson": "JsonLines", "text/csv": "CsvTable" },
  },
} as const;
