import { isJsonObject, type JsonObject, type JsonValue } from "./json.js";

/** A path into data: a key, a key in its value, and so on. */
export type Path = readonly string[];

/** The value at a path in data. Ignores inherited properties. */
export function valueAt(data: JsonObject, path: Path): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** Whether a string in a list or an object, at any depth, passes a test. Runs in steps, without recursion. */
export function* someText(
  container: JsonValue,
  test: (text: string) => boolean | Generator<void, boolean, void>,
): Generator<void, boolean, void> {
  const waiting: JsonValue[] = [container];
  for (let count = 1; waiting.length > 0; count++) {
    const value = waiting.pop() as JsonValue;
    if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) waiting.push(member as JsonValue);
    } else if (typeof value === "string") {
      const answer = test(value);
      if (typeof answer === "boolean" ? answer : yield* answer) return true;
    }
    if (count % 1000 === 0) yield;
  }
  return false;
}
