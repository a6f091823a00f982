// What people have set, under the keys of the official UI (docs/compatibility.md#settings-of-the-web-ui).
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { JsonObject, JsonValue } from "../domain/json.js";
import { client } from "./api.js";
import { LANGUAGE } from "./embedding.js";
import { failedAfter, type Loadable, loadingAfter, shownOf } from "./load.js";
import type { Calendar } from "./period.js";
import { settingText } from "./setting-text.js";
import { direction, isLanguage, type Language, language, languageOfBrowser, speak } from "./texts/language.js";

export type Theme = "light" | "dark" | "auto";

/** Everything that is stored, by key. */
export const stored: Signal<Loadable<JsonObject>> = signal({ state: "loading" });

/** What is there of that; empty until it has come. */
export const settings: ReadonlySignal<JsonObject> = computed(() => shownOf(stored.value) ?? {});

/** When a day begins, as `HH:MM`. */
export const startOfDay: ReadonlySignal<string> = computed(() => {
  const value = settings.value["startOfDay"];
  return typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : "04:00";
});

/** The day that a week begins with. */
export const startOfWeek: ReadonlySignal<"Monday" | "Sunday"> = computed(() =>
  settings.value["startOfWeek"] === "Sunday" ? "Sunday" : "Monday",
);

/** Apps and titles that count as activity even while nobody touches the computer; a regular expression, or nothing. */
export const alwaysActivePattern: ReadonlySignal<string> = computed(() =>
  settingText(settings.value["always_active_pattern"]),
);

/** What is kept of the theme for the moment before the settings come, so that a dark page does not begin light. */
const KEPT_THEME = "activity-server.theme";

export const theme: ReadonlySignal<Theme> = computed(() => {
  const value = stored.value.state === "loading" ? sessionStorage.getItem(KEPT_THEME) : settings.value["theme"];
  return value === "light" || value === "dark" ? value : "auto";
});

/** Like the theme. */
const KEPT_LANGUAGE = "activity-server.language";

/** The language that is set; `system` = that of the browser. */
export const languageSetting: ReadonlySignal<Language | "system"> = computed(() => {
  const isLoading = stored.value.state === "loading";
  const value = isLoading ? sessionStorage.getItem(KEPT_LANGUAGE) : settings.value["language"];
  return isLanguage(value) ? value : "system";
});

const OWN_ZONE: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Name of the time zone that is set; `""` = that of the browser. */
export const timeZone: ReadonlySignal<string> = computed(() => {
  const value = settings.value["timeZone"];
  return typeof value === "string" && isZone(value) ? value : "";
});

/** Name of the time zone that days and times are those of. */
export const zone: ReadonlySignal<string> = computed(() => timeZone.value || OWN_ZONE);

/** What decides where days and weeks begin. */
export const currentCalendar: ReadonlySignal<Calendar> = computed(() => ({
  zone: zone.value,
  startOfDay: startOfDay.value,
  startOfWeek: startOfWeek.value,
}));

/** Whether a browser knows a time zone. */
export function isZone(name: string): boolean {
  try {
    return name !== "" && new Intl.DateTimeFormat("en", { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

let loading: Promise<void> | undefined;

/** Asks for everything that is stored; several calls at a time are one. Never rejects. */
export function loadSettings(): Promise<void> {
  loading ??= read().finally(() => {
    loading = undefined;
  });
  return loading;
}

async function read(): Promise<void> {
  stored.value = loadingAfter(stored.value);
  try {
    stored.value = { state: "ready", value: await client.settings.list() };
  } catch (error) {
    stored.value = failedAfter(stored.value, error);
  }
}

let lastSave: Promise<void> = Promise.resolve();

/**
 * Stores a setting under its key, and shows it as soon as the server has it. One is saved after another.
 *
 * @param next the value, or what makes it of the one that is stored then: another tab may have saved meanwhile
 * @throws ActivityClientError when it could not be stored; then it is as it was
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

effect(() => {
  const wanted = theme.value;
  if (wanted === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = wanted;
  if (stored.value.state !== "loading") sessionStorage.setItem(KEPT_THEME, wanted);
});

/** Done when the page has the texts of the language that is wanted now. */
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
