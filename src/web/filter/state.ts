// The active filter. It is in the address as `f`, once per condition.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { parseTerm, type Term } from "../../filter/term.js";
import { periodOf } from "../carried-period.js";
import { filterTexts, href, navigate, route } from "../router.js";
import { common } from "../texts/common.js";
import { t } from "../texts/filter.js";
import { hasOpenPattern } from "./escaped.js";
import { addCondition } from "./handle.js";

/** The valid conditions. */
export const filterTerms: ReadonlySignal<readonly Term[]> = computed(() => filterTexts.value.flatMap(readTerm));

/** Their texts, which reports and searches understand. */
export const validFilter: ReadonlySignal<readonly string[]> = computed(() =>
  filterTexts.value.filter((text) => readTerm(text).length > 0),
);

/** Parses a condition; empty if it is invalid. */
export function readTerm(text: string): readonly Term[] {
  try {
    return [parseTerm(text)];
  } catch {
    // Its chip shows the error.
    return [];
  }
}

/** The error of a condition; `undefined` if it is valid. `validatePattern` checks patterns. */
export function validateTerm(text: string): string | undefined {
  if (readTerm(text).length > 0) return undefined;
  if (/^[\s!]*category:/.test(text)) return t("noCategory");
  if (/^[\w\s!$.-]+[=~]\s*$/.test(text)) return t("noValue");
  return t(hasOpenPattern(text) ? "openPattern" : "unreadable");
}

/** The error of typed input. An intended empty value must be written as `""`. */
export function validateTyped(text: string): string | undefined {
  const [term] = readTerm(text);
  const lacksValue = term?.kind === "equals" && term.value === "" && !text.trimEnd().endsWith('"');
  return lacksValue ? t("noValue") : validateTerm(text);
}

/** The server's error for a condition's pattern, since its regular expressions differ from the browser's. */
export async function validatePattern({ pattern }: Term & { readonly kind: "matches" }): Promise<string | undefined> {
  const { patternErrorOf } = await import("../views/settings/pattern-error.js");
  const wrong = await patternErrorOf(pattern);
  return wrong && common("withDetail", { meaning: t("badPattern"), message: wrong() });
}

/** Views that use the filter. Other views link to its results. */
const FOLLOWING: ReadonlySet<string> = new Set(["activity", "timeline", "timesheet", "search"]);

/** Whether a view uses the filter. */
export function isFollowing(view: string | undefined): boolean {
  return view !== undefined && FOLLOWING.has(view);
}

/** Position of the condition being edited in the search box; `undefined` for a new one. */
export const edited: Signal<number | undefined> = signal(undefined);

/** Sets the filter in the current view's address. */
export function setFilter(filter: readonly string[], isHere = true): void {
  const { path, params } = route.peek();
  edited.value = undefined;
  if (isHere) navigate(path, Object.fromEntries(params), { filter });
  else navigate([], {}, { filter });
}

/** Searches all events of the displayed year. */
export function searchFor(filter: readonly string[]): void {
  const { params } = route.peek();
  const year = periodOf(route.peek())?.first.slice(0, 4);
  edited.value = undefined;
  navigate(
    ["search", "year", ...(year === undefined ? [] : [year])],
    { host: params.get("host") ?? undefined },
    { filter },
  );
}

/** The link that adds a row's condition to the current view. */
export function linkOf(handle: string): string {
  const { path, params } = route.value;
  return href(path, Object.fromEntries(params), addCondition(filterTexts.value, handle));
}
