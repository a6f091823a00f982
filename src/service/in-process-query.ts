import { decode } from "../api/codec.js";
import type { Schema } from "../api/schema.js";
import { parsePeriods, resultsToJson } from "../codec/query-values.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import type { TimeInput } from "../domain/time.js";
import { AbandonedError, mustBe } from "../errors.js";
import { createTimeperiod, parseTimeperiod, type Timeperiod } from "../query/window.js";
import { copyJson, toTimestamp } from "./input-coercion.js";
import { PROGRAM } from "./program-source.js";
import type { Service } from "./service.js";
import { parseString, refuseDefect } from "./validation.js";

/** A period of a query as programs write it; both ends are included. */
export type TimeperiodInput = string | { readonly start: TimeInput; readonly end: TimeInput };

/** A query of a program (docs/reference/query.md). */
export interface QueryInput {
  /** `"start/end"` strings, or objects. The query runs once for each. */
  readonly timeperiods: readonly TimeperiodInput[];
  /** The query, or its lines. */
  readonly query: string | readonly string[];
  /** Value of the variable NAME. @default "" */
  readonly name?: string | undefined;
  /**
   * Plain JSON values of variables by name, for use in the query. Never build a query from user input: pass it here.
   */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Ends the query if the caller has left; it rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a query and returns the response of `POST /api/0/query`: times as strings and durations in seconds, since the
 * query language calculates with those. `Result` is the caller's type, which is not checked.
 *
 * @throws ActivityError `INVALID_INPUT`, `QUERY_FAILED` with `type` and `place`, `QUERY_TOO_LARGE`; the reason of the
 *   signal after an abort
 */
export async function runQuery<Result = JsonValue>(service: Service, input: QueryInput): Promise<Result[]> {
  if (typeof input !== "object" || input === null) throw mustBe("the query", "an object", input);
  const { timeperiods, query, name = "", variables = {}, signal } = input;
  if (!Array.isArray(timeperiods)) throw mustBe("timeperiods", "a list of periods", timeperiods);
  const lines = decode(LINES, query, "query", PROGRAM) as string | readonly string[];
  const isGone = (): boolean => signal?.aborted === true;
  try {
    const results = await service.visible.query({
      text: typeof lines === "string" ? lines : lines.join("\n"),
      periods: await parsePeriods(timeperiods, parsePeriod),
      name: parseString(name, "name"),
      variables: parseVariables(variables),
      isGone,
    });
    return (await resultsToJson(results, isGone)) as Result[];
  } catch (thrown) {
    throw toCallerError(signal, thrown);
  }
}

/** @throws ActivityError `INVALID_INPUT` for a value that is not plain JSON */
function parseVariables(given: Readonly<Record<string, unknown>>): JsonObject {
  const copy = copyJson(given, "variables");
  if (!isJsonObject(copy)) throw mustBe("variables", "an object", given);
  refuseDefect(copy, "variables");
  return copy;
}

const LINES: Schema = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };

function parsePeriod(value: unknown, field: string): Timeperiod | undefined {
  if (typeof value === "string") return parseTimeperiod(value);
  if (typeof value !== "object" || value === null || !("start" in value && "end" in value)) return undefined;
  return createTimeperiod(toTimestamp(value.start, `start of ${field}`), toTimestamp(value.end, `end of ${field}`));
}

/** The error for the caller: the reason of the signal if it was aborted. */
export function toCallerError(signal: AbortSignal | undefined, thrown: unknown): unknown {
  return thrown instanceof AbandonedError ? signal?.reason : thrown;
}
