import type { SEARCH_OPERATIONS } from "../../api/subjects/search.js";
import { searchAsCsv } from "../../codec/serialize-csv.js";
import { searchAsJson, searchAsLines } from "../../codec/serialize-search.js";
import { gather } from "../buffering.js";
import { watchClient } from "../client-watch.js";
import { csvFilename, csvResponse, formatOf, linesResponse } from "../media.js";
import { type Chunk, jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";
import { readQuery } from "./action-handlers.js";

/** docs/guides/search.md. */
export const searchHandlers: Handlers<keyof typeof SEARCH_OPERATIONS> = {
  async search(request, { service, query }) {
    const format = formatOf(request, query, ["json", "ndjson", "csv"]);
    const { format: _, ...wish } = readQuery("search", query);
    const { isGone, end } = watchClient(request);
    const wanted = { ...wish, isGone };
    const withEnd = (chunks: AsyncGenerator<Chunk>) => endAfter(chunks, end);
    const find = () => service.visible.search(wanted);
    if (format === "csv") {
      const table = searchAsCsv(find, wanted.group !== undefined);
      return csvResponse(await gather(withEnd(table)), csvFilename("search"));
    }
    if (format === "json") return jsonResponse(await gather(withEnd(searchAsJson(find()))));
    // The first rows are sent as soon as they are found.
    return linesResponse(await startReading(withEnd(searchAsLines(find()))));
  },
};

/** Chunks until their end, or until the consumer stops. */
async function* endAfter(chunks: AsyncGenerator<Chunk>, end: () => void): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } finally {
    end();
  }
}

/** Chunks with the first one already read: an earlier error can still become an error response. */
async function startReading(chunks: AsyncGenerator<Chunk>): Promise<AsyncIterable<Chunk>> {
  const first = await chunks.next();
  return (async function* () {
    try {
      if (first.done !== true) yield first.value;
      yield* chunks;
    } finally {
      await chunks.return(undefined);
    }
  })();
}
