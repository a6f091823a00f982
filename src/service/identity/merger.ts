import type { DomainOf } from "../../api/codec.js";
import type { Micros } from "../../domain/time.js";
import { noSuchBucket } from "../../errors.js";
import { REDIRECTS_KIND } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import type { AccessCheck } from "../access/bucket-access.js";
import type { Trash } from "../trash/trash.js";
import {
  checkSources,
  countResolutions,
  type MergedBucket,
  type MergeSteps,
  planMerge,
  readBuckets,
  refuseRedirected,
} from "./merge.js";
import type { OverlapPolicy } from "./overlaps.js";
import { pendingMerges } from "./pending-merges.js";
import { parseRedirect, type Redirect, type Redirects } from "./redirects.js";
import { planRedirects, type RedirectExpiry } from "./relabel.js";
import {
  createUndoRecord,
  deleteUndoRecord,
  newUndoId,
  noSuchUndo,
  parseUndo,
  type RecordStep,
  type StoredUndo,
  toRecordChanges,
  UNDO_KIND,
  undoExpiry,
} from "./undo.js";
import { planUnmerge } from "./unmerge.js";

/** Options of `Merger`. */
export interface MergerOptions {
  readonly storage: Storage;
  readonly trash: Trash;
  readonly redirects: Redirects;
}

/** The result or preview of a merge. */
export type Merging = DomainOf<"Merging">;

/** A requested merge. */
export interface MergeRequest {
  readonly into: string;
  readonly from: readonly string[];
  readonly policy: OverlapPolicy;
  readonly redirecting: RedirectExpiry;
  readonly refuse: AccessCheck | undefined;
  readonly now: Micros;
}

/** Merges buckets into one, and undoes it (docs/guides/buckets.md#merging). */
export class Merger {
  readonly #options: MergerOptions;

  constructor(options: MergerOptions) {
    this.#options = options;
  }

  /** Previews a merge without blocking writes. @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET` */
  async preview({ into, from, policy, redirecting, now }: MergeRequest): Promise<Merging> {
    checkSources(into, from);
    const { storage } = this.#options;
    const bucketIds = [into, ...from];
    for (const id of bucketIds) if ((await storage.getBucket(id)) === undefined) throw noSuchBucket(id);
    const buckets = await countResolutions(bucketIds, readBuckets(storage, bucketIds), policy);
    const known = await storage.records(REDIRECTS_KIND).list();
    return {
      undo: null,
      into,
      buckets,
      redirects: parseCreatedRedirects(createRedirectSteps({ into, from, redirecting, now }, known)),
    };
  }

  /**
   * @returns `undefined`, with nothing changed, if records were changed in the meantime
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT` for an ID that is redirected
   */
  async merge(request: MergeRequest): Promise<Merging | undefined> {
    const { into, from, policy, refuse, now } = request;
    checkSources(into, from);
    const { storage, trash, redirects } = this.#options;
    const refuseMoved = async (): Promise<void> => {
      for (const bucketId of [into, ...from]) refuseRedirected(bucketId, await redirects.resolveStored(bucketId));
    };
    await refuseMoved();
    let redirectRecords: readonly RecordStep[] = [];
    const undo = newUndoId();
    let buckets: readonly MergedBucket[] = [];
    const deleting = { reason: `merged into ${into}`, hasNotes: true, refuse };
    const merging = trash.runDeletion([into, ...from], deleting, async (view, bin) => {
      // Creating a redirect to one of these buckets locks that bucket, so there are no others after this read.
      redirectRecords = createRedirectSteps(request, await storage.records(REDIRECTS_KIND).list());
      const plan = await planMerge(view, bin, [into, ...from], policy);
      buckets = plan.buckets;
      const records = [...redirectRecords, ...plan.records];
      const changes = [...plan.changes, ...toRecordChanges(records)];
      if (bin.entryId === undefined) return changes;
      const expires = undoExpiry(now, trash);
      const before = await pendingMerges(storage, into);
      const order = 1 + Math.max(0, ...before.map(({ steps: { order = 0 } }) => order));
      const steps = { ...plan.steps, entryId: bin.entryId, records, order };
      const kept = createUndo(steps, { id: undo, now, expires, from, buckets });
      return [...changes, createUndoRecord(kept)];
    });
    const done = await merging.catch(async (thrown: unknown) => {
      // A missing bucket may have been renamed after the first read.
      await refuseMoved();
      throw thrown;
    });
    if (done === undefined) return undefined;
    return {
      undo: done.entry === undefined ? null : undo,
      into,
      buckets,
      redirects: parseCreatedRedirects(redirectRecords),
    };
  }

  /**
   * @returns how many events stay because they have changed since; `undefined` if it was undone in the meantime
   * @throws ActivityError `CONFLICT`
   */
  async undo({ id, steps }: StoredUndo, now: Micros, refuse: AccessCheck | undefined): Promise<number | undefined> {
    const { storage, trash } = this.#options;
    const { into, sources, entryId } = steps as unknown as MergeSteps;
    const bucketIds = [into, ...sources.map(({ bucketId }) => bucketId)];
    let kept = 0;
    const isDone = await trash.runRemoval(entryId, bucketIds, async (view, entry) => {
      await refuse?.(view, into, "alter");
      // Events may have been moved since it was read, but not while the transaction locks the buckets.
      const record = await view.getRecord(UNDO_KIND, id);
      const undo = record === undefined ? undefined : parseUndo(id, record);
      if (undo === undefined) throw noSuchUndo(id);
      const plan = await planUnmerge({ view, storage, now }, undo.steps as unknown as MergeSteps, entry);
      kept = plan.kept;
      return [...plan.changes, deleteUndoRecord(undo)];
    });
    return isDone ? kept : undefined;
  }
}

function createRedirectSteps(
  { into, from, redirecting, now }: Omit<MergeRequest, "policy" | "refuse">,
  known: Awaited<ReturnType<ReturnType<Storage["records"]>["list"]>>,
): RecordStep[] {
  const moves = from.map((bucketId) => ({ bucketId, newId: into }));
  return planRedirects(known, moves, { now, made: redirecting });
}

function parseCreatedRedirects(steps: readonly RecordStep[]): Redirect[] {
  return steps.flatMap(([, , , after]) => (after === null ? [] : (parseRedirect(after) ?? [])));
}

function createUndo(
  steps: MergeSteps,
  {
    id,
    now,
    expires,
    from,
    buckets,
  }: Pick<MergeRequest, "now" | "from"> &
    Pick<StoredUndo, "id" | "expires"> & { readonly buckets: readonly MergedBucket[] },
): StoredUndo {
  const { sources, records, notes = null, ...others } = steps;
  const plain = {
    sources: sources.map((each) => ({ ...each })),
    records: records.map((step) => [...step]),
    notes: notes?.map((note) => [...note]) ?? null,
  };
  return {
    id,
    kind: "merge",
    time: now,
    expires,
    from: [...from],
    to: [steps.into],
    events: buckets.slice(1).reduce((sum, { events }) => sum + events, 0),
    steps: { ...others, ...plain },
  };
}
