// The filter that is in force: it stands in the address, as `f`, once for each condition.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { parseTerm, type Term } from "../../filter/term.js";
import { periodOf } from "../carried-period.js";
import { namesOf } from "../categories.js";
import { effectiveCategories } from "../category-state.js";
import type { Classifying } from "../programs.js";
import { filterTexts, href, navigate, route } from "../router.js";
import { common } from "../texts/common.js";
import { t } from "../texts/filter.js";
import { withHandle } from "./handle.js";

/** The conditions that can be read. */
export const filterTerms: ReadonlySignal<readonly Term[]> = computed(() => filterTexts.value.flatMap(readTerm));

/** The condition of a text; none where it cannot be read. */
export function readTerm(text: string): readonly Term[] {
  try {
    return [parseTerm(text)];
  } catch {
    // Its chip says what is wrong with it.
    return [];
  }
}

/** What is wrong with a condition; `undefined` for one that can be read. Of patterns `patternFaultOf` knows. */
export function faultOf(text: string): string | undefined {
  if (readTerm(text).length > 0) return undefined;
  if (/^[\s!]*category:/.test(text)) return t("noCategory");
  if (/^[\w\s!$.-]+[=~]\s*$/.test(text)) return t("noValue");
  return t(/~\s*\/[^"]*$/.test(text) ? "openPattern" : "unreadable");
}

/** The same of what was just typed: whoever means that a value is empty writes `""`. */
export function faultOfTyped(text: string): string | undefined {
  const [term] = readTerm(text);
  const lacksValue = term?.kind === "equals" && term.value === "" && !text.trimEnd().endsWith('"');
  return lacksValue ? t("noValue") : faultOf(text);
}

/** What the server has against the pattern of a condition: its regular expressions are not those of the browser. */
export async function patternFaultOf({ pattern }: Term & { readonly kind: "matches" }): Promise<string | undefined> {
  const { patternErrorOf } = await import("../views/settings/pattern-error.js");
  const wrong = await patternErrorOf(pattern);
  return wrong && common("withDetail", { meaning: t("badPattern"), message: wrong() });
}

/** What programs are told, with the filter. */
export function filtered(classifying: Classifying): Classifying {
  const terms = filterTerms.value;
  if (terms.length === 0) return classifying;
  return { ...classifying, filtering: { terms, names: namesOf(effectiveCategories.value) } };
}

/** Views that the filter is about. From others it leads to what it finds. */
const FOLLOWING: ReadonlySet<string> = new Set(["activity", "timeline", "timesheet", "search"]);

/** Whether a view shows only what the filter keeps. */
export function isFollowing(view: string | undefined): boolean {
  return view !== undefined && FOLLOWING.has(view);
}

/** The condition that is being changed in the search box, by its place; `undefined` while a new one is typed. */
export const edited: Signal<number | undefined> = signal(undefined);

/** Puts another filter into the address of the view that is shown. */
export function setFilter(filter: readonly string[], isHere = true): void {
  const { path, params } = route.peek();
  edited.value = undefined;
  if (isHere) navigate(path, Object.fromEntries(params), { filter });
  else navigate([], {}, { filter });
}

/** Goes to the search of all events of the year that is shown. */
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

/** Where a condition of a row leads: the same view with it. */
export function linkOf(handle: string): string {
  const { path, params } = route.value;
  return href(path, Object.fromEntries(params), withHandle(filterTexts.value, handle));
}
