import type { EventBatch } from "../domain/batch.js";
import type { JsonValue } from "../domain/json.js";
import { jsonKey } from "../domain/json-key.js";
import { microsToSeconds, secondsToMicros } from "../domain/time.js";
import { hasCode, quote } from "../errors.js";
import { compileRegex, RegexSyntaxError } from "../regex/regex.js";
import { chunkEventsByKey } from "../transforms/chunk.js";
import { excludeKeyvals, filterKeyvals, filterKeyvalsRegex } from "../transforms/filter.js";
import { flood } from "../transforms/flood.js";
import { limitEvents } from "../transforms/limit.js";
import { mergeEventsByKeys } from "../transforms/merge.js";
import { periodIntersect, periodUnion } from "../transforms/period.js";
import { simplifyWindowTitles } from "../transforms/simplify.js";
import { sortByDuration, sortByTimestamp } from "../transforms/sort.js";
import { splitUrlEvents } from "../transforms/split-url.js";
import { mergeSubwatcherFields } from "../transforms/subwatcher.js";
import { sumDurations } from "../transforms/sum.js";
import { concat, unionNoOverlap } from "../transforms/union.js";
import { READ_BUCKET } from "./ast.js";
import { containsValue } from "./equality.js";
import {
  type Arguments,
  type FunctionContext,
  type QueryFunction,
  runToCompletion,
  type Signature,
} from "./function.js";
import { RULE_FUNCTIONS } from "./rule-functions.js";
import type { SourceBucket } from "./source.js";
import { isDict, isEventBatch, toJson, type Value } from "./values.js";
import type { Span } from "./window.js";

/** Default pulsetime of `flood`, in seconds. */
const PULSE_SECONDS = 5;

/** A function that transforms lists of events into one. */
type Transform = (args: Arguments, context: FunctionContext) => Generator<undefined, EventBatch, undefined>;

/** Creates a function whose result depends only on its arguments and is therefore cached. */
function transform(name: string, signature: Signature, steps: Transform): QueryFunction {
  return {
    name,
    ...signature,
    run(args, context) {
      const values = Array.from({ length: args.count }, (_, index) => args.any(index));
      return runToCompletion(
        context.memo.compute(callKey(name, values), values.filter(isEventBatch), steps(args, context)),
        context,
      );
    },
  };
}

/** Cache key of a call, with placeholders for lists of events; `undefined` if another value contains events. */
function callKey(name: string, values: readonly Value[]): string | undefined {
  let text = name;
  for (const value of values) {
    const json = isEventBatch(value) ? null : toJson(value);
    if (json === undefined) return undefined;
    text += isEventBatch(value) ? "-" : jsonKey(json);
  }
  return text;
}

const E = { parameters: ["events"] } as const satisfies Signature;
const E_E = { parameters: ["events", "events"] } as const satisfies Signature;
const E_S_LIST = { parameters: ["events", "text", "list"] } as const satisfies Signature;

const TRANSFORMS: readonly QueryFunction[] = [
  transform("flood", { parameters: ["events", "number"], optional: 1 }, (args) => {
    const seconds = args.count > 1 ? args.number(1) : PULSE_SECONDS;
    if (seconds < 0) throw args.errorAt(1, `pulsetime must not be negative, got ${seconds}`);
    return flood(args.events(0), secondsToMicros(seconds));
  }),
  transform("filter_keyvals", E_S_LIST, (args) =>
    filterKeyvals(args.events(0), args.text(1), readWantedValues(args, 2)),
  ),
  transform("exclude_keyvals", E_S_LIST, (args) =>
    excludeKeyvals(args.events(0), args.text(1), readWantedValues(args, 2)),
  ),
  transform("filter_keyvals_regex", { parameters: ["events", "text", "text"] }, (args, { slot }) => {
    const regex = readRegex(args, 2);
    return filterKeyvalsRegex(args.events(0), args.text(1), (text) => regex.test(text, slot), slot);
  }),
  transform("filter_period_intersect", E_E, (args) => periodIntersect(args.events(0), args.events(1))),
  transform("period_union", E_E, (args) => periodUnion(args.events(0), args.events(1))),
  transform("union_no_overlap", E_E, (args) => unionNoOverlap(args.events(0), args.events(1))),
  transform("concat", { parameters: [], rest: "events" }, (args, { budget }) => {
    const lists = Array.from({ length: args.count }, (_, index) => args.events(index));
    // Checked before the lists are joined: a short program can request a huge result.
    budget.checkSize({ nodes: 1, events: lists.reduce((sum, { length }) => sum + length, 0), depth: 0 });
    return concat(lists);
  }),
  transform("limit_events", { parameters: ["events", "number"] }, (args) =>
    limitEvents(args.events(0), args.number(1)),
  ),
  transform("sort_by_timestamp", E, (args) => sortByTimestamp(args.events(0))),
  transform("sort_by_duration", E, (args) => sortByDuration(args.events(0))),
  transform("merge_events_by_keys", { parameters: ["events", "texts"] }, (args) =>
    mergeEventsByKeys(args.events(0), args.texts(1)),
  ),
  transform("chunk_events_by_key", { parameters: ["events", "text"] }, (args) =>
    chunkEventsByKey(args.events(0), args.text(1)),
  ),
  transform("split_url_events", E, (args) => splitUrlEvents(args.events(0))),
  transform("simplify_window_titles", { parameters: ["events", "text"] }, (args) =>
    simplifyWindowTitles(args.events(0), args.text(1)),
  ),
  transform(
    "merge_subwatcher_fields",
    { parameters: ["events", "events", "texts", "text"], optional: 1 },
    (args, { budget }) => {
      const conflict = args.count > 3 ? args.text(3) : "base_wins";
      if (conflict !== "base_wins" && conflict !== "sub_wins") {
        throw args.errorAt(3, `conflict must be base_wins or sub_wins, got ${quote(conflict)}`);
      }
      // Overlapping events can be cut into very many pieces.
      const made = (events: number): void => budget.checkSize({ nodes: 1, events, depth: 0 });
      return mergeSubwatcherFields(args.events(0), args.events(1), args.texts(2), conflict, made);
    },
  ),
];

