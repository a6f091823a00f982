// User settings, under the keys of ActivityWatch's web UI (docs/reference/settings.md#settings-of-the-web-ui).
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { JsonObject, JsonValue } from "../domain/json.js";
import { isWeekday, type Weekday } from "../domain/weekday.js";
import { client } from "./api.js";
import { LANGUAGE } from "./embedding.js";
import { type Loadable, shownValue } from "./load.js";
import type { Calendar } from "./period.js";
import { settingText } from "./setting-text.js";
import { type SharedLoad, shareLoad } from "./shared-load.js";
import { direction, isLanguage, type Language, language, languageOfBrowser, speak } from "./texts/language.js";

export type Theme = "light" | "dark" | "auto";

/** All stored settings, by key. */
export const stored: Signal<Loadable<JsonObject>> = signal({ state: "loading" });

/** The loaded settings; empty until loaded. */
export const settings: ReadonlySignal<JsonObject> = computed(() => shownValue(stored.value) ?? {});

/** Start of the day, as `HH:MM`. */
export const startOfDay: ReadonlySignal<string> = computed(() => {
  const value = settings.value["startOfDay"];
  return typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : "04:00";
});

/** First day of the week. */
export const startOfWeek: ReadonlySignal<Weekday> = computed(() => {
  const value = settings.value["startOfWeek"];
  return isWeekday(value) ? value : "Monday";
});

/** Apps and titles that count as active time even without input; a regular expression, or empty. */
export const alwaysActivePattern: ReadonlySignal<string> = computed(() =>
  settingText(settings.value["always_active_pattern"]),
);

/** Local copy of the theme, so that a dark page does not flash white before the settings are loaded. */
const KEPT_THEME = "activity-server.theme";

export const theme: ReadonlySignal<Theme> = computed(() => {
  const value = stored.value.state === "loading" ? sessionStorage.getItem(KEPT_THEME) : settings.value["theme"];
  return value === "light" || value === "dark" ? value : "auto";
});

/** Local copy of the language. */
const KEPT_LANGUAGE = "activity-server.language";

/** The language setting; `system` = the browser's language. */
export const languageSetting: ReadonlySignal<Language | "system"> = computed(() => {
  const isLoading = stored.value.state === "loading";
  const value = isLoading ? sessionStorage.getItem(KEPT_LANGUAGE) : settings.value["language"];
  return isLanguage(value) ? value : "system";
});

const OWN_ZONE: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone setting; `""` = the browser's time zone. */
export const timeZone: ReadonlySignal<string> = computed(() => {
  const value = settings.value["timeZone"];
  return typeof value === "string" && isZone(value) ? value : "";
});

/** The effective time zone of days and times. */
export const zone: ReadonlySignal<string> = computed(() => timeZone.value || OWN_ZONE);

/** The calendar settings. */
export const currentCalendar: ReadonlySignal<Calendar> = computed(() => ({
  zone: zone.value,
  startOfDay: startOfDay.value,
  startOfWeek: startOfWeek.value,
}));

/** Whether the browser knows a time zone. */
export function isZone(name: string): boolean {
  try {
    return name !== "" && new Intl.DateTimeFormat("en", { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

const shared = shareLoad(stored, () => client.settings.list());
export const loadSettings: SharedLoad["load"] = shared.load;
export const reloadSettings: SharedLoad["reload"] = shared.reload;

let lastSave: Promise<void> = Promise.resolve();

/**
 * Stores a setting, and shows it when the server has stored it. Saves run one at a time.
 *
 * @param next the value, or a function of the currently stored value, which another tab may have changed
 * @throws ActivityClientError if it was not stored; it is then unchanged
 */
export function saveSetting(key: string, next: JsonValue | ((value: JsonValue) => JsonValue)): Promise<void> {
  async function save(): Promise<void> {
    const value = typeof next === "function" ? next(await client.settings.get(key)) : next;
    await client.settings.put(key, value);
    stored.value = { state: "ready", value: { ...settings.value, [key]: value } };
  }
  lastSave = lastSave.then(save, save);
  return lastSave;
}

/** Reads a setting that another tab or program has changed. Never rejects. */
export function rereadSetting(key: string): void {
  lastSave = lastSave
    .catch(() => {})
    .then(async () => {
      // One setting would hide that the others are unknown.
      if (shownValue(stored.peek()) === undefined) return loadSettings();
      try {
        const value = await client.settings.get(key);
        stored.value = { state: "ready", value: { ...settings.value, [key]: value } };
      } catch {
        // Keeps the known value.
      }
    });
}

effect(() => {
  const wanted = theme.value;
  if (wanted === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = wanted;
  if (stored.value.state !== "loading") sessionStorage.setItem(KEPT_THEME, wanted);
});

/** Resolves when the texts of the selected language are loaded. */
export let languageLoaded: Promise<void> = Promise.resolve();

effect(() => {
  const wanted = languageSetting.value;
  languageLoaded = speak(wanted === "system" ? (LANGUAGE ?? languageOfBrowser()) : wanted);
  if (stored.value.state === "loading") return;
  if (wanted === "system") sessionStorage.removeItem(KEPT_LANGUAGE);
  else sessionStorage.setItem(KEPT_LANGUAGE, wanted);
});

effect(() => {
  document.documentElement.lang = language.value;
  document.documentElement.dir = direction.value;
});
