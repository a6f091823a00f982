// Variables that a request sets before a program runs. They are values, and never part of the program's text.

import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { fieldUnfit, quote } from "../errors.js";
import { RESULT } from "./ast.js";
import type { QueryBudget } from "./budget.js";
import { isVariableName } from "./parser.js";
import { recordSize } from "./size.js";
import type { Value } from "./values.js";
import { WINDOW_VARIABLES } from "./window.js";

/** Variables that have another source. */
const TAKEN: readonly string[] = ["NAME", RESULT, ...Object.values(WINDOW_VARIABLES)];

/**
 * Makes values of the variables of a request.
 *
 * @throws ActivityError `INVALID_INPUT` for a name that no program can use, `QUERY_TOO_LARGE`
 */
export function readVariables(variables: JsonObject, budget: QueryBudget): Map<string, Value> {
  return new Map(
    Object.entries(variables).map(([name, json]) => {
      if (TAKEN.includes(name)) throw fieldUnfit("variables", `must not set ${name}, which the server sets`);
      if (isVariableName(name)) return [name, fromJson(json, budget)];
      throw fieldUnfit(
        "variables",
        `must have names of letters, digits and _ that are not keywords, got ${quote(name)}`,
      );
    }),
  );
}

function fromJson(json: JsonValue, budget: QueryBudget): Value {
  if (Array.isArray(json)) {
    const items = json.map((item: JsonValue) => fromJson(item, budget));
    return recordSize(items, items, budget);
  }
  if (!isJsonObject(json)) return json as Exclude<JsonValue, JsonObject | readonly JsonValue[]>;
  const members = new Map(Object.entries(json).map(([key, member]) => [key, fromJson(member, budget)]));
  return recordSize(members, members.values(), budget);
}
