// The activity of hosts, from the events of their buckets (docs/guides/reports.md#numbers).
import { EventBatch } from "../domain/batch.js";
import { type Decide, filterByData, ownValue } from "../transforms/data.js";
import { filterKeyvals, filterKeyvalsRegex } from "../transforms/filter.js";
import { periodIntersect, periodUnion } from "../transforms/period.js";
import { splitUrlEvents } from "../transforms/split-url.js";
import type { Steps } from "../transforms/steps.js";
import { mergeSubwatcherFields } from "../transforms/subwatcher.js";
import { sumDurations } from "../transforms/sum.js";
import { type TextTest, TextTestRunner } from "../transforms/text-test.js";
import { overlaidAll, without } from "./cover.js";

/** Events of a bucket, ascending without overlaps (see `coveredIn`). */
export interface BucketEvents {
  readonly id: string;
  readonly events: EventBatch;
}

/** Pages of a browser, and how to recognize its windows. */
export interface BrowserEvents extends BucketEvents {
  readonly apps: ReadonlySet<string>;
  /** Absent for an invalid pattern. */
  readonly matches?: TextTest | undefined;
}

/** The events of a host's buckets. Earlier buckets of a kind take precedence. */
export interface HostEvents {
  readonly host: string;
  readonly windows: readonly BucketEvents[];
  /** Apps in the foreground of phones, which have no idle time. */
  readonly phones: readonly BucketEvents[];
  readonly afk: readonly BucketEvents[];
  readonly browsers: readonly BrowserEvents[];
  readonly editors: readonly BucketEvents[];
  /** Activity entered by hand. It fills the time without windows. */
  readonly stopwatches: readonly BucketEvents[];
}

/** A bucket's events without overlaps. */
export interface Covered {
  readonly id: string;
  readonly kind: "window" | "phone" | "afk" | "browser" | "editor" | "stopwatch";
  readonly events: EventBatch;
  /** When it did not report although another watcher did. Several buckets of a kind are judged together. */
  readonly silent?: EventBatch;
  /** The time of pages without a window of their browser, in microseconds. */
  readonly unmatched: number;
}

/** What happened, in lists without overlaps. */
export interface Activity {
  /** Windows and apps during activity. */
  readonly windows: EventBatch;
  /** Pages in front during activity, with the parts of their URLs. */
  readonly pages: EventBatch;
  /** Files in editors, during activity if AFK watchers report it. */
  readonly edits: EventBatch;
  /** Active periods. */
  readonly active: EventBatch;
  /** Periods away. */
  readonly away: EventBatch;
}

/** The activity of a host, and its buckets. */
export interface HostActivity extends Activity {
  readonly host: string;
  readonly covered: readonly Covered[];
  /** Entered by hand, and not yet part of the windows. */
  readonly entered: EventBatch;
}

export const NO_EVENTS: EventBatch = EventBatch.from([]);

/** @param alwaysActive windows with a matching app or title count as activity */
export function* activityOf(given: HostEvents, alwaysActive?: TextTest): Steps<HostActivity> {
  const windowed = ofKind(given.windows, "window");
  const phoned = ofKind(given.phones, "phone");
  const statuses = ofKind(given.afk, "afk");
  const edited = ofKind(given.editors, "editor");
  const entered = ofKind(given.stopwatches, "stopwatch");
  const hasWindows = given.windows.length + given.phones.length > 0;
  // Without a window watcher, the pages of browsers are all that is known.
  const windows = hasWindows
    ? yield* overlaidAll(windowed.map(({ events }) => events))
    : yield* splitUrlEvents(yield* overlaidAll(given.browsers.map(({ events }) => events)));
  const onPhones = yield* overlaidAll(phoned.map(({ events }) => events));
  const inFront = hasWindows ? yield* overlaidAll([windows, onPhones]) : undefined;
  const knowsIdle = given.afk.length > 0;
  let active = knowsIdle ? yield* withStatus(statuses, "not-afk") : yield* periodUnion(windows, NO_EVENTS);
  const seen = active;
  if (knowsIdle && alwaysActive !== undefined) {
    for (const key of ["app", "title"]) {
      active = yield* periodUnion(active, yield* filterKeyvalsRegex(windows, key, alwaysActive));
    }
  }
  const paged: Covered[] = [];
  const fronts: EventBatch[] = [];
  for (const browser of given.browsers) {
    const { covered, front } = yield* pagesOf(browser, inFront, seen);
    paged.push(covered);
    fronts.push(front);
  }
  const pages = yield* overlaidAll(fronts);
  active = yield* periodUnion(active, yield* filterKeyvals(pages, "audible", [true]));
  const withPhones = yield* periodUnion(active, onPhones);
  const edits = yield* overlaidAll(edited.map(({ events }) => events));
  const away = yield* without(yield* withStatus(statuses, "afk"), active);
  const reported = yield* overlaidAll(statuses.map(({ events }) => events));
  return {
    host: given.host,
    windows: yield* overlaidAll([yield* periodIntersect(windows, active), onPhones]),
    pages: yield* periodIntersect(pages, withPhones),
    edits: knowsIdle ? yield* periodIntersect(edits, active) : edits,
    active: withPhones,
    away,
    entered: yield* overlaidAll(entered.map(({ events }) => events)),
    covered: [
      ...entered,
      ...firstSilent(windowed, knowsIdle ? yield* without(seen, windows) : NO_EVENTS),
      ...phoned,
      ...firstSilent(statuses, yield* without(windows, reported)),
      ...paged,
      ...edited,
    ],
  };
}

