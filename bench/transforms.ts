// How long each transform takes, and how that grows with the number of events.
//
//   node --import tsx bench/transforms.ts [transform ...]
import type { EventList } from "../src/domain/event-list.js";
import type { JsonObject } from "../src/domain/json.js";
import { chunkEventsByKey } from "../src/transforms/chunk.js";
import { categorize, categoryRules, tag, tagRules } from "../src/transforms/classify.js";
import { excludeKeyvals, filterKeyvals, filterKeyvalsRegex } from "../src/transforms/filter.js";
import { flood } from "../src/transforms/flood.js";
import { limitEvents } from "../src/transforms/limit.js";
import { fromEvents, reversed, runSteps, type Steps } from "../src/transforms/list.js";
import { mergeEventsByKeys } from "../src/transforms/merge.js";
import { periodIntersect, periodUnion } from "../src/transforms/period.js";
import { simplifyWindowTitles } from "../src/transforms/simplify.js";
import { sortByDuration, sortByTimestamp } from "../src/transforms/sort.js";
import { splitUrlEvents } from "../src/transforms/split-url.js";
import { mergeSubwatcherFields } from "../src/transforms/subwatcher.js";
import { sumDurations } from "../src/transforms/sum.js";
import { concat, unionNoOverlap } from "../src/transforms/union.js";
import { type Sample, type SampleEvent, sample, seededRandom } from "./data.js";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
/** A month of the goals: 150,000 window events with 5,500 distinct data, 20,000 periods of the idle watcher. */
const MONTH = 150_000;
const PER_DAY = 5_000;
const TITLES = 5_500;
const EVENTS_PER_PERIOD = 7.5;
const PULSETIME = 5_000_000;
/** At most this factor of time for ten times the events. */
const MOST_GROWTH = 11;
const ROUNDS_MILLIS = 200;
const FEWEST_ROUNDS = 5;
/** Shorter runs are measured several at a time. */
const BATCH_MILLIS = 1;

/** Lists of one size. Each is made when it is asked for, so that no other one burdens the garbage collector. */
class Lists {
  readonly #sample: Sample;
  readonly #known = new Map<string, JsonObject>();

  constructor(count: number) {
    const days = Math.ceil(count / PER_DAY);
    const windowPerDay = Math.min(count, PER_DAY);
    const idlePerDay = Math.round(windowPerDay / EVENTS_PER_PERIOD);
    this.#sample = sample({ days, windowPerDay, idlePerDay, titles: TITLES });
  }

  /** Window events, ascending. */
  get window(): EventList {
    return this.#listOf(this.#sample.window);
  }

  /** The same, as `query_bucket` gives them. */
  get newestFirst(): EventList {
    return runSteps(reversed(this.window));
  }

  /** The same in no order at all. */
  get shuffled(): EventList {
    const random = seededRandom(1);
    const mixed = this.#sample.window.map((event) => ({ event, place: random() })).sort((a, b) => a.place - b.place);
    return this.#listOf(mixed.map(({ event }) => event));
  }

  /** The same, each with data of its own. */
  get unshared(): EventList {
    return { ...this.window, datas: this.window.datas.map((data) => ({ ...data })) };
  }

  /** Fewer, longer periods over the same time. */
  get idle(): EventList {
    return this.#listOf(this.#sample.idle);
  }

  /** The window events with urls. */
  get web(): EventList {
    const urls = new Map(
      this.#sample.distinct.map((data, at) => [
        data,
        { url: `https://www.host${at % 300}.example/page/${at}?q=${at}`, ...data },
      ]),
    );
    return this.#listOf(
      this.#sample.window.map((event) => ({ ...event, data: urls.get(event.data) as SampleEvent["data"] })),
    );
  }

  /** A list of events with ids, whose equal data are one object. */
  #listOf(events: readonly SampleEvent[]): EventList {
    return fromEvents(
      events.map(({ timestamp, duration, data }, at) => {
        const text = JSON.stringify(data);
        if (!this.#known.has(text)) this.#known.set(text, data);
        return { id: at + 1, timestamp, duration, data: this.#known.get(text) as JsonObject };
      }),
    );
  }
}

const KEYS = ["app", "title"];
/** Rules that cost next to nothing, so that the work around them shows. */
const RULES = Array.from({ length: 30 }, (_, at) => ({
  name: at % 2 === 0 ? ["A"] : ["A", "B"],
  matches: (text: string) => text.length === at,
}));
const KNOWN_RULES = categoryRules(RULES);
const TAG_RULES = RULES.map(({ matches }, at) => ({ name: `tag ${at % 7}`, matches }));

