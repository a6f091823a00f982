import type { DomainOf, InputOf } from "../../api/codec.js";
import type { EventBatch } from "../../domain/batch.js";
import type { JsonObject } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import { fieldUnfit, ifCode, quote } from "../../errors.js";
import type { ReadRule } from "../../privacy/rule.js";
import { RuleSet } from "../../privacy/rule-set.js";
import type { Storage } from "../../storage/storage.js";
import type { TransactionChange, TransactionView } from "../../storage/transaction.js";
import { canonicalGlobTest } from "../../util/glob.js";
import { type AccessCheck, BUCKET_ACCESS_KIND, type BucketAccessRules, readAccess } from "../access/bucket-access.js";
import { chunkDraftsFrom } from "../draft-chunks.js";
import { eachBucketId } from "../each-bucket.js";
import { readAllEvents } from "../identity/forward-reader.js";
import { missingEntryAsConflict } from "../identity/identity.js";
import { ensureIncarnation, type Incarnation, isSameBucket } from "../identity/incarnation.js";
import { conflict } from "../identity/relabel.js";
import { createUndoRecord, deleteUndoRecord, newUndoId, type StoredUndo, undoExpiry } from "../identity/undo.js";
import type { Bin } from "../trash/bin.js";
import type { Trash } from "../trash/trash.js";
import { decideOutcomes } from "./outcomes.js";
import { loadRules, type PrivacyCounts } from "./preview.js";
import { planRulesUndo } from "./undo-rules.js";

/** Options of `PrivacyApplier`. */
export interface PrivacyApplierOptions {
  readonly storage: Storage;
  readonly trash: Trash;
  readonly access: BucketAccessRules;
  readonly now: () => Micros;
}

/** Called with a bucket whose events were changed. */
export type OnBucketChanged = (bucketId: string) => void;

/** The rules to apply, and the buckets. */
export type PrivacyApplyInput = InputOf<"PrivacyApplication">;

/** The effect of rules on a bucket. */
export type AppliedBucket = DomainOf<"AppliedPrivacy">["buckets"][number];

/** Data for undoing rules that were applied to a bucket. */
interface ApplySteps extends Incarnation {
  readonly bucketId: string;
  readonly entryId: string;
  readonly rules: readonly ReadRule[];
}

/** Applies privacy rules to stored data, a bucket at a time (docs/guides/privacy.md#rules-over-the-past). */
export class PrivacyApplier {
  readonly #options: PrivacyApplierOptions;

  constructor(options: PrivacyApplierOptions) {
    this.#options = options;
  }

  /**
   * @returns the buckets with changes, or with changes in a preview
   * @throws ActivityError `INVALID_INPUT` with the position
   */
  async apply(
    { rules, buckets, bucket, preview }: DomainOf<"PrivacyApplication">,
    changed: OnBucketChanged,
  ): Promise<AppliedBucket[]> {
    const { storage, access } = this.#options;
    const isAbout = createBucketTest(buckets ?? undefined, bucket ?? undefined);
    const { set, names } = await loadRules(storage, rules);
    const applied: AppliedBucket[] = [];
    for await (const id of eachBucketId(storage)) {
      await access.ready();
      if (!isAbout(id) || !set.appliesTo(id) || access.get(id) !== "open") continue;
      const found = await this.#count(id, set);
      if (found === undefined || found.dropped + found.changed === 0) continue;
      const done = preview
        ? { bucketId: id, ...found, undo: null }
        : await this.#applyTo(id, set, [...names.keys()], changed);
      if (done !== undefined) applied.push(done);
    }
    return applied;
  }

