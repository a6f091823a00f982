// Proposes rules in words for data, filters and sites. Pure.
import type { Term } from "../../filter/term.js";
import { caseless } from "../../util/composed.js";
import type { Report } from "../report.js";
import type { Condition } from "./conditions.js";
import { readConditions } from "./conditions.js";
import { ticketProject } from "./rule.js";

/** What a proposed rule is about. */
export interface Proposal {
  readonly about: "tickets" | "title" | "words" | "file" | "project" | "app" | "site" | "pattern";
  readonly conditions: readonly Condition[];
}

/** Separates parts of titles, such as the document, its project and the program. */
const SEPARATOR = /\s+(?:[-–—|·•:]|::)\s+|:\s+/u;
const FILE = /^[^\s/\\]+\.[\p{L}\p{N}]{1,8}$/u;
const MAX_WORDS = 3;
const MAX_TEXT = 100;
/** Shorter texts are in too many titles. */
const SHORTEST_TEXT = 3;

/** The parts of a title that can be searched for. */
export function partsOfTitle(title: string): readonly string[] {
  const parts = title.split(SEPARATOR).map((part) => part.replace(/^[●*]\s*|^\(\d+\)\s*/u, "").trim());
  return [...new Set(parts)].filter(
    (part) => part.length >= SHORTEST_TEXT && part.length <= MAX_TEXT && !/^[\d\s:.,/%]+$/.test(part),
  );
}

/** Proposals for a window, the narrowest first. Those for a page search for its title: browsers add their name. */
export function proposalsForWindow({
  app,
  title = "",
  isPage = false,
}: {
  readonly app?: string;
  readonly title?: string;
  readonly isPage?: boolean;
}): readonly Proposal[] {
  const project = ticketProject(title);
  const parts = partsOfTitle(title).filter((part) => caseless(part) !== caseless(app ?? ""));
  const whole: Condition = isPage ? { kind: "contains", text: title.trim() } : titleCondition(title);
  return distinct([
    ...(project === undefined ? [] : [{ about: "tickets", conditions: [{ kind: "tickets", text: project }] } as const]),
    ...(title.trim() === "" ? [] : [{ about: "title", conditions: [whole] } as const]),
    ...parts.slice(0, MAX_WORDS).map((text): Proposal => {
      return { about: FILE.test(text) ? "file" : "words", conditions: [{ kind: "contains", text }] };
    }),
    ...(app === undefined || app.trim() === ""
      ? []
      : [{ about: "app", conditions: [{ kind: "is", text: app }] } as const]),
  ]);
}

function titleCondition(title: string): Condition {
  return { kind: /\d/.test(title) ? "like" : "is", text: title };
}

/** Proposals for a filter; the conditions that were added last come first. */
export function proposalsForFilter(terms: readonly Term[]): readonly Proposal[] {
  const given = terms.filter(({ not }) => !not);
  const appOf = given.flatMap((term) => (term.kind === "equals" && isKey(term, "app") ? [term.value] : []))[0];
  return distinct([...given].reverse().flatMap((term) => proposalsForTerm(term, appOf)));
}

/** Sites of a filter, which rules can only find by their titles. */
export function sitesOf(terms: readonly Term[]): readonly string[] {
  return terms.flatMap((term) => (term.kind === "equals" && !term.not && isKey(term, "site") ? [term.value] : []));
}

function isKey(term: Exclude<Term, { kind: "category" }>, ...keys: readonly string[]): boolean {
  return keys.includes(term.path?.join(".") ?? "");
}

