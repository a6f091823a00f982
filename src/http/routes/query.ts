import type { QUERY_OPERATIONS } from "../../api/subjects/query.js";
import { parsePeriods, resultsToJson } from "../../codec/query-values.js";
import { resultsAsCsv } from "../../codec/serialize-csv.js";
import { parseTimeperiod } from "../../query/window.js";
import { invalid } from "../../service/validation.js";
import { gather } from "../buffering.js";
import { withClientWatch } from "../client-watch.js";
import { csvFilename, csvResponse, formatOf } from "../media.js";
import { jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";
import { readBody } from "./action-handlers.js";

/** docs/reference/api.md#queries. */
export const queryHandlers: Handlers<keyof typeof QUERY_OPERATIONS> = {
  async query(request, context) {
    const { service, query, serializers } = context;
    const format = formatOf(request, query, ["json", "csv"]);
    const { timeperiods, query: lines, variables } = await readBody("Query", request, context);
    return withClientWatch(request, async (isGone) => {
      const periods = await parsePeriods(timeperiods, parseTimeperiod);
      const name = query.get("name") ?? "";
      const results = await service.visible.query({
        text: lines.join("\n"),
        periods,
        name,
        variables: variables ?? {},
        isGone,
      });
      if (format === "csv") {
        const table = resultsAsCsv(await resultsToJson(results, isGone), timeperiods);
        if (table !== undefined) return csvResponse(table, csvFilename(name || "query"));
        throw invalid("the result is not a table; RETURN a list of events or dicts, or request application/json");
      }
      // Shared room is already released: a slow client delays only itself.
      return jsonResponse(await gather(serializers.results.serialize(results)));
    });
  },
};
