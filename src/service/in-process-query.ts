import { objectsOfResults } from "../codec/result-objects.js";
import type { JsonValue } from "../domain/json.js";
import type { TimeInput } from "../domain/time.js";
import { AbandonedError } from "../errors.js";
import type { Value } from "../query/values.js";
import { parseTimeperiod, type Timeperiod, timeperiodOf } from "../query/window.js";
import { createTimeSlice, type TimeSlice } from "../util/time-slice.js";
import { microsOf } from "./input-coercion.js";
import type { ActivityService } from "./service.js";
import { checkedText, invalid, shown } from "./validation.js";

/** A period of a query, as a program has it; both ends are included. */
export type TimeperiodInput = string | { readonly start: TimeInput; readonly end: TimeInput };

/** What a program asks (docs/query.md). */
export interface QueryInput {
  /** `"start/end"` texts, or objects. The program is carried out once for each. */
  readonly timeperiods: readonly TimeperiodInput[];
  /** The text of the program, or its lines. */
  readonly query: string | readonly string[];
  /** Value of the variable NAME. @default "" */
  readonly name?: string;
  /** Ends the query when nobody waits for it any more; it rejects with the reason. */
  readonly signal?: AbortSignal;
}

/**
 * Carries a program out, and gives what `POST /api/0/query` answers: times as texts and lengths in seconds, since that
 * is what programs of the language calculate with. `Result` is what the caller knows of them; nobody checks it.
 *
 * @throws ActivityError `INVALID_INPUT`, `QUERY_FAILED` with `type` and `place`, `QUERY_TOO_LARGE`; the reason of the
 *   signal when it has aborted
 */
export async function runQuery<Result = JsonValue>(service: ActivityService, input: QueryInput): Promise<Result[]> {
  if (typeof input !== "object" || input === null) throw invalid(`the query is ${shown(input)}; an object is expected`);
  const { timeperiods, query, name = "", signal } = input;
  if (!Array.isArray(timeperiods)) throw invalid(`timeperiods is ${shown(timeperiods)}; a list of periods is expected`);
  const lines = typeof query === "string" ? [query] : query;
  if (!Array.isArray(lines)) throw invalid(`query is ${shown(query)}; a text or a list of texts is expected`);
  const isGone = (): boolean => signal?.aborted === true;
  const timeSlice = createTimeSlice();
  try {
    const results = await service.query({
      text: lines.map((line: unknown, index) => checkedText(line, `query[${index}]`)).join("\n"),
      periods: await periodsOf(timeperiods, timeSlice),
      name: checkedText(name, "name"),
      isGone,
    });
    return (await made(results, timeSlice, isGone)) as Result[];
  } catch (thrown) {
    throw toldBy(signal, thrown);
  }
}

/** What a program is told: if nobody waited any more, why. */
export function toldBy(signal: AbortSignal | undefined, thrown: unknown): unknown {
  return thrown instanceof AbandonedError ? signal?.reason : thrown;
}

/** Others want to be served while a large answer is made. */
async function made(results: readonly Value[], timeSlice: TimeSlice, isGone: () => boolean): Promise<JsonValue[]> {
  const making = objectsOfResults(results);
  for (;;) {
    const step = making.next();
    if (step.done) return step.value;
    if (isGone()) throw new AbandonedError();
    await timeSlice.yield();
  }
}

/** Reads perhaps thousands of periods, as they are when it begins. */
async function periodsOf(values: readonly unknown[], timeSlice: TimeSlice): Promise<Timeperiod[]> {
  const periods: Timeperiod[] = [];
  for (const [index, value] of [...values].entries()) {
    periods.push(periodOf(value, index));
    await timeSlice.yield();
  }
  return periods;
}

function periodOf(value: unknown, index: number): Timeperiod {
  const field = `timeperiods[${index}]`;
  const read = typeof value === "string" ? parseTimeperiod(value) : undefined;
  if (read !== undefined) return read;
  if (typeof value === "object" && value !== null && "start" in value && "end" in value) {
    return timeperiodOf(microsOf(value.start, `start of ${field}`), microsOf(value.end, `end of ${field}`));
  }
  throw invalid(`${field} is ${shown(value)}; "start/end" with two times, or an object of start and end, is expected`);
}
