import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatCount, formatDuration } from "../../src/web/format.js";
import { texts as de } from "../../src/web/texts/de.js";
import { english } from "../../src/web/texts/en.js";
import { texts as he } from "../../src/web/texts/he.js";
import { direction, isLanguage, LANGUAGES, languageOfBrowser, locale, speak } from "../../src/web/texts/language.js";
import { pieces, type Text } from "../../src/web/texts/text.js";
import { textsOf } from "../../src/web/texts/texts.js";

type AnyCatalogue = Readonly<Record<string, Readonly<Record<string, Text>>>>;

const TRANSLATIONS: Readonly<Record<string, AnyCatalogue>> = { de, he };
const MASTER: AnyCatalogue = english;

const test = suite("texts of the dashboard");

function formsOf(text: Text): readonly (readonly [form: string, sentence: string])[] {
  return typeof text === "string" ? [["", text]] : Object.entries(text);
}

function gapsOf(sentence: string): readonly string[] {
  return [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, gap]) => gap ?? ""))].sort();
}

/** What all forms of a text ask for, with what tells the forms apart. */
function gapsOfAll(text: Text): readonly string[] {
  return gapsOf(
    `${formsOf(text)
      .map(([, sentence]) => sentence)
      .join()}${typeof text === "string" ? "" : "{count}"}`,
  );
}

function problems(language: string, catalogue: AnyCatalogue): string[] {
  const categories = new Set(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
  return Object.entries(catalogue).flatMap(([view, texts]) =>
    Object.entries(texts).flatMap(([key, text]) => {
      const found: string[] = [];
      const note = (problem: string): number => found.push(`${language} ${view}.${key} ${problem}`);
      const master = MASTER[view]?.[key] ?? "";
      if (String(gapsOfAll(text)) !== String(gapsOfAll(master))) note(`has the gaps ${gapsOfAll(text)}`);
      const forms = formsOf(text).map(([form]) => form);
      if (typeof text !== "string" && forms.length !== categories.size) note(`has the forms ${forms}`);
      if (forms.some((form) => form !== "" && !categories.has(form as Intl.LDMLPluralRule))) note(`needs no ${forms}`);
      for (const [form, sentence] of formsOf(text)) {
        if (sentence.trim() === "" || sentence !== sentence.trim()) note("is empty, or has spaces around it");
        // One and two may be said in words.
        const wanted = gapsOfAll(text).filter((gap) => gap !== "count" || form === "other" || form === "");
        for (const gap of wanted) if (!gapsOf(sentence).includes(gap)) note(`lacks {${gap}} in ${form}`);
      }
      return found;
    }),
  );
}

for (const [language, catalogue] of Object.entries({ en: MASTER, ...TRANSLATIONS })) {
  test(`${language} has every text, with the gaps of the English one and its own plural forms`, () => {
    assert.equal(Object.keys(catalogue).sort(), Object.keys(MASTER).sort());
    for (const [view, texts] of Object.entries(MASTER)) {
      assert.equal(Object.keys(catalogue[view] ?? {}).sort(), Object.keys(texts).sort(), view);
    }
    assert.equal(problems(language, catalogue), []);
  });
}

test("a text takes what fills its gaps, and long ones are one line", () => {
  assert.equal(
    pieces("a {b}\n   c {d}", { b: 1, d: "x" }, (value) => value),
    ["a ", 1, " c ", "x"],
  );
});

test("texts, numbers and lengths follow the language", async () => {
  const t = textsOf("common", english.common);
  try {
    await speak("de");
    assert.is(t("cancel"), "Abbrechen");
    assert.is(formatCount(1234.5), "1.234,5");
    assert.is(formatDuration(11_100), "3 h 05 min");
    await speak("he");
    assert.is(direction.value, "rtl");
    assert.is(t("copyLabel", { what: "npx" }), "העתקה: \u2068npx\u2069", "a name keeps its direction");
    assert.equal(t.rich("copyLabel", { what: 1234 }), ["העתקה: ", "1,234"]);
    // What is chosen last is shown, whatever comes first.
    await Promise.all([speak("de"), speak("en")]);
  } finally {
    await speak("en");
  }
  assert.is(t("cancel"), "Cancel");
  assert.is(direction.value, "ltr");
  assert.is(locale.value.slice(0, 2), "en");
});

test("the language is the first of the browser's that the page has", () => {
  assert.is(languageOfBrowser(["fr-FR", "de-AT", "en"]), "de");
  assert.is(languageOfBrowser(["he-IL"]), "he");
  assert.is(languageOfBrowser(["xx"]), "en");
  assert.is(languageOfBrowser([]), "en");
  assert.equal(Object.keys(LANGUAGES).filter(isLanguage), ["en", "de", "he"]);
  for (const other of ["fr", "toString", "", null, 1]) assert.not.ok(isLanguage(other));
});

test.run();
