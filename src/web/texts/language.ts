// The language of the page. English is part of each view, other languages are separate chunks.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Catalogue } from "./catalogue.js";
import type { ServerWords } from "./server-words.js";

export type Language = "en" | "de" | "he";

/** Languages by their own names. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch", he: "עברית" };

const LOADERS: Readonly<Record<Exclude<Language, "en">, () => Promise<Omit<Shown, "language">>>> = {
  de: () => import("./de.js"),
  he: () => import("./he.js"),
};

/** A language with its texts. English has its texts in the views, and needs no translated server messages. */
export interface Shown {
  readonly language: Language;
  readonly texts?: Catalogue;
  readonly words?: ServerWords;
}

/** The displayed language. @internal for `textsOf` and `translateMessage` */
export const shown: Signal<Shown> = signal({ language: "en" });

export const language: ReadonlySignal<Language> = computed(() => shown.value.language);

/** Text direction. */
export const direction: ReadonlySignal<"ltr" | "rtl"> = computed(() => (language.value === "he" ? "rtl" : "ltr"));

/** Language tag for `Intl`, with the browser's region, such as `en-GB`. */
export const locale: ReadonlySignal<string> = computed(
  () => preferred().find((tag) => primaryOf(tag) === language.value) ?? language.value,
);

/** Whether a setting is a supported language. */
export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(LANGUAGES, value);
}

/** The first supported language of the browser. */
export function languageOfBrowser(tags: readonly string[] = preferred()): Language {
  return tags.map(primaryOf).find(isLanguage) ?? "en";
}

function preferred(): readonly string[] {
  // Tests run without a browser.
  return typeof navigator === "undefined" ? [] : navigator.languages;
}

function primaryOf(tag: string): string {
  return tag.split("-", 1)[0] ?? "";
}

/** Why the selected language could not be loaded. */
export const languageFailure: Signal<unknown> = signal(undefined);

let wanted: Language = "en";

/** Switches the page to a language when its texts are loaded; if that fails, nothing changes. Never rejects. */
export async function speak(next: Language): Promise<void> {
  wanted = next;
  languageFailure.value = undefined;
  try {
    const loaded = next === "en" ? {} : await LOADERS[next]();
    // Another language may have been selected in the meantime.
    if (wanted === next) shown.value = { ...loaded, language: next };
  } catch (error) {
    if (wanted === next) languageFailure.value = error;
  }
}
