import type { EventBatch } from "../../domain/batch.js";
import type { Bucket } from "../../domain/bucket.js";
import type { Micros } from "../../domain/time.js";
import { formatTerm, parseTerm, type Term } from "../../filter/term.js";
import type { Storage, TimeRange, VersionToken } from "../../storage/storage.js";
import { composed } from "../../util/composed.js";
import { canonicalGlobTest } from "../../util/glob.js";
import { createTimeSlice } from "../../util/time-slice.js";
import { type FilterWork, filterOf, meetingRows } from "../search/filters.js";
import { invalid, shown } from "../validation.js";
import { type Deleted, type Extent, extentOf, NOTHING, together } from "./entry.js";

/** Which events of some buckets to delete. */
export interface DeletionSelection extends TimeRange {
  readonly terms: readonly Term[];
}

/** Which buckets. */
export interface BucketSelection {
  /** Ids, in which `*` stands for any text. @default all */
  readonly buckets?: readonly string[] | undefined;
  /** Hostnames. @default all */
  readonly hosts?: readonly string[] | undefined;
}

/** Events of a bucket that a selection is about. */
export interface FoundEvents extends Extent {
  readonly bucketId: string;
  readonly eventIds: readonly number[];
  /** The version of the bucket that was searched. */
  readonly version: VersionToken;
}

/** How a deletion by a selection goes. */
export interface MatchingOptions {
  /** Whether to count only. */
  readonly isPreview?: boolean;
  /** Past the trash (docs/trash.md#for-good). */
  readonly isPermanent?: boolean;
}

/** What a deletion by a selection did, or would do. */
export interface MatchingDeletion extends Extent, Deleted {
  readonly buckets: readonly (Extent & { readonly bucketId: string })[];
}

/** @throws ActivityError `INVALID_INPUT` for a selection of everything: whoever wants that deletes the bucket */
export function refuseEverything({ start, end, terms }: DeletionSelection): void {
  if (start !== undefined || end !== undefined || terms.length > 0) return;
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

function timesOf({ start, end }: TimeRange): TimeRange {
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
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
  if (terms.length === 0) return "a range of time was deleted";
  return `deleted by a filter: ${terms.map(formatTerm).join(" ")}`;
}

/** What data are asked for, as it is sent. */
export interface DeletionInput {
  /** Terms that their data meet, all of them (docs/search.md#filters). */
  readonly filter?: readonly string[];
  /** A key of the data; then either `equals` or `matches` is given. */
  readonly key?: string;
  readonly equals?: string | number | boolean;
  /** A pattern that is found in what the key holds. */
  readonly matches?: string;
}

const MEMBERS: readonly string[] = ["filter", "key", "equals", "matches"];
const MOST_TERMS = 100;

/** @throws ActivityError `INVALID_INPUT` that names the field */
export function readSelection(input: DeletionInput): { readonly terms: readonly Term[] } {
  const unknown = Object.keys(input).find((name) => !MEMBERS.includes(name));
  // A misspelt limit would delete more than was meant.
  if (unknown !== undefined) throw invalid(`there is no field ${unknown}; a selection has ${MEMBERS.join(", ")}`);
  const { filter, key, equals, matches } = input;
  const texts = textsOf(filter, "filter") ?? [];
  if (texts.length > MOST_TERMS) throw invalid(`filter has ${texts.length} terms; at most ${MOST_TERMS} are expected`);
  const terms = texts.map(parseTerm);
  if (key === undefined && equals === undefined && matches === undefined) return { terms };
  if (typeof key !== "string") throw invalid(`key is ${shown(key)}; beside equals or matches a text is expected`);
  if ((equals === undefined) === (matches === undefined))
    throw invalid("beside key either equals or matches is expected");
  if (matches === undefined) {
    if (!["string", "number", "boolean"].includes(typeof equals)) {
      throw invalid(`equals is ${shown(equals)}; a text, a number, true or false is expected`);
    }
    return { terms: [...terms, { kind: "equals", path: [key], value: String(equals), not: false }] };
  }
  if (typeof matches !== "string") throw invalid(`matches is ${shown(matches)}; a pattern is expected`);
  return { terms: [...terms, { kind: "matches", path: [key], pattern: matches, ignoreCase: false, not: false }] };
}

/** @throws ActivityError `INVALID_INPUT` */
export function textsOf(value: unknown, field: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((text) => typeof text === "string")) return value as readonly string[];
  throw invalid(`${field} is ${shown(value)}; a list of texts is expected`);
}