  /** Does not block writes. @returns `undefined` for a deleted bucket */
  async #count(bucketId: string, set: RuleSet): Promise<PrivacyCounts | undefined> {
    const counting = countOutcomes(readAllEvents(this.#options.storage, bucketId), bucketId, set);
    return (await counting.catch(ifCode("NO_SUCH_BUCKET", undefined)))?.counts;
  }

  /** @returns `undefined` if nothing is left to do: the bucket is deleted or protected */
  async #applyTo(
    bucketId: string,
    set: RuleSet,
    rules: readonly ReadRule[],
    changed: OnBucketChanged,
  ): Promise<AppliedBucket | undefined> {
    const { trash, now } = this.#options;
    const undo = newUndoId();
    const time = now();
    let counts: PrivacyCounts = { events: 0, dropped: 0, changed: 0 };
    const reason = "privacy rules were applied";
    // The plan skips a protected bucket.
    const deleting = { reason, refuse: undefined, tell: () => changed(bucketId) };
    const applying = trash.runDeletion([bucketId], deleting, async (view, bin) => {
      counts = { events: 0, dropped: 0, changed: 0 };
      const access = readAccess(await view.getRecord(BUCKET_ACCESS_KIND, bucketId));
      if (access !== "open" || (await view.getBucket(bucketId)) === undefined) return [];
      const plan = await planApply(view, bin, bucketId, set);
      counts = plan.counts;
      const { created } = (await view.getBucket(bucketId)) ?? {};
      if (bin.entryId === undefined || created === undefined || plan.changes.length === 0) return plan.changes;
      const { incarnation, changes } = await ensureIncarnation(view, bucketId);
      const steps = { bucketId, created, incarnation, entryId: bin.entryId, rules: rulesToJson(rules) };
      const events = counts.dropped + counts.changed;
      const from = [bucketId];
      const kept = {
        id: undo,
        kind: "privacy",
        time,
        expires: undoExpiry(time, trash),
        from,
        to: from,
        events,
      } as const;
      return [...plan.changes, ...changes, createUndoRecord({ ...kept, steps })];
    });
    const done = await missingEntryAsConflict(applying);
    if (done === undefined || counts.dropped + counts.changed === 0) return undefined;
    return { bucketId, ...counts, undo: done.entry === undefined ? null : undo };
  }

  /**
   * Restores the events of a bucket from before the rules were applied.
   *
   * @returns how many stay because they have changed since; `undefined` if it was undone in the meantime
   * @throws ActivityError `CONFLICT`
   */
  async undo(undo: StoredUndo, refuse: AccessCheck | undefined, changed: OnBucketChanged): Promise<number | undefined> {
    const { bucketId, created, incarnation, entryId, rules } = undo.steps as unknown as ApplySteps;
    const set = new RuleSet(rules);
    const counts = { kept: 0 };
    const isDone = await this.#options.trash.runRemoval(entryId, [bucketId], async (view, entry) => {
      await refuse?.(view, bucketId, "alter");
      if (!(await isSameBucket(view, bucketId, { created, incarnation }))) {
        throw conflict(
          `the bucket ${quote(bucketId)} no longer exists, or is another one now; if it was renamed, undo that first`,
        );
      }
      counts.kept = 0;
      return [...(await planRulesUndo(view, entry, { bucketId, set, counts })), deleteUndoRecord(undo)];
    });
    if (!isDone) return undefined;
    changed(bucketId);
    return counts.kept;
  }
}

/** @throws ActivityError `INVALID_INPUT` for an ambiguous selection of buckets */
function createBucketTest(glob: string | undefined, only: string | undefined): (id: string) => boolean {
  if (only === undefined) return canonicalGlobTest(glob ?? "*");
  if (glob !== undefined) throw fieldUnfit("bucket", "must be absent if buckets is set");
  return (id) => id === only;
}

/** Rules in their stored form. */
function rulesToJson(rules: readonly ReadRule[]): readonly JsonObject[] {
  return JSON.parse(JSON.stringify(rules)) as JsonObject[];
}

async function countOutcomes(
  batches: AsyncIterable<EventBatch>,
  bucketId: string,
  set: RuleSet,
): Promise<{ readonly counts: PrivacyCounts; readonly touched: readonly number[] }> {
  const touched: number[] = [];
  let [events, dropped, changed] = [0, 0, 0];
  for await (const { batch, matches: met } of decideOutcomes(batches, bucketId, set)) {
    events += batch.length;
    for (const { row, outcome } of met) {
      touched.push(batch.ids?.[row] as number);
      if (outcome.kind === "drop") dropped++;
      else changed++;
    }
  }
  return { counts: { events, dropped, changed }, touched };
}

/** Plans the changes of rules to a bucket: reads its events twice, a slice at a time. */
async function planApply(
  view: TransactionView,
  bin: Bin,
  bucketId: string,
  set: RuleSet,
): Promise<{ readonly counts: PrivacyCounts; readonly changes: readonly TransactionChange[] }> {
  const { counts, touched } = await countOutcomes(readAllEvents(view, bucketId), bucketId, set);
  if (touched.length === 0) return { counts, changes: [] };
  const changes = await bin.deleteEvents(bucketId, touched);
  const drafts = chunkDraftsFrom(
    decideOutcomes(readAllEvents(view, bucketId), bucketId, set),
    ({ batch, matches: met }) =>
      met.flatMap(({ row, outcome }) =>
        outcome.kind === "change" ? [{ ...batch.eventAt(row), data: outcome.data }] : [],
      ),
  );
  return { counts, changes: [...changes, { kind: "putEvents", bucketId, drafts }] };
}
