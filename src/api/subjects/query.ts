/** docs/reference/api.md#queries. */
export const QUERY_OPERATIONS = {
  query: {
    route: "POST /api/0/query",
    summary: "Run a query",
    description: `Runs the program once for each period. \`RETURN\` sets its result. The package describes the language
      in docs/reference/query.md.`,
    needs: "listed",
    readsOnly: true,
    parameters: ["name", "format"],
    body: "Query",
    sends: {
      timeperiods: ["2024-03-01T00:00:00Z/2024-03-02T00:00:00Z"],
      query: ['events = query_bucket("window_desk");', "RETURN = sum_durations(events);"],
    },
    answer: "QueryResults",
    example: [60],
    others: { "text/csv": "CsvTable" },
    errors: ["QUERY_FAILED", "QUERY_TOO_LARGE"],
  },
} as const;
