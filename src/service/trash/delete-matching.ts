import type { Storage } from "../../storage/storage.js";
import { lacksTransactions } from "../../storage/transaction.js";
import { IdSet } from "../../util/id-set.js";
import { inTurns } from "../../util/time-slice.js";
import { ConcurrentChange } from "../retry-on-change.js";
import type { FilterWork } from "../search/filters.js";
import type { DeleteOptions } from "./delete-options.js";
import { EMPTY_EXTENT, type Extent, mergeExtents } from "./entry.js";
import {
  type BucketSelection,
  compileSelection,
  createBucketTest,
  describeSelection,
  type FindEvents,
  type FoundEvents,
  type MatchingDeletion,
  parseSelection,
  type SelectionInput,
} from "./matching.js";
import type { Trash } from "./trash.js";

/** A deletion of selected events. */
export interface MatchingRequest {
  /** The ID of one bucket, or a selection of buckets. */
  readonly buckets: string | BucketSelection;
  readonly selection: SelectionInput;
  /** The buckets to search. */
  readonly targets?: readonly string[];
  /** Throws if the search takes too long. */
  readonly check?: FilterWork["check"];
}

/** Options of `deleteMatching`. */
export interface MatchingOptions extends Pick<DeleteOptions, "refuse"> {
  readonly storage: Storage;
  readonly trash: Trash;
  /** Called for each bucket with found events; only these may be deleted then. Throws to reject. */
  readonly approve: ((found: Pick<FoundEvents, "bucketId" | "eventIds">) => Promise<void>) | undefined;
  /** Called as soon as events of buckets were deleted. */
  readonly tell: (bucketIds: readonly string[]) => void;
}

/**
 * Deletes the events of buckets that overlap the range of a selection and meet all its terms, or counts them.
 *
 * @throws ConcurrentChange; ActivityError `NO_SUCH_BUCKET`, `INVALID_INPUT` for a selection of everything
 */
export async function deleteMatching(
  { buckets, selection: given, targets = [], check = () => undefined }: MatchingRequest,
  options: MatchingOptions,
): Promise<MatchingDeletion> {
  const { storage, approve } = options;
  const selection = parseSelection(given);
  const find = await compileSelection(storage, selection, targets);
  const found: FoundEvents[] = [];
  for (const bucketId of targets) {
    const inBucket = await find(storage, bucketId, check);
    if (inBucket.events > 0) found.push(inBucket);
  }
  if (given.preview || found.length === 0) return createResult(found, null);
  if (approve !== undefined) for (const each of found) await approve(each);
  const isChosen = typeof buckets === "string" ? () => true : createBucketTest(buckets);
  return deleteFound(found, {
    ...options,
    find,
    check,
    isChosen,
    reason: describeSelection(selection),
    isPermanent: given.permanent,
  });
}

interface FoundOptions extends MatchingOptions, Required<Pick<DeleteOptions, "isPermanent" | "reason">> {
  readonly find: FindEvents;
  readonly check: FilterWork["check"];
  readonly isChosen: ReturnType<typeof createBucketTest>;
}

/**
 * Deletes found events. If a bucket has changed since the search, searches it again in the step that deletes. No other
 * write can change it then, so the search must end in time.
 *
 * @throws ConcurrentChange
 */
async function deleteFound(found: readonly FoundEvents[], options: FoundOptions): Promise<MatchingDeletion> {
  const { storage, trash, find, isChosen, check, approve, refuse, reason, isPermanent } = options;
  const findCurrent = async (reader: Pick<Storage, "read">, before: FoundEvents): Promise<FoundEvents> => {
    const { bucketId, eventIds } = before;
    if (await isUnchanged(reader, before)) return before;
    const now = await find(reader, bucketId, check);
    return approve === undefined ? now : requireApproved(now, eventIds);
  };
  let deleted: readonly (Extent & { readonly bucketId: string })[] = [];
  const tell = () => options.tell(deleted.map(({ bucketId }) => bucketId));
  const deleting = { reason, isPermanent, refuse, tell };
  const bucketIds = found.map(({ bucketId }) => bucketId);
  try {
    const done = await trash.runDeletion(bucketIds, deleting, async (view, bin) => {
      const changes = [];
      for (const before of found) {
        const { bucketId } = before;
        const bucket = await view.getBucket(bucketId);
        if (bucket === undefined || !isChosen(bucket)) throw new ConcurrentChange();
        const { eventIds, start, end } = await findCurrent(view, before);
        const range = start === null || end === null ? {} : { start, end: Math.max(start, end) };
        changes.push(...(await bin.deleteEvents(bucketId, eventIds, range)));
      }
      deleted = bin.items;
      return changes;
    });
    return createResult(done === undefined ? [] : deleted, done?.entry?.id ?? null);
  } catch (thrown) {
    // One bucket needs no transaction; there is no trash without.
    const [first, ...others] = found;
    if (first === undefined || others.length > 0 || !lacksTransactions(thrown)) throw thrown;
    const only = await findCurrent(storage, first);
    deleted = [only];
    const events = await trash.deleteDirectly(only.bucketId, only.eventIds, deleting);
    return createResult(events === 0 ? [] : [{ ...only, events }], null);
  }
}

/** Whether a bucket is unchanged since the search. A read without events only returns the version. */
async function isUnchanged(reader: Pick<Storage, "read">, { bucketId, version }: FoundEvents): Promise<boolean> {
  return version !== undefined && (await reader.read(bucketId, { limit: 0 })).version === version;
}

/** @throws ConcurrentChange for an event that is not among the approved ones */
async function requireApproved(found: FoundEvents, eventIds: readonly number[]): Promise<FoundEvents> {
  const ids = await IdSet.of(eventIds);
  if ((await inTurns(found.eventIds, (id) => ids.has(id))).every(Boolean)) return found;
  throw new ConcurrentChange();
}

function createResult(
  deleted: readonly (Extent & { readonly bucketId: string })[],
  entry: string | null,
): MatchingDeletion {
  const buckets = deleted.map((each) => ({ bucketId: each.bucketId, ...toCounts(each) }));
  return { ...toCounts(deleted.reduce<Extent>(mergeExtents, EMPTY_EXTENT)), entry, buckets };
}

function toCounts({ events, start, end, duration }: Extent): Omit<MatchingDeletion, "entry" | "buckets"> {
  return { count: events, duration: duration ?? 0, first: start, last: end };
}
