import type { JsonObject, JsonValue } from "../../domain/json.js";
import { compileRules, REPORT_SETTINGS, type ReportRules } from "../../report/rules.js";
import type { Storage } from "../../storage/storage.js";

interface KnownRules {
  /** The settings as JSON. */
  readonly text: string;
  readonly rules: ReportRules;
}

const known: WeakMap<Storage, KnownRules> = new WeakMap();

/** The current settings, compiled again when they change. */
export async function reportRules(
  storage: Storage,
  finish: <T>(steps: Generator<void, T, void>) => Promise<T>,
): Promise<ReportRules> {
  const values = await Promise.all(REPORT_SETTINGS.map((key) => storage.settings.get(key)));
  const before = known.get(storage);
  const text = JSON.stringify(values);
  if (before?.text === text) return before.rules;
  const rules = await finish(compileRules(settingsOf(values)));
  known.set(storage, { text, rules });
  return rules;
}

function settingsOf(values: readonly (JsonValue | undefined)[]): JsonObject {
  return Object.fromEntries(
    REPORT_SETTINGS.flatMap((key, index) => (values[index] === undefined ? [] : [[key, values[index]]])),
  ) as JsonObject;
}
