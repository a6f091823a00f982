// The language of the page. English comes with each view, other languages are chunks of their own.
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

/** A language with what comes with it; English has its texts in the views, and the server's own words. */
export interface Shown {
  readonly language: Language;
  readonly texts?: Catalogue;
  readonly words?: ServerWords;
}

/** What the page shows. @internal for `textsOf` and `saidBy` */
export const shown: Signal<Shown> = signal({ language: "en" });

export const language: ReadonlySignal<Language> = computed(() => shown.value.language);

/** Where lines begin. */
export const direction: ReadonlySignal<"ltr" | "rtl"> = computed(() => (language.value === "he" ? "rtl" : "ltr"));

/** For `Intl`: the language as the browser wants it, with its region, such as `en-GB`. */
export const locale: ReadonlySignal<string> = computed(
  () => preferred().find((tag) => primaryOf(tag) === language.value) ?? language.value,
);

/** Whether a setting names a language of the page. */
export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(LANGUAGES, value);
}

/** The first of the languages of the browser that the page has. */
export function languageOfBrowser(tags: readonly string[] = preferred()): Language {
  return tags.map(primaryOf).find(isLanguage) ?? "en";
}

function preferred(): readonly string[] {
  // Tests of what has texts run without a browser.
  return typeof navigator === "undefined" ? [] : navigator.languages;
}

function primaryOf(tag: string): string {
  return tag.split("-", 1)[0] ?? "";
}

/** Why the language that was chosen last could not be loaded. */
export const languageFailure: Signal<unknown> = signal(undefined);

let wanted: Language = "en";

/** Shows the page in a language as soon as its texts are there; without them it stays as it is. Never rejects. */
export async function speak(next: Language): Promise<void> {
  wanted = next;
  languageFailure.value = undefined;
  try {
    const loaded = next === "en" ? {} : await LOADERS[next]();
    // Another one may have been chosen meanwhile.
    if (wanted === next) shown.value = { ...loaded, language: next };
  } catch (error) {
    if (wanted === next) languageFailure.value = error;
  }
}
