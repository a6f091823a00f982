import type { KEY_OPERATIONS } from "../../api/subjects/keys.js";
import type { JsonObject, JsonValue } from "../../domain/json.js";
import { type Micros, parseTimestamp, serializeTimestamp } from "../../domain/time.js";
import type { KeyInfo } from "../../service/access/key-record.js";
import type { Keys } from "../../service/access/keys.js";
import { invalid, shown } from "../../service/validation.js";
import { readObject } from "../body.js";
import { DONE, jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";

/** docs/keys.md. */
export function keyHandlers(keys: Keys): Handlers<keyof typeof KEY_OPERATIONS> {
  return {
    async listKeys() {
      return jsonResponse(JSON.stringify((await keys.list()).map(objectOf)));
    },

    async createKey(request, { limits }) {
      const body = await readObject(request, limits);
      const { name, scopes, expires = null, origin = null } = body;
      const made = await keys.add({ name, scopes, expires: instantOf(expires), origin });
      return jsonResponse(JSON.stringify({ ...objectOf(made), key: made.key }));
    },

    async revokeKey(_request, { params }) {
      await keys.revoke(params.get("keyName") as string);
      return DONE;
    },
  };
}

function instantOf(value: JsonValue): Micros | null {
  if (value === null) return null;
  const instant = typeof value === "string" ? parseTimestamp(value) : undefined;
  if (instant !== undefined) return instant;
  throw invalid(`expires is ${shown(value)}; a time like 2024-03-01T10:00:00Z, or null, is expected`);
}

function objectOf(info: KeyInfo): JsonObject {
  const time = (micros: Micros | null): string | null => (micros === null ? null : serializeTimestamp(micros));
  return {
    name: info.name,
    scopes: info.scopes,
    created: serializeTimestamp(info.created),
    expires: time(info.expires),
    origin: info.origin,
    revoked: time(info.revoked),
    last_used: time(info.lastUsed),
    last_used_from: info.lastUsedFrom,
  };
}
