import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "../../domain/json.js";
import { LaunchError } from "../launch-error.js";
import type { SendRequest } from "../tools/request.js";

/** What became of settings, by their keys. */
export interface SettingsReport {
  readonly taken: readonly string[];
  /** The server had other values, and keeps them. */
  readonly kept: readonly string[];
  /** With what the server says. */
  readonly refused: readonly string[];
}

/** Together they say what the categories are: a part of them would bring others into force than either side has. */
const CATEGORY_SETTINGS: readonly string[] = ["classes", "category_sets", "active_set_ids"];

/** Sets what is not set yet. What somebody has set here is never changed. */
export async function takeSettings(
  settings: ReadonlyMap<string, JsonValue>,
  request: SendRequest,
): Promise<SettingsReport> {
  const report = { taken: [] as string[], kept: [] as string[], refused: [] as string[] };
  if (settings.size === 0) return report;
  const present = (await request("GET", "/api/0/settings")) as Readonly<Record<string, JsonValue>>;
  const keepsCategories = CATEGORY_SETTINGS.some(
    (key) => Object.hasOwn(present, key) && !isDeepStrictEqual(present[key], settings.get(key)),
  );
  for (const [key, value] of settings) {
    if (value === null) continue;
    if (Object.hasOwn(present, key) || (keepsCategories && CATEGORY_SETTINGS.includes(key))) {
      if (!isDeepStrictEqual(present[key], value)) report.kept.push(key);
      continue;
    }
    try {
      // No path can name any other.
      if (!key.isWellFormed()) throw new LaunchError("its key is no whole text");
      await request("POST", `/api/0/settings/${encodeURIComponent(key)}`, JSON.stringify(value));
      report.taken.push(key);
    } catch (cause) {
      if (!(cause instanceof LaunchError)) throw cause;
      report.refused.push(`${key} (${cause.message})`);
    }
  }
  return report;
}
