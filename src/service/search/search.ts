// Searches the events of several buckets. docs/guides/search.md

import type { QueryIn } from "../../api/calls.js";
import type { DomainOf } from "../../api/codec.js";
import type { EventBatch } from "../../domain/batch.js";
import { clipBatches } from "../../domain/clip.js";
import type { Micros } from "../../domain/time.js";
import { parsePath } from "../../filter/term.js";
import type { QueryLoad } from "../../query/load.js";
import type { BucketView } from "../../query/view.js";
import type { Storage } from "../../storage/storage.js";
import { composed } from "../../util/composed.js";
import { canonicalGlobTest } from "../../util/glob.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { readBatchesIfExists } from "../each-bucket.js";
import { ActiveTimes } from "./active-times.js";
import { Days } from "./days.js";
import { createFilter, loadCategorizer, parseTerms, toTimeRange } from "./filters.js";
import { type GroupKey, groupByCategory, groupByValue, groupMatches } from "./group-matches.js";
import { listMatches } from "./list-matches.js";

/** The search and the form of its results. */
export interface SearchRequest extends Omit<QueryIn<"search">, "format"> {
  /** Whether the caller has left. @default never */
  readonly isGone?: () => boolean;
  /** The buckets that the caller can see. @default all */
  readonly view?: BucketView | undefined;
}

/** A found event, or a part of it. */
export interface SearchHit {
  readonly bucketId: string;
  readonly timestamp: Micros;
  readonly duration: Micros;
  /** The batch with its ID and data. */
  readonly batch: EventBatch;
  readonly row: number;
}

/** Events with the same key. */
export type SearchGroup = DomainOf<"SearchGroup">;

/** The totals of all results. */
export type SearchSummary = DomainOf<"SearchSummary">;

/** A part of the results; the summary is the last one. */
export type SearchPart =
  | { readonly hits: readonly SearchHit[] }
  | { readonly groups: readonly SearchGroup[] }
  | { readonly summary: SearchSummary };

/** A searched bucket. */
export interface SearchedBucket {
  readonly id: string;
  /** `undefined`: includes inactive time. */
  readonly active: ActiveTimes | undefined;
  /** Its events, each clipped to the range. */
  read(order: "newest" | "oldest"): AsyncGenerator<EventBatch>;
}

/**
 * Searches. Counted as a query in progress while it works, not while its reader processes results.
 *
 * @throws ActivityError `INVALID_INPUT`, `QUERY_TOO_LARGE`, `BUSY`
 */
export async function* search(
  storage: Storage,
  load: QueryLoad,
  request: SearchRequest,
): AsyncGenerator<SearchPart, void, undefined> {
  const work = load.work(request.isGone);
  for await (const part of work.inTurns(searchParts(storage, request, work.check))) {
    if (!("hits" in part) || part.hits.length > 0) yield part;
  }
}

/** Parts without hits let other work run. */
async function* searchParts(
  storage: Storage,
  request: SearchRequest,
  check: () => void,
): AsyncGenerator<SearchPart, void, undefined> {
  const { filter, timeZone, dayStart, group, numbers, order } = request;
  const limit = (request.limit ?? -1) < 0 ? Number.POSITIVE_INFINITY : (request.limit as number);
  const days = new Days(timeZone, dayStart);
  const terms = parseTerms(filter ?? []);
  const buckets = await selectBuckets(storage, request, check);
  const by = typeof group !== "string" || group === "day" ? group : await createGroupKey(storage, group, buckets);
  const work = { filter: await createFilter(storage, terms, buckets), check, timeSlice: createTimeSlice() };
  yield* by === undefined || by === null
    ? listMatches(buckets, { work, days, order, limit })
    : groupMatches(buckets, { work, days, group: by, foldsNumbers: numbers === "fold", limit });
}

/** The group key of events. @throws ActivityError `INVALID_INPUT` */
async function createGroupKey(storage: Storage, group: string, buckets: readonly unknown[]): Promise<GroupKey> {
  if (group === "category") return groupByCategory(await loadCategorizer(storage, buckets));
  return groupByValue(parsePath(group));
}

async function selectBuckets(storage: Storage, request: SearchRequest, check: () => void): Promise<SearchedBucket[]> {
  const { view, start, end, group, order } = request;
  const range = toTimeRange(request);
  if (typeof start === "number" && typeof end === "number" && start > end) return [];
  const all = (await storage.listBuckets()).filter(({ id }) => view === undefined || view.sees(id));
  const hostnames = new Set(request.host?.map(composed));
  const globs = (request.bucket ?? []).map(canonicalGlobTest);
  const wanted = all.filter(
    ({ id, hostname }) =>
      (hostnames.size === 0 || hostnames.has(composed(hostname))) &&
      (globs.length === 0 || globs.some((test) => test(id))),
  );
  const activeOf = new Map<string, ActiveTimes>();
  if (request.active) {
    for (const host of new Set(wanted.map(({ hostname }) => hostname))) {
      const watchers = all.filter(({ hostname, type }) => hostname === host && type === "afkstatus");
      if (watchers.length === 0) continue;
      const active = new ActiveTimes(storage, watchers, range, check);
      // The newest events need only the active times of then; earlier ones are read in the meantime.
      if (group !== undefined || order === "oldest") await active.extendTo(Number.NEGATIVE_INFINITY);
      activeOf.set(host, active);
    }
  }
  return wanted.map((bucket) => ({
    id: bucket.id,
    active: activeOf.get(bucket.hostname),
    read: (order) => clipBatches(readBatchesIfExists(storage, bucket.id, { ...range, order }), range),
  }));
}
