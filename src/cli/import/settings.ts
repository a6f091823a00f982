import { isDeepStrictEqual } from "node:util";
import { type ActivityClient, isActivityClientError } from "../../client/index.js";
import type { JsonValue } from "../../domain/json.js";

/** The outcome of an import of settings, by key. */
export interface ImportedSettings {
  readonly taken: readonly string[];
  /** Keys with other values on the server, which keeps them. */
  readonly kept: readonly string[];
  /** Keys with the message of the server. */
  readonly refused: readonly string[];
}

/** Together they define the categories. A part of them would define categories that neither side has. */
const CATEGORY_SETTINGS: readonly string[] = ["classes", "category_sets", "active_set_ids"];

/** Imports missing settings. Never changes existing ones. */
export async function importSettings(
  settings: ReadonlyMap<string, JsonValue>,
  client: Pick<ActivityClient, "settings">,
): Promise<ImportedSettings> {
  const report = { taken: [] as string[], kept: [] as string[], refused: [] as string[] };
  if (settings.size === 0) return report;
  const present = await client.settings.list();
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
      await client.settings.put(key, value);
      report.taken.push(key);
    } catch (cause) {
      // No path can name some keys.
      if (!isActivityClientError(cause) || !["REFUSED", "INVALID_INPUT"].includes(cause.code)) throw cause;
      report.refused.push(`${key} (${cause.serverMessage ?? cause.message})`);
    }
  }
  return report;
}