function ofKind(buckets: readonly BucketEvents[], kind: Covered["kind"]): Covered[] {
  return buckets.map(({ id, events }) => ({ id, kind, events, unmatched: 0 }));
}

function firstSilent([first, ...others]: readonly Covered[], silent: EventBatch): readonly Covered[] {
  return first === undefined ? [] : [{ ...first, silent }, ...others];
}

function* withStatus(watchers: readonly Covered[], status: string): Steps<EventBatch> {
  let periods = NO_EVENTS;
  for (const { events } of watchers) {
    periods = yield* periodUnion(periods, yield* filterKeyvals(events, "status", [status]));
  }
  return periods;
}

/** Pages while a window of their browser is in front. @param windows `undefined` = unknown, so that all pages count */
function* pagesOf(
  { id, events: covered, apps, matches }: BrowserEvents,
  windows: EventBatch | undefined,
  active: EventBatch,
): Steps<{ readonly covered: Covered; readonly front: EventBatch }> {
  if (windows === undefined) {
    return { covered: { id, kind: "browser", events: covered, unmatched: 0 }, front: yield* splitUrlEvents(covered) };
  }
  const runner = new TextTestRunner();
  const own = yield* filterByData(windows, (data) => {
    const app = ownValue(data, "app");
    if (typeof app !== "string") return false;
    return apps.has(app) || (matches !== undefined && runner.run(matches, app));
  });
  const front = yield* periodIntersect(covered, own);
  const unmatched = (yield* sumDurations(covered)) - (yield* sumDurations(front));
  const silent = yield* without(yield* periodIntersect(own, active), covered);
  return { covered: { id, kind: "browser", events: covered, silent, unmatched }, front: yield* splitUrlEvents(front) };
}

/** Adds the time entered by hand where no host has a window. */
export function* withEntered(hosts: readonly HostActivity[]): Steps<readonly HostActivity[]> {
  if (hosts.every(({ entered }) => entered.length === 0)) return hosts;
  let windows = NO_EVENTS;
  for (const host of hosts) windows = yield* periodUnion(windows, host.windows);
  const all: HostActivity[] = [];
  for (const host of hosts) {
    const added = yield* without(host.entered, windows);
    all.push({
      ...host,
      windows: yield* overlaidAll([host.windows, added]),
      active: yield* periodUnion(host.active, added),
    });
  }
  return all;
}

/** Activity of several hosts in which a moment counts once. Earlier hosts take precedence. */
export function* together(hosts: readonly Activity[]): Steps<Activity> {
  const [only] = hosts;
  if (only !== undefined && hosts.length === 1) return only;
  const lists = (name: keyof Activity): EventBatch[] => hosts.map((host) => host[name]);
  let active = NO_EVENTS;
  for (const list of lists("active")) active = yield* periodUnion(active, list);
  let away = NO_EVENTS;
  for (const list of lists("away")) away = yield* periodUnion(away, list);
  return {
    windows: yield* overlaidAll(lists("windows")),
    pages: yield* overlaidAll(lists("pages")),
    edits: yield* overlaidAll(lists("edits")),
    active,
    away: yield* without(away, active),
  };
}

/** The time in which anything happened at hosts, whether a filter keeps it or not. */
export function* presenceAt(hosts: readonly Activity[]): Steps<EventBatch> {
  let present = NO_EVENTS;
  for (const { active, windows, edits } of hosts) {
    for (const list of [active, windows, edits]) present = yield* periodUnion(present, list);
  }
  return present;
}

/** Tests of a filter (docs/guides/reports.md#filters). */
export interface ActivityFilter {
  /** Tests windows by their category. */
  readonly category?: Decide<boolean> | undefined;
  /** Tests windows with the details of pages and files. */
  readonly detailed?: Decide<boolean> | undefined;
  /** Keys of pages and files that the tests read. */
  readonly pageKeys: readonly string[];
  readonly fileKeys: readonly string[];
  /** Conditions that pages and files must meet themselves. */
  readonly pages?: Decide<boolean> | undefined;
  readonly files?: Decide<boolean> | undefined;
  /** All conditions, for files of a host without windows. */
  readonly all: Decide<boolean>;
}

/** Windows that meet a filter, and the pages and files in front at the same time. */
export function* filtered(host: HostActivity, filter: ActivityFilter): Steps<HostActivity> {
  const hasWindows = host.covered.some(({ kind }) => kind === "window" || kind === "phone");
  const categorized = yield* kept(host.windows, filter.category);
  let windows = categorized;
  if (filter.detailed !== undefined) {
    const paged = yield* mergeSubwatcherFields(categorized, host.pages, filter.pageKeys, "base_wins");
    const detailed = yield* mergeSubwatcherFields(paged, host.edits, filter.fileKeys, "base_wins");
    const passing = yield* kept(detailed, filter.detailed);
    windows = detailed === categorized ? passing : yield* periodIntersect(categorized, passing);
  }
  const pages = yield* kept(yield* periodIntersect(host.pages, windows), filter.pages);
  const edits = hasWindows
    ? yield* kept(yield* periodIntersect(host.edits, windows), filter.files)
    : yield* kept(host.edits, filter.all);
  return { ...host, windows, pages, edits };
}

function* kept(events: EventBatch, test: Decide<boolean> | undefined): Steps<EventBatch> {
  return test === undefined ? events : yield* filterByData(events, test);
}
