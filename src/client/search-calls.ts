import type { CallOptions, ClientGroupedSearch, ClientSearch, ClientSearchRows } from "./client-types.js";
import type { ClientSearchSummary } from "./index.js";
import type { Transport } from "./transport.js";

/** Creates the search call. Rows arrive as soon as the server has found them. */
export function searchOf({ text }: Transport) {
  return <Row>(search: ClientSearch | ClientGroupedSearch, options?: CallOptions): ClientSearchRows<Row> =>
    rowsOf(text("GET /api/0/search", { ...options, query: { ...search, format: "ndjson" } }));
}

function rowsOf<Row>(text: AsyncIterable<string>): ClientSearchRows<Row> {
  let summary: ClientSearchSummary | undefined;
  let rows: AsyncGenerator<Row> | undefined;
  async function* read(): AsyncGenerator<Row> {
    summary = undefined;
    for await (const line of linesOf(text)) {
      const row = JSON.parse(line) as Row | { readonly summary: ClientSearchSummary };
      if (typeof row === "object" && row !== null && "summary" in row) summary = row.summary;
      else yield row;
    }
  }
  return {
    [Symbol.asyncIterator]() {
      rows = read();
      return rows;
    },
    async summary() {
      rows ??= read();
      for await (const _row of rows) {
        // The summary does not need the rows.
      }
      if (summary === undefined) throw new TypeError("the search has no summary, because it was stopped early");
      return summary;
    },
  };
}

/** The lines of a string that arrives in chunks. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line;
  }
  if (rest !== "") yield rest;
}
