import { summarizedRows } from "../util/summarized-rows.js";
import type { CallOptions, ClientGroupedSearch, ClientSearch, ClientSearchRows } from "./client-types.js";
import type { ClientSearchSummary } from "./index.js";
import type { Transport } from "./transport.js";

/** Creates the search call. Rows arrive as soon as the server has found them. */
export function searchOf({ text }: Transport) {
  return <Row>(search: ClientSearch | ClientGroupedSearch, options?: CallOptions): ClientSearchRows<Row> => {
    const lines = text("GET /api/0/search", { ...options, query: { ...search, format: "ndjson" } });
    return summarizedRows<Row, ClientSearchSummary>(async function* (setSummary) {
      for await (const line of linesOf(lines)) {
        const row = JSON.parse(line) as Row | { readonly summary: ClientSearchSummary };
        if (typeof row === "object" && row !== null && "summary" in row) setSummary(row.summary);
        else yield row;
      }
    }, TypeError);
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
