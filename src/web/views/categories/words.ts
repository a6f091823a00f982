// Finds texts in uncategorized titles that rules can search for. Pure.

import { caseless } from "../../../util/composed.js";
import type { Condition } from "../../filter/conditions.js";
import { partsOfTitle } from "../../filter/proposals.js";
import type { Group } from "./preview.js";

/** A condition for uncategorized time, and the seconds that it would move. */
export interface Candidate {
  /** What it is about: a word, a site or an app. */
  readonly label: string;
  readonly condition: Condition;
  readonly seconds: number;
}

const SHORTEST_WORD = 4;
/** Longer parts of titles are rather titles. */
const LONGEST_WORD = 40;
const ENDS = /^[.-]+|[.-]+$/g;
/** Most texts whose time is computed exactly. */
const MAX_TRIED = 200;

/**
 * The words and parts of uncategorized titles, the longest time first.
 *
 * @param ignored words to leave out
 */
export function wordCandidates(titles: readonly Group[], ignored: readonly string[]): readonly Candidate[] {
  const without = new Set(ignored.map(caseless));
  const rough = new Map<string, number>();
  for (const { title = "", app = "", duration } of titles) {
    for (const text of textsIn(title, caseless(app))) {
      if (!without.has(caseless(text))) rough.set(text, (rough.get(text) ?? 0) + duration);
    }
  }
  const tried = [...rough].sort((a, b) => b[1] - a[1]).slice(0, MAX_TRIED);
  // Of texts in the same titles, only the longest one.
  const best = new Map<string, Candidate>();
  for (const [text] of tried) {
    const matching = titles.flatMap(({ title = "" }, at) => (title.includes(text) ? [at] : []));
    const key = matching.join();
    if ((best.get(key)?.label.length ?? 0) >= text.length) continue;
    const seconds = matching.reduce((sum, at) => sum + (titles[at]?.duration ?? 0), 0);
    best.set(key, { label: text, condition: { kind: "contains", text }, seconds });
  }
  return [...best.values()].sort((a, b) => b.seconds - a.seconds);
}

/** The parts and words of a title, without the app, which has its own list and which browsers add to each title. */
function textsIn(title: string, app: string): ReadonlySet<string> {
  const parts = partsOfTitle(title).filter((part) => {
    const folded = caseless(part);
    return app === "" || (!folded.includes(app) && !app.includes(folded));
  });
  const words = parts.flatMap((part) => part.split(/[^\p{L}\p{M}\p{N}_.-]+/u)).map((word) => word.replace(ENDS, ""));
  return new Set([
    ...parts.filter(({ length }) => length <= LONGEST_WORD),
    ...words.filter((word) => word.length >= SHORTEST_WORD && /\p{L}/u.test(word)),
  ]);
}

/** The uncategorized time of apps. */
export function appCandidates(apps: readonly Group[]): readonly Candidate[] {
  return apps.flatMap(({ app = "", duration }) =>
    app.trim() === "" ? [] : [{ label: app, condition: { kind: "is", text: app }, seconds: duration }],
  );
}

/** The uncategorized time that a text of a site's titles would move. */
export function siteCandidate(site: string, text: string, titles: readonly Group[]): Candidate {
  const matching = titles.filter(({ title = "" }) => title.includes(text));
  const seconds = matching.reduce((sum, { duration }) => sum + duration, 0);
  return { label: site, condition: { kind: "contains", text }, seconds };
}
