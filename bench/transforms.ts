// How long each transform takes, and how that grows with the number of events.
//
//   node --import tsx bench/transforms.ts [transform ...]
import { chunkEventsByKey } from "../src/transforms/chunk.js";
import { categorize, prepareCategoryRules, prepareTagRules, tag } from "../src/transforms/classify.js";
import { excludeKeyvals, filterKeyvals, filterKeyvalsRegex } from "../src/transforms/filter.js";
import { flood } from "../src/transforms/flood.js";
import { limitEvents } from "../src/transforms/limit.js";
import { mergeEventsByKeys } from "../src/transforms/merge.js";
import { periodIntersect, periodUnion } from "../src/transforms/period.js";
import { simplifyWindowTitles } from "../src/transforms/simplify.js";
import { sortByDuration, sortByTimestamp } from "../src/transforms/sort.js";
import { splitUrlEvents } from "../src/transforms/split-url.js";
import { runSteps, type Steps } from "../src/transforms/steps.js";
import { mergeSubwatcherFields } from "../src/transforms/subwatcher.js";
import { sumDurations } from "../src/transforms/sum.js";
import { concat, unionNoOverlap } from "../src/transforms/union.js";
import { type Lists, listsOf, type Whole, wholeOf } from "./transform-lists.js";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
/** A month of the goals: 150,000 window events with 5,500 distinct data, 20,000 periods of the idle watcher. */
const MONTH = 150_000;
const PULSETIME = 5_000_000;
/** At most this factor of time for ten times the events. */
const MAX_GROWTH = 11;
const ROUNDS = 5;

const KEYS = ["app", "title"];
/** Rules that cost next to nothing, so that the work around them shows. */
const RULES = Array.from({ length: 30 }, (_, at) => ({
  name: at % 2 === 0 ? ["A"] : ["A", "B"],
  matches: (text: string) => text.length === at,
}));
const KNOWN_RULES = prepareCategoryRules(RULES);
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
      categorize(window, prepareCategoryRules(RULES)),
  "tag, new rules":
    ({ window }) =>
    () =>
      tag(window, prepareTagRules(TAG_RULES)),
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
  /** The longest time between two pauses, in the run in which it was shortest. */
  readonly stepMillis: number;
}

/** Measures processor time: other work on the machine does not count, our own garbage collection does. */
function measure(starts: readonly (() => Steps<unknown>)[]): Timing {
  const millis: number[] = [];
  let stepMillis = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const started = cpuMillis();
    for (const start of starts) runSteps(start());
    millis.push((cpuMillis() - started) / starts.length);
  }
  const first = starts[0] as () => Steps<unknown>;
  for (let round = 0; round < ROUNDS; round++) stepMillis = Math.min(stepMillis, longestStep(first()));
  millis.sort((a, b) => a - b);
  return { medianMillis: millis[millis.length >> 1] as number, stepMillis };
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

function measureAll(whole: Whole, count: number, names: readonly string[]): Map<string, Timing> {
  const lists = listsOf(whole, count);
  const timings = new Map<string, Timing>();
  for (const name of names) {
    const transform = TRANSFORMS[name];
    if (transform !== undefined) timings.set(name, measure(lists.map((each) => transform(each))));
  }
  return timings;
}

const asked = process.argv.slice(2);
const chosen = Object.keys(TRANSFORMS).filter(
  (name) => asked.length === 0 || asked.some((part) => name.startsWith(part)),
);
// A first round whose figures do not count: compiling takes its time.
measureAll(wholeOf(100_000), 10_000, chosen);
const whole = wholeOf(Math.max(...SIZES));
const columns = [...SIZES, MONTH].map((size) => measureAll(whole, size, chosen));

console.log(
  "Milliseconds of processor time for a list: the median of several passes over the same million events, cut",
);
console.log(
  "into lists of each size. Growth: the largest from one size to ten times as much. Step: the longest between",
);
console.log("two pauses, of a list of a million.\n");
const sizeNames = [...SIZES, MONTH].map((size) => size.toLocaleString("en"));
console.log(row(["", ...sizeNames, "growth", "step"]));
console.log(row(["", "", "", "", "", "", "", ""]).replaceAll(" ", "-"));
for (const name of chosen) {
  const timings = columns.map((column) => column.get(name) as Timing);
  const millis = timings.map(({ medianMillis }) => medianMillis);
  const growth = Math.max(...SIZES.slice(1).map((_, at) => (millis[at + 1] as number) / (millis[at] as number)));
  const shown = growth > MAX_GROWTH ? `! ${figure(growth)}` : figure(growth);
  console.log(row([name, ...millis.map(figure), shown, figure(timings[SIZES.length - 1]?.stepMillis ?? 0)]));
}
