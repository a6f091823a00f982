import { isJsonObject, type JsonObject, type JsonValue, sameJson } from "../domain/json.js";
import { type Budget, compileRegex, type Regex, RegexLimitError } from "../regex/regex.js";
import type { Path, ReadRule } from "./rule.js";

/** Work in steps: each `yield` is a place to let others run. */
export type Steps<Result> = Generator<void, Result, void>;

/**
 * Steps of work that a pattern may take for one value, about a second. A value that takes more is treated as one that
 * matches: what cannot be decided is hidden.
 */
const MOST_STEPS = 50_000_000;
/** How long one slice of a search may take, in milliseconds. */
const SLICE_MILLIS = 2;

class TooMuchWork extends Error {}

/** Whether data meet the condition of a rule. */
export type Condition = (data: JsonObject) => boolean | Steps<boolean>;

/** Compiles the condition of a rule. */
export function conditionOf({ test }: ReadRule): Condition {
  if (test === undefined) return () => true;
  const { path } = test;
  if ("equals" in test) {
    const { equals } = test;
    return (data) => {
      const found = valueAt(data, path);
      return found !== undefined && sameJson(found, equals);
    };
  }
  const regex = compileRegex(test.pattern, { ignoreCase: test.ignoreCase });
  return (data) => {
    const found = valueAt(data, path);
    if (typeof found === "string") return search(regex, found);
    return typeof found === "object" && found !== null ? searchAll(regex, found) : false;
  };
}

function valueAt(data: JsonObject, path: Path): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** Every text that a list or an object holds, without recursion. */
function* searchAll(regex: Regex, container: JsonValue): Steps<boolean> {
  const waiting: JsonValue[] = [container];
  for (let count = 0; waiting.length > 0; count++) {
    const value = waiting.pop() as JsonValue;
    if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) waiting.push(member as JsonValue);
    } else if (typeof value === "string") {
      const answer = search(regex, value);
      if (typeof answer === "boolean" ? answer : yield* answer) return true;
    }
    if (count % 1000 === 999) yield;
  }
  return false;
}

function search(regex: Regex, text: string): boolean | Steps<boolean> {
  let deadline = performance.now() + SLICE_MILLIS;
  let steps = 0;
  const budget: Budget = {
    spend(more) {
      steps += more;
      if (steps > MOST_STEPS) throw new TooMuchWork();
    },
    isSliceOver: () => performance.now() > deadline,
  };
  const answer = orTrue(() => regex.test(text, budget));
  if (typeof answer === "boolean") return answer;
  return (function* (): Steps<boolean> {
    for (;;) {
      yield;
      deadline = performance.now() + SLICE_MILLIS;
      const known = orTrue(() => answer.go());
      if (known !== undefined) return known;
    }
  })();
}

function orTrue<Answer>(work: () => Answer): Answer | true {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof TooMuchWork || thrown instanceof RegexLimitError) return true;
    throw thrown;
  }
}
