import { type JsonObject, sameJson } from "../../../domain/json.js";

/** Keys that differ between two states of data, in the order of the first. */
export function changedKeys(before: JsonObject, after: JsonObject): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => {
    const [left, right] = [before[key], after[key]];
    return left === undefined || right === undefined || !sameJson(left, right);
  });
}
