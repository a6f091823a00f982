import { isJsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { invalid, shown } from "../service/validation.js";

/** A length of time: microseconds, or a number with its unit, as in `"500ms"`, `"5s"`, `"10m"` or `"1.5h"`. */
export type Length = Micros | `${number}${"ms" | "s" | "m" | "h"}`;

const MICROS_OF: Readonly<Record<string, Micros>> = { ms: 1_000, s: 1_000_000, m: 60_000_000, h: 3_600_000_000 };
const WITH_UNIT = /^(-?\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** @throws ActivityError `INVALID_INPUT` that names the field */
export function lengthOf(value: unknown, field: string): Micros {
  const [, number, unit = ""] = (typeof value === "string" && WITH_UNIT.exec(value)) || [];
  const micros = number === undefined ? value : Math.round(Number(number) * (MICROS_OF[unit] ?? Number.NaN));
  // `+ 0` turns -0 into 0.
  if (typeof micros === "number" && Number.isSafeInteger(micros)) return micros + 0;
  throw invalid(`${field} is ${shown(value)}; whole microseconds or a length like '5s', '10m' or '8h' is expected`);
}

/** @throws ActivityError `INVALID_INPUT` that names the field */
export function positiveLengthOf(value: unknown, field: string): Micros {
  const micros = lengthOf(value, field);
  if (micros > 0) return micros;
  throw invalid(`${field} is ${shown(value)}; a length above 0 is expected`);
}

/**
 * What was given to one of the functions for tests: an object without fields that would be overlooked. Fields that are
 * `undefined` count as not given.
 *
 * @throws ActivityError `INVALID_INPUT` that names the field
 */
export function fieldsOf<Field extends string>(
  value: unknown,
  known: readonly Field[],
  owner: string,
): Partial<Readonly<Record<Field, unknown>>> {
  if (!isJsonObject(value)) {
    throw invalid(`${owner} was given ${value === undefined ? "nothing" : shown(value)}; an object is expected`);
  }
  const given: Partial<Record<Field, unknown>> = {};
  for (const [name, content] of Object.entries(value)) {
    const field = known.find((other) => other === name);
    if (field === undefined) throw invalid(`${owner} knows no ${shown(name)}; it takes ${known.join(", ")}`);
    if (content !== undefined) given[field] = content;
  }
  return given;
}