const TRANSFORMS: Readonly<Record<string, (lists: Lists) => () => Steps<unknown>>> = {
  flood:
    ({ window }) =>
    () =>
      flood(window, PULSETIME),
  "flood, newest first":
    ({ newestFirst }) =>
    () =>
      flood(newestFirst, PULSETIME),
  "flood, data not shared":
    ({ unshared }) =>
    () =>
      flood(unshared, PULSETIME),
  periodIntersect:
    ({ window, idle }) =>
    () =>
      periodIntersect(window, idle),
  periodUnion:
    ({ window, idle }) =>
    () =>
      periodUnion(window, idle),
  unionNoOverlap:
    ({ window, idle }) =>
    () =>
      unionNoOverlap(idle, window),
  concat:
    ({ window, idle }) =>
    () =>
      concat([window, idle]),
  limitEvents:
    ({ window }) =>
    () =>
      limitEvents(window, window.length / 2),
  "sortByTimestamp, newest first":
    ({ newestFirst }) =>
    () =>
      sortByTimestamp(newestFirst),
  "sortByTimestamp, shuffled":
    ({ shuffled }) =>
    () =>
      sortByTimestamp(shuffled),
  sortByDuration:
    ({ window }) =>
    () =>
      sortByDuration(window),
  mergeEventsByKeys:
    ({ window }) =>
    () =>
      mergeEventsByKeys(window, KEYS),
  "mergeEventsByKeys, data not shared":
    ({ unshared }) =>
    () =>
      mergeEventsByKeys(unshared, KEYS),
  chunkEventsByKey:
    ({ window }) =>
    () =>
      chunkEventsByKey(window, "app"),
  sumDurations:
    ({ window }) =>
    () =>
      sumDurations(window),
  filterKeyvals:
    ({ window }) =>
    () =>
      filterKeyvals(window, "app", ["app 1", "app 2", "app 3"]),
  excludeKeyvals:
    ({ window }) =>
    () =>
      excludeKeyvals(window, "app", ["app 1", "app 2", "app 3"]),
  filterKeyvalsRegex:
    ({ window }) =>
    () =>
      filterKeyvalsRegex(window, "title", (text) => text.includes("1")),
  splitUrlEvents:
    ({ web }) =>
    () =>
      splitUrlEvents(web),
  "categorize, rules seen before":
    ({ window }) =>
    () =>
      categorize(window, KNOWN_RULES),
  "categorize, new rules":
    ({ window }) =>
    () =>
      categorize(window, categoryRules(RULES)),
  "tag, new rules":
    ({ window }) =>
    () =>
      tag(window, tagRules(TAG_RULES)),
  simplifyWindowTitles:
    ({ window }) =>
    () =>
      simplifyWindowTitles(window, "title"),
  mergeSubwatcherFields:
    ({ window, idle }) =>
    () =>
      mergeSubwatcherFields(window, idle, ["status"], "base_wins"),
};

interface Timing {
  readonly medianMillis: number;
  readonly fastestMillis: number;
  /** The longest time between two pauses, in the run in which it was shortest. */
  readonly stepMillis: number;
}

/** Measures processor time: other work on the machine does not count, our own garbage collection does. */
function measure(start: () => Steps<unknown>): Timing {
  const millis: number[] = [];
  let stepMillis = Number.POSITIVE_INFINITY;
  let spent = 0;
  let batch = 1;
  while (millis.length < FEWEST_ROUNDS || spent < ROUNDS_MILLIS) {
    const started = cpuMillis();
    for (let run = 0; run < batch; run++) runSteps(start());
    const taken = cpuMillis() - started;
    spent += taken;
    if (taken < BATCH_MILLIS && millis.length === 0) batch *= 2;
    else millis.push(taken / batch);
  }
  for (let round = 0; round < FEWEST_ROUNDS; round++) stepMillis = Math.min(stepMillis, longestStep(start()));
  millis.sort((a, b) => a - b);
  return { medianMillis: millis[millis.length >> 1] as number, fastestMillis: millis[0] as number, stepMillis };
}

function longestStep(steps: Steps<unknown>): number {
  let longest = 0;
  for (let done: boolean | undefined = false; !done; ) {
    const started = cpuMillis();
    done = steps.next().done;
    longest = Math.max(longest, cpuMillis() - started);
  }
  return longest;
}

function cpuMillis(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(36) : cell.padStart(10))).join(" | ")} |`;
}

/** A figure with three digits that count. */
function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function measureAll(count: number, names: readonly string[]): Map<string, Timing> {
  const lists = new Lists(count);
  const timings = new Map<string, Timing>();
  for (const name of names) {
    const start = TRANSFORMS[name]?.(lists);
    if (start !== undefined) timings.set(name, measure(start));
  }
  return timings;
}

const asked = process.argv.slice(2);
const chosen = Object.keys(TRANSFORMS).filter(
  (name) => asked.length === 0 || asked.some((part) => name.startsWith(part)),
);
// A first round whose figures do not count: compiling takes its time.
measureAll(10_000, chosen);
const columns = [...SIZES, MONTH].map((size) => measureAll(size, chosen));

console.log(
  "Milliseconds of processor time: the median of all runs, and the longest step of a run over 1,000,000 events.",
);
console.log("Growth: of the fastest run, the largest from one size to ten times as much.\n");
const sizeNames = [...SIZES, MONTH].map((size) => size.toLocaleString("en"));
console.log(row(["", ...sizeNames, "growth", "step"]));
console.log(row(["", "", "", "", "", "", "", ""]).replaceAll(" ", "-"));
for (const name of chosen) {
  const timings = columns.map((column) => column.get(name) as Timing);
  const fastest = timings.map(({ fastestMillis }) => fastestMillis);
  const growth = Math.max(...SIZES.slice(1).map((_, at) => (fastest[at + 1] as number) / (fastest[at] as number)));
  const shown = growth > MOST_GROWTH ? `! ${figure(growth)}` : figure(growth);
  const medians = timings.map(({ medianMillis }) => figure(medianMillis));
  console.log(row([name, ...medians, shown, figure(timings[SIZES.length - 1]?.stepMillis ?? 0)]));
}
