import type { SEARCH_OPERATIONS } from "../../api/subjects/search.js";
import { searchAsCsv } from "../../codec/serialize-csv.js";
import { searchAsJson, searchAsLines } from "../../codec/serialize-search.js";
import { quote } from "../../errors.js";
import { parsePath } from "../../filter/term.js";
import type { SearchRequest } from "../../service/search/search.js";
import { invalid } from "../../service/validation.js";
import { gather } from "../buffering.js";
import { csvFilename, csvResponse, formatOf, linesResponse } from "../media.js";
import { parameterIn, parseFilter, parseLimit, parseRange } from "../parameters.js";
import { type Chunk, jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";
import { watchClient } from "../while-there.js";

/** docs/search.md. */
export const searchHandlers: Handlers<keyof typeof SEARCH_OPERATIONS> = {
  async search(request, { service, query }) {
    const format = formatOf(request, query, ["json", "ndjson", "csv"]);
    const wish = searchIn(query);
    const { isGone, end } = watchClient(request);
    const wanted = { ...wish, isGone };
    const toTheEnd = (chunks: AsyncGenerator<Chunk>) => endedBy(chunks, end);
    const find = () => service.search(wanted);
    if (format === "csv") {
      const table = searchAsCsv(find, wanted.group !== undefined);
      return csvResponse(await gather(toTheEnd(table)), csvFilename("search"));
    }
    if (format === "json") return jsonResponse(await gather(toTheEnd(searchAsJson(find()))));
    // The first rows go out when they are found.
    return linesResponse(await begun(toTheEnd(searchAsLines(find()))));
  },
};

/** @throws ActivityError `INVALID_INPUT` */
function searchIn(query: URLSearchParams): SearchRequest {
  const limit = parseLimit(query);
  const group = parameterIn(query, "group");
  const timeZone = parameterIn(query, "time_zone");
  const dayStart = parameterIn(query, "day_start");
  return {
    ...parseRange(query),
    terms: parseFilter(query),
    hosts: query.getAll("host"),
    buckets: query.getAll("bucket"),
    ...(group === null ? {} : { group: group === "day" ? group : parsePath(group) }),
    foldsNumbers: choiceOf(query, "numbers", ["keep", "fold"]) === "fold",
    order: choiceOf(query, "order", ["newest", "oldest"]),
    activeOnly: choiceOf(query, "active", ["false", "true"]) === "true",
    ...(limit === undefined ? {} : { limit }),
    ...(timeZone === null ? {} : { timeZone }),
    ...(dayStart === null ? {} : { dayStart }),
  };
}

/** One of a few words; the first of them where the parameter is missing. */
function choiceOf<const Choices extends readonly [string, ...string[]]>(
  query: URLSearchParams,
  name: "numbers" | "order" | "active",
  choices: Choices,
): Choices[number] {
  const given = parameterIn(query, name);
  if (given === null) return choices[0];
  const found = choices.find((choice) => choice === given);
  if (found !== undefined) return found;
  throw invalid(`query parameter ${name} is ${quote(given)}; ${choices.join(" or ")} is expected`);
}

/** Until its end, or until nobody takes it any more. */
async function* endedBy(chunks: AsyncGenerator<Chunk>, end: () => void): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } finally {
    end();
  }
}

/** Chunks of which the first one is there: what fails before it can still become an error response. */
async function begun(chunks: AsyncGenerator<Chunk>): Promise<AsyncIterable<Chunk>> {
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
