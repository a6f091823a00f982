// Reports once more, half a second after half a second, as docs/guides/reports.md words them: slow and obvious.
import type { JsonObject } from "../../src/domain/json.js";
import { flooded } from "../transforms/reference.js";

/** An event, with its times in half seconds. */
export interface Beat {
  readonly start: number;
  readonly end: number;
  readonly data: JsonObject;
}

/** A bucket of a random set. */
export interface Bucket {
  readonly id: string;
  readonly type: string;
  readonly host: string;
  readonly beats: readonly Beat[];
}

/** What counts at a moment. */
interface Moment {
  readonly window: JsonObject | undefined;
  readonly page: JsonObject | undefined;
  readonly edit: JsonObject | undefined;
  readonly isAway: boolean;
  readonly isPresent: boolean;
}

/** What to report. */
export interface Question {
  /** In half seconds. */
  readonly start: number;
  readonly end: number;
  readonly browserApps: Readonly<Record<string, string>>;
  readonly isAlwaysActive: (data: JsonObject) => boolean;
  readonly categoryOf: (data: JsonObject) => readonly string[];
  /** Points per hour. */
  readonly scoreOf: (category: readonly string[]) => number;
  /** Conditions on windows with the details of pages and files, on pages, and on files. */
  readonly passes: (data: JsonObject, category: readonly string[]) => boolean;
  readonly passesPage: (data: JsonObject) => boolean;
  readonly passesEdit: (data: JsonObject) => boolean;
  readonly isFiltered: boolean;
}

const HALF = 500_000;
const BREAK = 600;

/** A function that tells which of a bucket's events counts at a moment. */
function eventsAt(bucket: Bucket, { start, end }: Question): (moment: number) => JsonObject | undefined {
  const clipped = bucket.beats
    .filter((beat) => beat.end >= start && beat.start <= end)
    .map((beat) => ({ ...beat, end: Math.min(beat.end, end) }))
    // Queries read the newest event first, and flooding keeps the order of equal times.
    .reverse()
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const listed = clipped.map((beat, index) => ({
    ...{ id: index + 1, timestamp: beat.start * HALF, duration: (beat.end - beat.start) * HALF, data: beat.data },
  }));
  const afterFlooding = flooded(listed, 10 * HALF);
  return (moment) => {
    const time = moment * HALF;
    const found = afterFlooding.find(({ timestamp, duration }) => timestamp <= time && time < timestamp + duration);
    return found?.data ?? clipped.findLast((beat) => beat.start <= moment && moment < beat.end)?.data;
  };
}

type At = (moment: number) => JsonObject | undefined;

/** The first of several buckets that has an event at the moment. */
function firstAt(buckets: readonly At[]): At {
  return (moment) => buckets.map((at) => at(moment)).find((data) => data !== undefined);
}

function usualFirst(buckets: readonly Bucket[], usual: string): Bucket[] {
  const rank = ({ id, host }: Bucket): number => (id === usual + host ? 0 : id.startsWith(usual) ? 1 : 2);
  return [...buckets].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
}

/** What counts at each moment of a host. */
function momentsOf(host: string, buckets: readonly Bucket[], question: Question): (moment: number) => Moment {
  const of = (type: string, usual: string): Bucket[] =>
    usualFirst(
      buckets.filter((bucket) => bucket.type === type && bucket.host === host),
      usual,
    );
  const windows = of("currentwindow", "aw-watcher-window_");
  const isPhone = ({ id }: Bucket): boolean => id.startsWith("aw-watcher-android");
  const windowAt = firstAt(windows.filter((each) => !isPhone(each)).map((each) => eventsAt(each, question)));
  const phoneAt = firstAt(windows.filter(isPhone).map((each) => eventsAt(each, question)));
  const statuses = of("afkstatus", "aw-watcher-afk_").map((each) => eventsAt(each, question));
  const editAt = firstAt(of("app.editor.activity", "").map((each) => eventsAt(each, question)));
  const pagesAt = firstAt(
    of("web.tab.current", "").map((each) => {
      const at = eventsAt(each, question);
      const app = question.browserApps[each.id];
      return (moment: number) => (app !== undefined && windowAt(moment)?.["app"] === app ? at(moment) : undefined);
    }),
  );
  return (moment) => {
    const window = windowAt(moment);
    const page = pagesAt(moment);
    const told = statuses.map((at) => at(moment)?.["status"]);
    const isPresent =
      statuses.length === 0
        ? window !== undefined
        : told.includes("not-afk") ||
          (window !== undefined && question.isAlwaysActive(window)) ||
          page?.["audible"] === true;
    const edit = statuses.length === 0 || isPresent ? editAt(moment) : undefined;
    const active = { window: isPresent ? window : undefined, page: isPresent ? page : undefined, edit };
    const counted = { ...active, window: active.window ?? phoneAt(moment) };
    const isUp = isPresent || phoneAt(moment) !== undefined;
    const presence = { isAway: told.includes("afk") && !isPresent, isPresent: isUp };
    return { ...(question.isFiltered ? meeting(counted, question) : counted), ...presence };
  };
}

