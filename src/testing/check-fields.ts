import { isJsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { mustBe, shownValue } from "../errors.js";
import { toDuration } from "../service/input-coercion.js";
import { invalid } from "../service/validation.js";

/** @throws ActivityError `INVALID_INPUT` that names the field */
export function parsePositiveDuration(value: unknown, field: string): Micros {
  const micros = toDuration(value, field);
  if (micros > 0) return micros;
  throw mustBe(field, "a duration above 0", value);
}

/**
 * Checks the argument of a function for tests: an object without unknown fields. Fields that are `undefined` are
 * ignored.
 *
 * @throws ActivityError `INVALID_INPUT` that names the field
 */
export function checkFields<Field extends string>(
  value: unknown,
  known: readonly Field[],
  owner: string,
): Partial<Readonly<Record<Field, unknown>>> {
  if (!isJsonObject(value)) {
    throw mustBe(`the argument of ${owner}`, "an object", value);
  }
  const given: Partial<Record<Field, unknown>> = {};
  for (const [name, content] of Object.entries(value)) {
    const field = known.find((other) => other === name);
    if (field === undefined) throw invalid(`unknown field ${shownValue(name)} in ${owner}; use ${known.join(", ")}`);
    if (content !== undefined) given[field] = content;
  }
  return given;
}
