import type { JsonObject, JsonValue } from "../domain/json.js";
import { holdsText, type Path, valueAt } from "../domain/json-path.js";
import { caseless, composed } from "../util/composed.js";

/** Work in steps: each `yield` is a place to let others run. */
export type Steps<Result> = Generator<void, Result, void>;

/** Whether data pass a test. Most tests end at once; what takes long gives steps. */
export type Check = (data: JsonObject) => boolean | Steps<boolean>;

/** The value of a key, as a text, is this one; of a list, one of its members. */
export function equalsCheck(path: Path, value: string): Check {
  const wanted = composed(value);
  return (data) => {
    const found = valueAt(data, path);
    return Array.isArray(found) ? found.some((member) => isText(member, wanted)) : isText(found, wanted);
  };
}

function isText(found: JsonValue | undefined, wanted: string): boolean {
  return found !== undefined && (typeof found !== "object" || found === null) && composed(String(found)) === wanted;
}

/** A text of a key contains this one, whatever the case. */
export function containsCheck(path: Path | undefined, text: string): Check {
  const wanted = caseless(text);
  return textCheck(path, (found) => caseless(found).includes(wanted));
}

/** A text that a key holds, on any level, passes a test; without a path any text of the data. */
export function textCheck(path: Path | undefined, test: (text: string) => boolean | Steps<boolean>): Check {
  if (path === undefined) return (data) => anyMember(data, test);
  return (data) => {
    const found = valueAt(data, path);
    if (typeof found === "string") return test(found);
    return typeof found === "object" && found !== null ? holdsText(found, test) : false;
  };
}

/** Most data are a few texts: no steps are made for them unless one is needed. */
function anyMember(data: JsonObject, test: (text: string) => boolean | Steps<boolean>): boolean | Steps<boolean> {
  for (const value of Object.values(data)) {
    if (typeof value === "object" && value !== null) return holdsText(data, test);
    if (typeof value !== "string") continue;
    const answer = test(value);
    if (answer === true) return true;
    // Begins anew: what was searched so far is short beside this one.
    if (typeof answer !== "boolean") return holdsText(data, test);
  }
  return false;
}
