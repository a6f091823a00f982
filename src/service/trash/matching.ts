import type { DomainOf } from "../../api/codec.js";
import type { EventBatch } from "../../domain/batch.js";
import type { Bucket } from "../../domain/bucket.js";
import type { Micros } from "../../domain/time.js";
import { fieldUnfit } from "../../errors.js";
import { formatTerm, type Term } from "../../filter/term.js";
import type { Storage, TimeRange, VersionToken } from "../../storage/storage.js";
import { composed } from "../../util/composed.js";
import { canonicalGlobTest } from "../../util/glob.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { createFilter, type FilterWork, findMatchingRows, parseTerms, toTimeRange } from "../search/filters.js";
import { invalid } from "../validation.js";
import { EMPTY_EXTENT, type Extent, measureExtent, mergeExtents } from "./entry.js";
import { deletedByFilter, RANGE_DELETED } from "./reasons.js";

/** Which events of some buckets to delete, and how. */
export type SelectionInput = DomainOf<"DeletionByFilter">;

/** A parsed selection. */
export interface DeletionSelection extends TimeRange {
  readonly terms: readonly Term[];
}

/** A selection of buckets. */
export type BucketSelection = Pick<DomainOf<"WideDeletionSelection">, "buckets" | "hosts">;

/** Selected events of a bucket. */
export interface FoundEvents extends Extent {
  readonly bucketId: string;
  readonly eventIds: readonly number[];
  /** The version of the bucket that was searched. */
  readonly version: VersionToken;
}

/** The result or preview of a deletion by a selection. */
export type MatchingDeletion = DomainOf<"EventsDeletion">;

/**
 * @throws ActivityError `INVALID_INPUT` with the field; also for a selection of everything, for which callers should
 *   delete the bucket
 */
export function parseSelection(given: SelectionInput): DeletionSelection {
  const terms = collectTerms(given);
  const range = toTimeRange(given);
  if (terms.length > 0 || Object.keys(range).length > 0) return { ...range, terms };
  throw invalid("the deletion must have a start, end, key or filter; to delete all events, delete the bucket");
}

/** Creates a test for selected buckets. */
export function createBucketTest({ buckets, hosts }: BucketSelection): (bucket: Bucket) => boolean {
  const tests = buckets?.map(canonicalGlobTest);
  const hostnames = hosts && new Set(hosts.map(composed));
  return ({ id, hostname }) =>
    (tests?.some((test) => test(id)) ?? true) && (hostnames?.has(composed(hostname)) ?? true);
}

/**
 * Finds the selected events of a bucket; other work runs in between.
 *
 * @param check throws if it takes too long
 */
export type FindEvents = (
  reader: Pick<Storage, "read">,
  bucketId: string,
  check: FilterWork["check"],
) => Promise<FoundEvents>;

/**
 * Compiles a selection, with the current categories.
 *
 * @throws ActivityError `INVALID_INPUT` for an invalid pattern
 */
export async function compileSelection(
  storage: Storage,
  selection: DeletionSelection,
  bucketIds: readonly string[],
): Promise<FindEvents> {
  const filter = await createFilter(storage, selection.terms, bucketIds);
  const timeSlice = createTimeSlice();
  return async (reader, bucketId, check) => {
    let extent: Extent = EMPTY_EXTENT;
    const eventIds: number[] = [];
    const { version, batches } = await reader.read(bucketId, { ...toTimeRange(selection), order: "oldest" });
    for await (const batch of batches) {
      const rows = Array.from(await findMatchingRows(batch, { filter, check, timeSlice })).filter((row) =>
        isWithin(batch, row, selection),
      );
      extent = mergeExtents(extent, measureExtent(batch, rows));
      for (const row of rows) eventIds.push(batch.ids?.[row] as number);
    }
    return { bucketId, eventIds, version, ...extent };
  };
}

/** Excludes an event that only touches an end of the deleted range. */
function isWithin(batch: EventBatch, row: number, { start, end }: TimeRange): boolean {
  const from: Micros = batch.timestamps[row] as number;
  const to = batch.endAt(row);
  const isAfter = end !== undefined && from >= end;
  const isBefore = start !== undefined && to <= start && from < start;
  return !isAfter && !isBefore;
}

/** Description of the deletion for people. */
export function describeSelection({ terms }: DeletionSelection): string {
  if (terms.length === 0) return RANGE_DELETED;
  return deletedByFilter(terms.map(formatTerm).join(" "));
}

/** @throws ActivityError `INVALID_INPUT` with the field */
function collectTerms({ filter, key, equals, matches }: SelectionInput): readonly Term[] {
  const terms = parseTerms(filter ?? []);
  const [hasKey, hasEquals, hasMatches] = [key, equals, matches].map((value) => value !== undefined && value !== null);
  if (!hasKey && !hasEquals && !hasMatches) return terms;
  if (!hasKey) throw fieldUnfit("key", "must be set if equals or matches is, got nothing");
  if (hasEquals === hasMatches) throw fieldUnfit("key", "must come with either equals or matches");
  const path = [key as string];
  if (hasEquals) return [...terms, { kind: "equals", path, value: String(equals), not: false }];
  return [...terms, { kind: "matches", path, pattern: matches as string, ignoreCase: false, not: false }];
}
