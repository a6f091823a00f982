// Privacy filters of aw-server-rust, as rules. docs/guides/privacy.md#filters-of-aw-server-rust
import { isJsonObject } from "../domain/json.js";
import { RulePlace } from "../errors.js";
import { assertList, fieldError, parsePattern } from "./read-rules.js";
import { REDACTED, type ReadAction, type ReadRule } from "./rule.js";

/**
 * Parses filters in the format of aw-server-rust and its web UI. Rejects a filter without a valid pattern;
 * aw-server-rust would store it and let all events pass.
 *
 * @param name of the list in messages
 * @throws ActivityError `INVALID_INPUT` with the position
 */
export function readFilters(value: unknown, name: string): ReadRule[] {
  return assertList(value, name, "filters").flatMap((item, index) => {
    const place = new RulePlace(name, index);
    if (!isJsonObject(item)) throw fieldError(place, item, "must be an object of field, pattern and action");
    const { enabled = true, bucket_prefix = null, field = null, replacement = null, action } = item;
    if (typeof enabled !== "boolean") throw fieldError(place.at("enabled"), enabled, "must be true or false");
    if (bucket_prefix !== null && typeof bucket_prefix !== "string") {
      throw fieldError(place.at("bucket_prefix"), bucket_prefix, "must be the start of bucket IDs");
    }
    if (field !== null && typeof field !== "string") {
      throw fieldError(place.at("field"), field, "must be a key of data, or keys separated by dots");
    }
    if (replacement !== null && typeof replacement !== "string") {
      throw fieldError(place.at("replacement"), replacement, "must be a string");
    }
    const path = field?.split(".");
    const test = path && { path, pattern: parsePattern(item.pattern, place.at("pattern"), false), ignoreCase: false };
    const paths = path === undefined ? [] : [path];
    const rule = {
      index,
      buckets: `${bucket_prefix ?? ""}*`,
      test,
      action: parseAction(action, place.at("action"), paths, replacement ?? REDACTED),
    };
    return enabled ? [rule] : [];
  });
}

function parseAction(action: unknown, place: RulePlace, paths: readonly string[][], replacement: string): ReadAction {
  if (action === "drop") return { kind: "drop" };
  if (action === "redact") return { kind: "redact", paths, with: replacement };
  throw fieldError(place, action, "must be drop or redact");
}
