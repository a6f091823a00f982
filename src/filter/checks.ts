import type { JsonObject, JsonValue } from "../domain/json.js";
import { type Path, someText, valueAt } from "../domain/json-path.js";
import { caseless, composed } from "../util/composed.js";

/** A computation in steps: other work can run at each `yield`. */
export type Steps<Result> = Generator<void, Result, void>;

/** Whether data pass a test. Most tests finish immediately; a slow one returns steps. */
export type Check = (data: JsonObject) => boolean | Steps<boolean>;

/** Whether the value of a key, as a string, equals `value`. For a list, whether a member equals it. */
export function equalsCheck(path: Path, value: string): Check {
  const wanted = composed(value);
  return (data) => {
    const found = valueAt(data, path);
    return Array.isArray(found) ? found.some((member) => equalsText(member, wanted)) : equalsText(found, wanted);
  };
}

function equalsText(found: JsonValue | undefined, wanted: string): boolean {
  return found !== undefined && (typeof found !== "object" || found === null) && composed(String(found)) === wanted;
}

/** Whether a string under a key contains `text`, ignoring case. */
export function containsCheck(path: Path | undefined, text: string): Check {
  const wanted = caseless(text);
  return textCheck(path, (found) => caseless(found).includes(wanted));
}

/** Whether a string under a key, at any depth, passes a test; without a path, any string of the data. */
export function textCheck(path: Path | undefined, test: (text: string) => boolean | Steps<boolean>): Check {
  if (path === undefined) return (data) => searchMembers(data, test);
  return (data) => {
    const found = valueAt(data, path);
    if (typeof found === "string") return test(found);
    return typeof found === "object" && found !== null ? someText(found, test) : false;
  };
}

/** Most data contain only a few strings, so that steps are created only if needed. */
function searchMembers(data: JsonObject, test: (text: string) => boolean | Steps<boolean>): boolean | Steps<boolean> {
  for (const value of Object.values(data)) {
    if (typeof value === "object" && value !== null) return someText(data, test);
    if (typeof value !== "string") continue;
    const answer = test(value);
    if (answer === true) return true;
    // Starts over: the previous strings are short compared with this one.
    if (typeof answer !== "boolean") return someText(data, test);
  }
  return false;
}
