// Input and output of queries, converted in time slices, since there may be thousands of periods and results.
import type { JsonValue } from "../domain/json.js";
import { wireMillisRemedy } from "../domain/millis.js";
import { AbandonedError, shownValue } from "../errors.js";
import type { Value } from "../query/values.js";
import type { Timeperiod } from "../query/window.js";
import { invalid } from "../service/validation.js";
import { createTimeSlice } from "../util/time-slice.js";
import { copyResults } from "./result-objects.js";

/** Converts the results to JSON values. @throws AbandonedError when the client has disconnected */
export async function resultsToJson(results: readonly Value[], isGone: () => boolean): Promise<JsonValue[]> {
  const timeSlice = createTimeSlice();
  const making = copyResults(results);
  for (;;) {
    const step = making.next();
    if (step.done) return step.value;
    if (isGone()) throw new AbandonedError();
    await timeSlice.yield();
  }
}

/**
 * Parses periods, from a copy of the list.
 *
 * @param read returns `undefined` for an invalid period; receives the name of the value for its own messages
 * @throws ActivityError `INVALID_INPUT`
 */
export async function parsePeriods<Given>(
  values: readonly Given[],
  read: (value: Given, field: string) => Timeperiod | undefined,
): Promise<Timeperiod[]> {
  const timeSlice = createTimeSlice();
  const periods: Timeperiod[] = [];
  for (const [index, value] of [...values].entries()) {
    const field = `timeperiods[${index}]`;
    const period = read(value, field);
    if (period === undefined) {
      const wanted = "two times with a slash between them, as in 2024-03-01/2024-03-02";
      const remedy = typeof value === "string" ? wireMillisRemedy(value.split("/")[0]) : "";
      throw invalid(`${field} must be ${wanted}, got ${shownValue(value)}${remedy && `; ${remedy}`}`);
    }
    periods.push(period);
    await timeSlice.yield();
  }
  return periods;
}
