// Suggestions for the search box. Pure.

import { formatTerm } from "../../filter/term.js";
import { caseless } from "../../util/composed.js";
import { t } from "../texts/filter.js";
import { createCategoryCondition } from "./handle.js";

/** A suggestion. */
export interface Suggestion {
  /** The condition. */
  readonly text: string;
  readonly hint: string;
  /** Whether it searches events instead of filtering time. @default false */
  readonly isSearch?: boolean;
}

/** Possible conditions. */
export interface Known {
  readonly categories: readonly (readonly string[])[];
  /** Conditions of the displayed rows: apps, sites, projects. */
  readonly handles: readonly string[];
}

const MAX_OF_A_KIND = 5;

/** The most likely first; a leading `!` is kept. */
export function suggestionsFor(typed: string, { categories, handles }: Known): readonly Suggestion[] {
  const not = typed.trimStart().startsWith("!");
  const sign = not ? "!" : "";
  const text = typed.trim().replace(/^!\s*/, "");
  const wanted = caseless(text);
  const has = (candidate: string): boolean => caseless(candidate).includes(wanted);
  const found = [
    ...pick(categories.map(createCategoryCondition).filter(has), t("category")),
    ...pick(handles.filter(has), t("shown")),
  ].map((one) => ({ ...one, text: sign + one.text }));
  if (text === "") return not ? [] : found;
  if (/^(?:[\w$.-]+[=~]|category:|\/.*\/i?$|")/.test(text)) {
    return [...distinct([{ text: sign + text, hint: t("asTyped") }, ...found]), searching(sign + text)];
  }
  const contains = (key: string): string => formatTerm({ kind: "contains", path: [key], text, not });
  const anywhere = formatTerm({ kind: "contains", text, not });
  return [
    ...distinct([
      { text: anywhere, hint: t("everywhere") },
      { text: contains("title"), hint: t("titles") },
      { text: contains("app"), hint: t("apps") },
      ...found,
    ]),
    searching(anywhere),
  ];
}

function searching(text: string): Suggestion {
  return { text, hint: t("search"), isSearch: true };
}

function pick(found: readonly string[], hint: string): readonly Suggestion[] {
  return found.slice(0, MAX_OF_A_KIND).map((text) => ({ text, hint }));
}

function distinct(list: readonly Suggestion[]): readonly Suggestion[] {
  return list.filter(({ text }, at) => list.findIndex((other) => other.text === text) === at);
}
