// The language of the page. English comes with each view, other languages are chunks of their own.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Catalogue } from "./catalogue.js";

export type Language = "en" | "de" | "he";

/** Languages by their own names. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch", he: "עברית" };

const LOADERS: Readonly<Record<Exclude<Language, "en">, () => Promise<{ readonly texts: Catalogue }>>> = {
  de: () => import("./de.js"),
  he: () => import("./he.js"),
};

/** What the page shows. @internal for `textsOf` */
export const shown: Signal<{ readonly language: Language; readonly texts: Catalogue | undefined }> = signal({
  language: "en",
  texts: undefined,
});

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
    const texts = next === "en" ? undefined : (await LOADERS[next]()).texts;
    // Another one may have been chosen meanwhile.
    if (wanted === next) shown.value = { language: next, texts };
  } catch (error) {
    if (wanted === next) languageFailure.value = error;
  }
}
