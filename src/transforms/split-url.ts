import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { mapData, memoize, ownValue } from "./data.js";
import type { Steps } from "./steps.js";

/** Cost of parsing a URL, relative to looking up a key. */
const PARSING_COST = 8;
/** Results by original data, since many queries repeat this step. */
const known = new WeakMap<JsonObject, JsonObject>();

/**
 * Sets `$protocol`, `$domain`, `$path` and `$params` if `url` is a valid URL
 * (docs/reference/compatibility.md#splitting-urls). Other events do not change.
 */
export function splitUrlEvents(events: EventBatch): Steps<EventBatch> {
  return mapData(events, (data) => memoize(known, data, () => splitUrl(data)), { cost: PARSING_COST });
}

function splitUrl(data: JsonObject): JsonObject {
  const text = ownValue(data, "url");
  const url = typeof text === "string" ? parseUrl(text) : undefined;
  if (url === undefined) return data;
  const scheme = url.protocol.slice(0, -1);
  return {
    ...data,
    $protocol: scheme,
    // The host `www.` becomes empty, but still counts as a host.
    $domain: url.hostname === "" ? scheme : url.hostname.replace(/^www\./, ""),
    $path: url.pathname,
    $params: url.search.slice(1),
  };
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // The constructor only throws for invalid URLs.
    return undefined;
  }
}
