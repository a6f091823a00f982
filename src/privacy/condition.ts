import { isJsonObject, type JsonObject, type JsonValue, sameJson } from "../domain/json.js";
import { someText, valueAt } from "../domain/json-path.js";
import { compileRegex, type Regex, RegexLimitError } from "../regex/regex.js";
import { searchText, WorkLimitError } from "../regex/search-text.js";
import { composed } from "../util/composed.js";
import type { ReadRule } from "./rule.js";

/** A computation in steps: other work can run at each `yield`. */
export type Steps<Result> = Generator<void, Result, void>;

/** Whether data meet the condition of a rule. */
export type Condition = (data: JsonObject) => boolean | Steps<boolean>;

/** Compiles the condition of a rule. */
export function compileCondition({ test }: ReadRule): Condition {
  if (test === undefined) return () => true;
  const { path } = test;
  if ("equals" in test) {
    const equals = composeJson(test.equals);
    return (data) => {
      const found = valueAt(data, path);
      return typeof found === typeof equals && sameJson(composeJson(found as JsonValue), equals);
    };
  }
  const regex = compileRegex(test.pattern, { ignoreCase: test.ignoreCase, canonical: true });
  const search = (text: string) => searchOrTrue(regex, text);
  return (data) => {
    const found = valueAt(data, path);
    if (typeof found === "string") return search(found);
    return typeof found === "object" && found !== null ? someText(found, search) : false;
  };
}

/** Composes the strings of a value; its keys do not change. */
function composeJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return composed(value);
  if (Array.isArray(value)) return value.map(composeJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, composeJson(member)]));
}

/** Treats a search that takes too long as a match, so that the data stay hidden. */
function searchOrTrue(regex: Regex, text: string): boolean | Steps<boolean> {
  try {
    const answer = searchText(regex, text);
    return typeof answer === "boolean" ? answer : finishOrTrue(answer);
  } catch (thrown) {
    if (isLimitError(thrown)) return true;
    throw thrown;
  }
}

function* finishOrTrue(steps: Steps<boolean>): Steps<boolean> {
  try {
    return yield* steps;
  } catch (thrown) {
    if (isLimitError(thrown)) return true;
    throw thrown;
  }
}

function isLimitError(thrown: unknown): boolean {
  return thrown instanceof WorkLimitError || thrown instanceof RegexLimitError;
}
