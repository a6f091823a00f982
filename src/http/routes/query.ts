import type { QUERY_OPERATIONS } from "../../api/subjects/query.js";
import { objectsOfResults } from "../../codec/result-objects.js";
import { resultsAsCsv } from "../../codec/serialize-csv.js";
import type { JsonValue } from "../../domain/json.js";
import type { Value } from "../../query/values.js";
import { parseTimeperiod, type Timeperiod } from "../../query/window.js";
import { invalid, shown } from "../../service/validation.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { readObject } from "../body.js";
import { gather } from "../buffering.js";
import { csvFilename, csvResponse, formatOf } from "../media.js";
import { type Chunk, jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";
import { whileThere } from "../while-there.js";

/** docs/api.md#queries. */
export const queryHandlers: Handlers<keyof typeof QUERY_OPERATIONS> = {
  async query(request, { service, query, limits, serializers }) {
    const format = formatOf(request, query, ["json", "csv"]);
    const body = await readObject(request, limits);
    const timeperiods = textsIn(body.timeperiods, "timeperiods");
    const text = textsIn(body.query, "query").join("\n");
    return whileThere(request, async (isGone) => {
      const periods = await parsePeriods(timeperiods);
      const name = query.get("name") ?? "";
      const results = await service.query({ text, periods, name, isGone });
      if (format === "csv") return csvResponse(await tableOf(results, timeperiods), csvFilename(name || "query"));
      // What others wait for is given back by now: a client that does not read holds up nobody but itself.
      return jsonResponse(await gather(chunksOf(serializers.results.serialize(results))));
    });
  },
};

/** @throws ActivityError `INVALID_INPUT` for results that are no tables */
async function tableOf(results: readonly Value[], timeperiods: readonly string[]): Promise<string> {
  const making = objectsOfResults(results);
  const timeSlice = createTimeSlice();
  let step = making.next();
  for (; step.done !== true; step = making.next()) await timeSlice.yield();
  const table = resultsAsCsv(step.value, timeperiods);
  if (table !== undefined) return table;
  throw invalid("the result is no table; RETURN a list of events or of dicts, or ask for application/json");
}

function textsIn(value: JsonValue | undefined, field: string): readonly string[] {
  if (!Array.isArray(value)) throw invalid(`${field} is ${shown(value)}; a list of texts is expected`);
  const wrong = value.findIndex((item) => typeof item !== "string");
  if (wrong >= 0) throw invalid(`${field}[${wrong}] is ${shown(value[wrong])}; a text is expected`);
  return value as readonly string[];
}

/** A request may have thousands of them. */
async function parsePeriods(texts: readonly string[]): Promise<Timeperiod[]> {
  const timeSlice = createTimeSlice();
  const periods: Timeperiod[] = [];
  for (const [index, text] of texts.entries()) {
    periods.push(parsePeriod(text, index));
    await timeSlice.yield();
  }
  return periods;
}

function parsePeriod(text: string, index: number): Timeperiod {
  const period = parseTimeperiod(text);
  if (period !== undefined) return period;
  throw invalid(
    `timeperiods[${index}] is ${shown(text)}; two times with a slash between them are expected, ` +
      "like 2024-03-01T00:00:00Z/2024-03-02T00:00:00Z",
  );
}

async function* chunksOf(chunks: Iterable<Chunk>): AsyncGenerator<Chunk> {
  yield* chunks;
}
