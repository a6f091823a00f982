// Looks up texts by key, in the page's language. To add one: docs/contribute/adding.md#add-a-text.
import type { ComponentChild } from "preact";
import type { Catalogue, English } from "./catalogue.js";
import { direction, locale, shown } from "./language.js";
import { type Placeholders, type PlaceholderValues, pieces, type Text } from "./text.js";

type Value = string | number;

/** Placeholder values; none if a text has no placeholders. */
type Given<One, Fill> = [Placeholders<One>] extends [never] ? [] : [filling: PlaceholderValues<One, Fill>];

/** Texts of a view. Reads signals, so that components re-render when the language changes. */
export interface Texts<View> {
  <Key extends keyof View>(key: Key, ...given: Given<View[Key], Value>): string;
  /** A text in pieces, for placeholders with links and other elements. */
  rich<Key extends keyof View>(key: Key, ...given: Given<View[Key], ComponentChild>): readonly ComponentChild[];
}

/**
 * The texts of a view.
 *
 * @param english included in the view, so that only other languages must be loaded
 */
export function textsOf<Name extends keyof English>(name: Name, english: English[Name]): Texts<English[Name]> {
  function rich(key: keyof English[Name], filling: Readonly<Record<string, unknown>> = {}): readonly unknown[] {
    const translated = shown.value.texts?.[name] as Partial<Catalogue[Name]> | undefined;
    const text = (translated?.[key] ?? english[key]) as Text;
    return pieces(selectForm(text, filling["count"]), filling, written);
  }
  const texts = (...given: Parameters<typeof rich>): string => rich(...given).join("");
  return Object.assign(texts, { rich }) as Texts<English[Name]>;
}

function selectForm(text: Text, count: unknown): string {
  if (typeof text === "string") return text;
  return text[new Intl.PluralRules(locale.value).select(Number(count))] ?? text.other;
}

/** Isolates the text direction of names from the sentence around them. */
export function written(value: unknown): unknown {
  if (typeof value === "number") return value.toLocaleString(locale.value);
  return typeof value === "string" && direction.value === "rtl" ? `\u2068${value}\u2069` : value;
}
