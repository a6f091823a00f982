import { isJsonObject, type JsonObject, type JsonValue, sameJson } from "../domain/json.js";
import { holdsText, valueAt } from "../domain/json-path.js";
import { searchText, TooMuchWork } from "../regex/bounded.js";
import { compileRegex, type Regex, RegexLimitError } from "../regex/regex.js";
import { composed } from "../util/composed.js";
import type { ReadRule } from "./rule.js";

/** A computation in steps: other work can run at each `yield`. */
export type Steps<Result> = Generator<void, Result, void>;

/** Whether data meet the condition of a rule. */
export type Condition = (data: JsonObject) => boolean | Steps<boolean>;

/** Compiles the condition of a rule. */
export function conditionOf({ test }: ReadRule): Condition {
  if (test === undefined) return () => true;
  const { path } = test;
  if ("equals" in test) {
    const equals = composedJson(test.equals);
    return (data) => {
      const found = valueAt(data, path);
      return typeof found === typeof equals && sameJson(composedJson(found as JsonValue), equals);
    };
  }
  const regex = compileRegex(test.pattern, { ignoreCase: test.ignoreCase, canonical: true });
  const search = (text: string) => orTrue(regex, text);
  return (data) => {
    const found = valueAt(data, path);
    if (typeof found === "string") return search(found);
    return typeof found === "object" && found !== null ? holdsText(found, search) : false;
  };
}

/** Composes the strings of a value; its keys do not change. */
function composedJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return composed(value);
  if (Array.isArray(value)) return value.map(composedJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, composedJson(member)]));
}

/** Treats a search that takes too long as a match, so that the data stay hidden. */
function orTrue(regex: Regex, text: string): boolean | Steps<boolean> {
  try {
    const answer = searchText(regex, text);
    return typeof answer === "boolean" ? answer : orTrueLater(answer);
  } catch (thrown) {
    if (isTooMuch(thrown)) return true;
    throw thrown;
  }
}

function* orTrueLater(steps: Steps<boolean>): Steps<boolean> {
  try {
    return yield* steps;
  } catch (thrown) {
    if (isTooMuch(thrown)) return true;
    throw thrown;
  }
}

function isTooMuch(thrown: unknown): boolean {
  return thrown instanceof TooMuchWork || thrown instanceof RegexLimitError;
}
