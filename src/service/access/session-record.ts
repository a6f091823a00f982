import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";

/** A session, as it is kept: without its secrets. */
export interface SessionRecord {
  /** SHA-256 of the cookie and of the secret of the page, in hexadecimal. */
  readonly cookie: string;
  readonly secret: string;
  readonly created: Micros;
  readonly used: Micros;
  /** The address that it was last used from; `null` = unknown. */
  readonly usedFrom: string | null;
  /** What the browser said of itself; `null` = nothing. */
  readonly userAgent: string | null;
  /** From then on it opens nothing, unless it is used before. */
  readonly expires: Micros;
}

export function serializeSessionRecord(record: SessionRecord): JsonObject {
  return { ...record };
}

/** @returns `undefined` for what is no such record; it then opens nothing */
export function parseSessionRecord(value: JsonValue | undefined): SessionRecord | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { cookie, secret, created, used, usedFrom, userAgent, expires } = value;
  if (typeof cookie !== "string" || typeof secret !== "string") return undefined;
  if (typeof created !== "number" || typeof used !== "number" || typeof expires !== "number") return undefined;
  return { cookie, secret, created, used, usedFrom: textOrNull(usedFrom), userAgent: textOrNull(userAgent), expires };
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