function proposalsForTerm(term: Term, app: string | undefined): readonly Proposal[] {
  if (term.kind === "category") return [];
  if (term.kind === "equals") {
    const { value } = term;
    if (isKey(term, "app")) return proposalsForWindow({ app: value });
    if (isKey(term, "title", "classname", "label")) return proposalsForWindow({ title: value, ...(app && { app }) });
    if (isKey(term, "project")) return proposalsForPath("project", value);
    if (isKey(term, "file")) return proposalsForPath("file", value);
    return [];
  }
  if (term.path !== undefined && !isKey(term, "app", "title", "classname", "label")) return [];
  if (term.kind === "contains") {
    return [{ about: "words", conditions: [{ kind: "contains", text: term.text, isCaseless: true }] }];
  }
  // Of rows that stand for several names.
  const names = readConditions(/^\^\(\?:(.*)\)\$$/s.exec(term.pattern)?.[1] ?? "");
  if (names.length > 0 && names.every(({ kind }) => kind === "contains")) {
    return [
      {
        about: isKey(term, "app") ? "app" : "title",
        conditions: names.map(({ text }) => ({ kind: "is", text, ...(term.ignoreCase && { isCaseless: true }) })),
      },
    ];
  }
  const project = ticketProject(term.pattern);
  const pattern: Proposal = { about: "pattern", conditions: readConditions(caselessPattern(term)) };
  return project === undefined
    ? [pattern]
    : [{ about: "tickets", conditions: [{ kind: "tickets", text: project }] }, pattern];
}

function caselessPattern({ pattern, ignoreCase }: Term & { readonly kind: "matches" }): string {
  return ignoreCase ? `(?i:${pattern})` : pattern;
}

/** Searches for the last part of a path of any system, which editors have in their titles. */
export function proposalsForPath(about: "project" | "file", path: string): readonly Proposal[] {
  const text = path.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? "";
  return text.length < SHORTEST_TEXT ? [] : [{ about, conditions: [{ kind: "contains", text }] }];
}

/** The proposals with different conditions; of equal ones, the first. */
export function distinct(proposals: readonly Proposal[]): readonly Proposal[] {
  const keys = proposals.map(({ conditions }) => JSON.stringify(conditions));
  return proposals.filter((_, at) => keys.indexOf(keys[at] as string) === at);
}

/** Time with a title. */
export interface TitleTime {
  readonly title: string;
  readonly seconds: number;
}

/** The time of each title of a report. */
export function timesOfTitles({ groups }: Report): readonly TitleTime[] {
  return (groups["title"]?.rows ?? []).flatMap(({ key, seconds }) => (key === null ? [] : [{ title: key, seconds }]));
}

/** A rule for a site; `undefined` if its titles have nothing in common. */
export function proposalForSite(
  site: string,
  own: readonly TitleTime[],
  others: readonly TitleTime[],
): Proposal | undefined {
  const text = wordOfSite(site, own, others);
  return text === undefined ? undefined : { about: "site", conditions: [{ kind: "contains", text }] };
}

/** The least share of a site's time that its word must have, and the greatest of other time. */
const LEAST_INSIDE = 0.5;
const MOST_OUTSIDE = 0.2;

/**
 * The text that titles of a site have in common, and other titles lack: rules see titles of windows, not addresses.
 *
 * @param others titles of all windows
 */
export function wordOfSite(site: string, own: readonly TitleTime[], others: readonly TitleTime[]): string | undefined {
  const host = site.replace(/^www\./, "");
  const name =
    host
      .split(".")
      .slice(0, -1)
      .findLast((label) => label.length > 3) ?? host;
  const named = [host, name].flatMap((text) => own.flatMap(({ title }) => substring(title, text)));
  // Sites write their name at the end.
  const parts = own.flatMap(({ title }) => [...partsOfTitle(title)].reverse());
  const mine = new Set(own.map(({ title }) => title));
  const whole = sum(own);
  const scored = [...new Set([...named, ...parts])].map((text) => {
    const inside = sum(own.filter(({ title }) => title.includes(text)));
    const outside = sum(others.filter(({ title }) => !mine.has(title) && title.includes(text)));
    return { text, inside, outside };
  });
  const fit = scored.filter(
    ({ inside, outside }) => inside >= LEAST_INSIDE * whole && outside <= MOST_OUTSIDE * inside && inside > 0,
  );
  return fit.sort((a, b) => b.inside - b.outside - (a.inside - a.outside))[0]?.text;
}

/** A part of a text as it is written there. */
function substring(text: string, wanted: string): readonly string[] {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  return at < 0 ? [] : [text.slice(at, at + wanted.length)];
}

function sum(times: readonly TitleTime[]): number {
  return times.reduce((total, { seconds }) => total + seconds, 0);
}
