import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";

/** A stored session, without its secrets. */
export interface SessionRecord {
  /** SHA-256 hashes of the cookie and the page's secret, in hexadecimal. */
  readonly cookie: string;
  readonly secret: string;
  readonly created: Micros;
  readonly used: Micros;
  /** The address of the last use; `null` = unknown. */
  readonly usedFrom: string | null;
  /** The browser's User-Agent; `null` = none. */
  readonly userAgent: string | null;
  /** Expiry; each use extends it. */
  readonly expires: Micros;
}

export function serializeSessionRecord(record: SessionRecord): JsonObject {
  return { ...record };
}

/** @returns `undefined` for an invalid record, which grants nothing */
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