const READS: readonly QueryFunction[] = [
  {
    name: READ_BUCKET,
    parameters: ["text"],
    async run(args, context) {
      const { start, end } = requireWindow(args, context);
      const bucketId = args.text(0);
      let made = 0;
      const { events } = await readFromBucket(args, () =>
        context.source.readEvents(bucketId, start, end, (soFar, dataBytes) => {
          const size = { nodes: 1, events: soFar, depth: 0 };
          context.budget.check();
          context.budget.made(dataBytes - made, dataBytes / Math.max(soFar, 1));
          made = dataBytes;
          context.budget.checkSize(size);
          return context.budget.awaitMemory(size);
        }),
      );
      context.budget.countProduced(events.length);
      return events;
    },
  },
  {
    name: "query_bucket_eventcount",
    parameters: ["text"],
    run(args, context) {
      const { start, end } = requireWindow(args, context);
      return readFromBucket(args, () => context.source.countEvents(args.text(0), start, end));
    },
  },
  {
    name: "query_bucket_names",
    parameters: [],
    run: async (_args, { source }) => oldestFirst(await source.listBuckets()).map(({ id }) => id),
  },
  {
    name: "find_bucket",
    parameters: ["text", "any"],
    optional: 1,
    run: async (args, { source }) => findBucket(args, oldestFirst(await source.listBuckets())),
  },
];

const OTHERS: readonly QueryFunction[] = [
  {
    name: "sum_durations",
    parameters: ["events"],
    run: async (args, context) => microsToSeconds(await runToCompletion(sumDurations(args.events(0)), context)),
  },
  {
    name: "contains",
    parameters: ["container", "any"],
    run(args, context) {
      const container = args.container(0);
      const wanted = args.any(1);
      if (!isDict(container)) return runToCompletion(containsValue(container, wanted), context);
      if (typeof wanted === "string") return container.has(wanted);
      throw args.errorAt(1, "the key of a dict must be a string");
    },
  },
  { name: "nop", parameters: [], run: () => 1 },
  { name: "print", parameters: [], rest: "any", run: () => null },
];

/** All functions of the language by name (docs/reference/query.md#functions). */
export const FUNCTIONS: ReadonlyMap<string, QueryFunction> = new Map(
  [...READS, ...TRANSFORMS, ...OTHERS, ...RULE_FUNCTIONS].map((each) => [each.name, each]),
);

/** The values of a list in the form that event data has. Values that JSON cannot represent equal nothing. */
function readWantedValues(args: Arguments, index: number): JsonValue[] {
  const list = args.list(index);
  if (isEventBatch(list)) return [];
  return list.map(toJson).filter((value) => value !== undefined);
}

function readRegex(args: Arguments, index: number): ReturnType<typeof compileRegex> {
  try {
    return compileRegex(args.text(index));
  } catch (cause) {
    if (cause instanceof RegexSyntaxError) throw args.errorAt(index, cause.message, cause);
    throw cause;
  }
}

function requireWindow(args: Arguments, { period }: FunctionContext): Span {
  const window = period();
  if (window.kind === "span") return window;
  throw args.errorAt(0, `the variable ${window.variable} must contain a time to read from buckets`);
}

/** Reads a bucket. Reports an unknown bucket as an error of the argument that names it. */
async function readFromBucket<T>(args: Arguments, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!hasCode(cause, "NO_SUCH_BUCKET")) throw cause;
    throw args.errorAt(0, cause.message, cause);
  }
}

/** Buckets by creation time, which an import may have set; ties are in the order of their creation here. */
function oldestFirst(buckets: readonly SourceBucket[]): SourceBucket[] {
  return [...buckets].sort((a, b) => a.created - b.created);
}

/**
 * Finds a bucket: an exact ID first, then a prefix, then any part of it
 * (docs/reference/compatibility.md#finding-buckets).
 */
function findBucket(args: Arguments, buckets: readonly SourceBucket[]): string {
  const filter = args.text(0);
  const hostname = args.count > 1 ? args.any(1) : null;
  if (hostname !== null && typeof hostname !== "string") throw args.errorAt(1, "the hostname must be a string");
  const candidates = buckets.filter((bucket) => !hostname || bucket.hostname === hostname);
  const found =
    candidates.find(({ id }) => id === filter) ??
    candidates.find(({ id }) => id.startsWith(filter)) ??
    candidates.find(({ id }) => id.includes(filter));
  if (found !== undefined) return found.id;
  const where = hostname ? ` of hostname ${quote(hostname)}` : "";
  throw args.errorAt(0, `no bucket${where} has ${quote(filter)} in its ID`);
}
