import type { JsonObject } from "../domain/json.js";
import { quote } from "../errors.js";
import { invalid, shown } from "../service/validation.js";

/** A switch of a body; off where it is missing. @throws ActivityError `INVALID_INPUT` */
export function switchIn(body: JsonObject, field: string): boolean {
  const value = body[field];
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw invalid(`${field} is ${shown(value)}; true or false is expected`);
}

/**
 * For bodies in which a misspelt field would do more than was meant: a preview would change what is stored.
 *
 * @throws ActivityError `INVALID_INPUT` for other fields
 */
export function refuseOthers(body: JsonObject, fields: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !fields.includes(name));
  if (unknown !== undefined) throw invalid(`there is no field ${quote(unknown)}; there are ${fields.join(", ")}`);
}
