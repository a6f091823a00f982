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
import { type FilterWork, filterOf, meetingRows, termsOf, timesOf } from "../search/filters.js";
import { invalid } from "../validation.js";
import { type Extent, extentOf, NOTHING, together } from "./entry.js";
import { deletedByFilter, RANGE_DELETED } from "./reasons.js";

/** Which events of some buckets to delete, and how. */
export type SelectionInput = DomainOf<"DeletionByFilter">;

/** The same, read. */
export interface DeletionSelection extends TimeRange {
  readonly terms: readonly Term[];
}

/** Which buckets. */
export type BucketSelection = Pick<DomainOf<"WideDeletionSelection">, "buckets" | "hosts">;

/** Events of a bucket that a selection is about. */
export interface FoundEvents extends Extent {
  readonly bucketId: string;
  readonly eventIds: readonly number[];
  /** The version of the bucket that was searched. */
  readonly version: VersionToken;
}

/** What a deletion by a selection did, or would do. */
export type MatchingDeletion = DomainOf<"EventsDeletion">;

/**
 * @throws ActivityError `INVALID_INPUT` that names the field; also for a selection of everything: whoever wants that
 *   deletes the bucket
 */
export function selectionOf(given: SelectionInput): DeletionSelection {
  const terms = allTerms(given);
  const range = timesOf(given);
  if (terms.length > 0 || Object.keys(range).length > 0) return { ...range, terms };
  throw invalid("neither start, end, key nor filter is given, so it would be all events; delete the bucket instead");
}

/** Tells whether a bucket is selected. */
export function bucketTest({ buckets, hosts }: BucketSelection): (bucket: Bucket) => boolean {
  const tests = buckets?.map(canonicalGlobTest);
  const hostnames = hosts && new Set(hosts.map(composed));
  return ({ id, hostname }) =>
    (tests?.some((test) => test(id)) ?? true) && (hostnames?.has(composed(hostname)) ?? true);
}

/**
 * Finds the events of a bucket that a selection is about; others run in between.
 *
 * @param check throws when it takes too long
 */
export type FindEvents = (
  reader: Pick<Storage, "read">,
  bucketId: string,
  check: FilterWork["check"],
) => Promise<FoundEvents>;

/**
 * Compiles a selection, with the categories that are in force now.
 *
 * @throws ActivityError `INVALID_INPUT` for a pattern that cannot be compiled
 */
export async function compileSelection(storage: Storage, selection: DeletionSelection): Promise<FindEvents> {
  const filter = await filterOf(storage, selection.terms);
  const timeSlice = createTimeSlice();
  return async (reader, bucketId, check) => {
    let extent: Extent = NOTHING;
    const eventIds: number[] = [];
    const { version, batches } = await reader.read(bucketId, { ...timesOf(selection), order: "oldest" });
    for await (const batch of batches) {
      const rows = Array.from(await meetingRows(batch, { filter, check, timeSlice })).filter((row) =>
        isWithin(batch, row, selection),
      );
      extent = together(extent, extentOf(batch, rows));
      for (const row of rows) eventIds.push(batch.ids?.[row] as number);
    }
    return { bucketId, eventIds, version, ...extent };
  };
}

/** An event that only ends where the range begins, or begins where it ends, is not meant by who deletes a range. */
function isWithin(batch: EventBatch, row: number, { start, end }: TimeRange): boolean {
  const from: Micros = batch.timestamps[row] as number;
  const to = batch.endAt(row);
  const isBehind = end !== undefined && from >= end;
  const isBefore = start !== undefined && to <= start && from < start;
  return !isBehind && !isBefore;
}

/** For people: what was deleted. */
export function reasonOf({ terms }: DeletionSelection): string {
  if (terms.length === 0) return RANGE_DELETED;
  return deletedByFilter(terms.map(formatTerm).join(" "));
}

/** @throws ActivityError `INVALID_INPUT` that names the field */
function allTerms({ filter, key, equals, matches }: SelectionInput): readonly Term[] {
  const terms = termsOf(filter ?? []);
  const [hasKey, hasEquals, hasMatches] = [key, equals, matches].map((value) => value !== undefined && value !== null);
  if (!hasKey && !hasEquals && !hasMatches) return terms;
  if (!hasKey) throw fieldUnfit("key", "must be given with equals or matches, got nothing");
  if (hasEquals === hasMatches) throw fieldUnfit("key", "must come with either equals or matches");
  const path = [key as string];
  if (hasEquals) return [...terms, { kind: "equals", path, value: String(equals), not: false }];
  return [...terms, { kind: "matches", path, pattern: matches as string, ignoreCase: false, not: false }];
}