type Counted = Pick<Moment, "window" | "page" | "edit">;

function meeting({ window, page, edit }: Counted, question: Question): Counted {
  const nothing = { window: undefined, page: undefined, edit: undefined };
  if (window === undefined) return nothing;
  const site = page === undefined ? {} : { $domain: new URL(String(page["url"])).hostname };
  const detailed = { ...edit, ...page, ...site, ...window };
  if (!question.passes(detailed, question.categoryOf(window))) return nothing;
  return {
    window,
    page: page !== undefined && question.passesPage({ ...page, ...site }) ? page : undefined,
    edit: edit !== undefined && question.passesEdit(edit) ? edit : undefined,
  };
}

/** The numbers, in half seconds; lists by the JSON of their keys. */
export interface Answer {
  active: number;
  away: number;
  /** Points times 7,200, since an hour has as many half seconds. */
  points: number;
  productive: number;
  distracting: number;
  readonly moments: number[];
  readonly lists: Readonly<Record<string, Map<string, number>>>;
  longest: number;
}

/** Counts a period. */
export function counted(hosts: readonly string[], buckets: readonly Bucket[], question: Question): Answer {
  const ofScores = ["productive app", "distracting app", "distracting title"];
  const names = ["category", "app", "title", "site", "project", "host", ...ofScores];
  const lists = Object.fromEntries(names.map((name) => [name, new Map<string, number>()]));
  const answer: Answer = {
    ...{ active: 0, away: 0, points: 0, productive: 0, distracting: 0 },
    ...{ moments: [], lists, longest: 0 },
  };
  const add = (list: string, key: unknown): void => {
    const name = JSON.stringify(key);
    lists[list]?.set(name, (lists[list]?.get(name) ?? 0) + 1);
  };
  const each = [...hosts].sort().map((host) => ({ host, at: momentsOf(host, buckets, question) }));
  for (let moment = question.start; moment < question.end; moment++) {
    const now = each.map(({ host, at }) => ({ host, ...at(moment) }));
    for (const { host, window } of now) if (window !== undefined) add("host", host);
    const window = now.find((one) => one.window !== undefined)?.window;
    const page = now.find((one) => one.page !== undefined)?.page;
    const edit = now.find((one) => one.edit !== undefined)?.edit;
    if (page !== undefined) add("site", new URL(String(page["url"])).hostname);
    if (edit !== undefined) add("project", edit["project"] ?? null);
    if (now.some(({ isAway }) => isAway) && !now.some(({ isPresent }) => isPresent)) answer.away++;
    if (window === undefined) continue;
    answer.active++;
    answer.moments.push(moment);
    const [app, title] = [window["app"] ?? null, window["title"] ?? window["classname"] ?? null];
    add("app", app);
    add("title", [title, app]);
    const category = question.categoryOf(window);
    const score = question.scoreOf(category);
    answer.points += score;
    if (score > 0) {
      answer.productive++;
      add("productive app", app);
    } else if (score < 0) {
      answer.distracting++;
      add("distracting app", app);
      add("distracting title", [title, app]);
    }
    for (let depth = 1; depth <= category.length; depth++) add("category", category.slice(0, depth));
  }
  answer.longest = longestOf(answer.moments);
  return answer;
}

/** The longest stretch whose breaks are at most five minutes. */
function longestOf(moments: readonly number[]): number {
  let longest = 0;
  let start = moments[0] ?? 0;
  moments.forEach((moment, index) => {
    const before = moments[index - 1] ?? moment;
    if (moment - before - 1 > BREAK) start = moment;
    longest = Math.max(longest, moment + 1 - start);
  });
  return longest;
}
