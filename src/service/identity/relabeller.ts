import type { DomainOf } from "../../api/codec.js";
import type { Micros } from "../../domain/time.js";
import { REDIRECTS_KIND } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import { transactOn } from "../../storage/transaction.js";
import type { AccessCheck } from "../access/bucket-access.js";
import { parseRedirect } from "./redirects.js";
import { type Label, planLabelUndo, planRelabel, type RedirectExpiry, type Relabelled } from "./relabel.js";
import {
  createUndoRecord,
  deleteUndoRecord,
  newUndoId,
  type RecordStep,
  revertRecords,
  type StoredUndo,
  toRecordChanges,
  UNDO_DURATION,
} from "./undo.js";

/** A bucket with a new label. */
export type RelabelledBucket = DomainOf<"RelabelledBucket">;

/** The result or preview of relabelling. */
export type Relabelling = DomainOf<"Relabelling">;

/** Requested labels. */
export interface RelabelRequest {
  readonly kind: "rename" | "host";
  readonly labels: readonly Label[];
  readonly redirecting: RedirectExpiry;
  readonly isPreview: boolean;
  readonly refuse: AccessCheck | undefined;
  readonly now: Micros;
}

/** Changes labels of buckets, and undoes it. */
export class Relabeller {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** @returns `undefined`, with nothing changed, if records were changed in the meantime */
  async relabel(request: RelabelRequest): Promise<Relabelling | undefined> {
    const { kind, labels, redirecting, isPreview, refuse, now } = request;
    const undo = newUndoId();
    const bucketIds = new Set(labels.flatMap(({ bucketId, newId }) => [bucketId, newId]));
    const buckets: RelabelledBucket[] = [];
    let steps: RelabelSteps = { relabelled: [], redirects: [] };
    let isNothing = false;
    const isDone = await transactOn(this.#storage, [...bucketIds], async (view) => {
      for (const { bucketId } of labels) await refuse?.(view, bucketId, "alter");
      // Creating a redirect to one of these buckets locks that bucket, so there are no others after this read.
      const redirects = await this.#storage.records(REDIRECTS_KIND).list();
      const plan = await planRelabel(view, labels, { redirects, redirecting, now });
      steps = plan;
      buckets.length = 0;
      for (const { created: _, incarnation: __, ...relabelled } of plan.relabelled) {
        buckets.push({ ...relabelled, events: await view.countEvents(relabelled.from) });
      }
      isNothing = plan.changes.length === 0;
      if (isPreview || isNothing) return [];
      const kept = createUndo({ id: undo, kind, now }, steps, buckets);
      return [...plan.changes, ...toRecordChanges(plan.redirects), createUndoRecord(kept)];
    });
    if (!isDone) return undefined;
    const made = steps.redirects.flatMap(([, , , after]) => (after === null ? [] : (parseRedirect(after) ?? [])));
    return { undo: isPreview || isNothing ? null : undo, buckets, redirects: made };
  }

  /**
   * @returns the buckets with their previous labels; `undefined` if it was undone in the meantime
   * @throws ActivityError `CONFLICT`
   */
  async undo(
    undo: StoredUndo,
    now: Micros,
    refuse: AccessCheck | undefined,
  ): Promise<readonly Relabelled[] | undefined> {
    const { relabelled, redirects } = undo.steps as unknown as RelabelSteps;
    const bucketIds = new Set(relabelled.flatMap(({ from, to }) => [from, to]));
    const isDone = await transactOn(this.#storage, [...bucketIds], async (view) => {
      for (const { to } of relabelled) await refuse?.(view, to, "alter");
      return [
        ...(await planLabelUndo(view, relabelled, { steps: redirects, now })),
        ...(await revertRecords(view, redirects)),
        deleteUndoRecord(undo),
      ];
    });
    return isDone ? relabelled : undefined;
  }
}

/** The data that an undo of relabelling needs. */
interface RelabelSteps {
  readonly relabelled: readonly Relabelled[];
  readonly redirects: readonly RecordStep[];
}

function createUndo(
  { id, kind, now }: Pick<StoredUndo, "id" | "kind"> & { readonly now: Micros },
  { relabelled, redirects }: RelabelSteps,
  buckets: readonly RelabelledBucket[],
): StoredUndo {
  return {
    ...{ id, kind, time: now, expires: now + UNDO_DURATION },
    from: buckets.map(({ from }) => from),
    to: buckets.map(({ to }) => to),
    events: buckets.reduce((sum, { events }) => sum + events, 0),
    steps: {
      relabelled: relabelled.map(({ incarnation = null, ...each }) => ({ ...each, incarnation })),
      redirects: redirects.map((step) => [...step]),
    },
  };
}
