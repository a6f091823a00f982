import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { mapData, ownValue, remembered } from "./data.js";
import type { Steps } from "./steps.js";

/** Of parsing a URL, in comparison with looking up a key. */
const PARSING_COST = 8;
/** What became of data, which many queries ask for. Goes with the data. */
const known = new WeakMap<JsonObject, JsonObject>();

/**
 * Sets `$protocol`, `$domain`, `$path` and `$params` where `url` is a text that is a URL
 * (docs/compatibility.md#splitting-urls). Other events stay as they are.
 */
export function splitUrlEvents(events: EventBatch): Steps<EventBatch> {
  return mapData(events, (data) => remembered(known, data, () => splitUrl(data)), { cost: PARSING_COST });
}

function splitUrl(data: JsonObject): JsonObject {
  const text = ownValue(data, "url");
  const url = typeof text === "string" ? parseUrl(text) : undefined;
  if (url === undefined) return data;
  const scheme = url.protocol.slice(0, -1);
  return {
    ...data,
    $protocol: scheme,
    // Of the host `www.` nothing is left; it is a host all the same.
    $domain: url.hostname === "" ? scheme : url.hostname.replace(/^www\./, ""),
    $path: url.pathname,
    $params: url.search.slice(1),
  };
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // The only way in which the constructor refuses a text.
    return undefined;
  }
}
