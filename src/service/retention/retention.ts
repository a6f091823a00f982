import type { DomainOf, InputOf } from "../../api/codec.js";
import type { StoredEvent } from "../../domain/event.js";
import { currentMicros, type Micros } from "../../domain/time.js";
import { ActivityError, messageOf } from "../../errors.js";
import type { Logger } from "../../logger.js";
import { computeLimits, type Limits, latestStart, type Plan, planChanges, startOfHour } from "../../retention/plan.js";
import { readRetentionRules } from "../../retention/read-rules.js";
import { addCounts, NO_COUNTS, type ReadRetentionRule, type RetentionCounts } from "../../retention/rule.js";
import type { Storage } from "../../storage/storage.js";
import { type TransactionChange, transactOn } from "../../storage/transaction.js";
import { createTimeSlice, pause } from "../../util/time-slice.js";
import { BUCKET_ACCESS_KIND, type BucketAccessRules, readAccess } from "../access/bucket-access.js";
import { eachBucketId, readBatchesIfExists } from "../each-bucket.js";
import { pendingMerges } from "../identity/pending-merges.js";
import type { TrustedClock } from "../trusted-clock.js";
import { RetentionLog, type RetentionRun } from "./log.js";

/** The setting with the rules. */
export const RETENTION_KEY = "retention_rules";

/** Events per transaction, unless an hour has more. */
const SLICE_EVENTS = 1000;
const HOUR: Micros = 3_600_000_000;

/** How long and in which detail to keep old events. */
export type RetentionRule = InputOf<"RetentionRule">;
/** The effect of rules on a bucket. */
export type BucketRetention = DomainOf<"BucketRetention">;

/** Options of `Retention`. */
export interface RetentionOptions {
  readonly storage: Storage;
  readonly access: BucketAccessRules;
  readonly logger: Logger;
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  /** Decides how old an event is. */
  readonly ages: TrustedClock;
}

/** Called with a bucket whose events were deleted or summarized. */
export type TellDeleted = (bucketId: string) => void;

/** A run in progress. */
interface CurrentRun {
  /** Maximum share of the time that it takes, roughly; 1 = it does not pause. */
  readonly share: number;
  readonly stop: AbortController;
}

/** Whole hours of a bucket, and the effect of rules on them. */
interface Slice {
  readonly start: Micros;
  /** Excluded. */
  readonly end: Micros;
  readonly counts: RetentionCounts;
}

/** Deletes and summarizes old events by rules (docs/guides/retention.md). */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #log: RetentionLog;
  #current: CurrentRun | undefined;
  /** Resolves when the last requested run has ended. */
  #last: Promise<unknown> = Promise.resolve();
  /** Calls of `runNow()` that are waiting. */
  #urgent = 0;
  #isClosed = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#log = new RetentionLog(() => options.storage.records("retention"));
  }

  /** Previous runs, the latest first. */
  log(): Promise<RetentionRun[]> {
    return this.#log.list();
  }

  /**
   * Counts the effect of rules now, by the current clock; changes nothing.
   *
   * @param rules @default the rules in the settings
   * @returns the affected buckets
   * @throws ActivityError `INVALID_INPUT` with the position in a rule
   */
  async preview(rules?: DomainOf<"RetentionRules">["rules"]): Promise<BucketRetention[]> {
    const read = rules === undefined ? await this.#storedRules() : readRetentionRules(rules, "rules");
    const found: BucketRetention[] = [];
    for await (const [bucketId, limits] of this.#affected(read, currentMicros(this.#options.clock))) {
      for await (const { counts } of this.#slices(bucketId, limits)) addTo(found, bucketId, counts);
    }
    return found;
  }

  /**
   * Runs on request of the owner, which also confirms the clock. Stops a slow run, which may use an earlier time and
   * earlier rules.
   *
   * @throws the errors of `run()`
   */
  async runNow(tell?: TellDeleted): Promise<RetentionRun> {
    if (this.#current !== undefined && this.#current.share < 1) this.#current.stop.abort();
    this.#urgent++;
    try {
      await this.#last;
      await this.#options.ages.confirm();
    } finally {
      this.#urgent--;
    }
    return this.run(1, tell);
  }

  /**
   * Applies the rules of the settings, and logs the result. Waits for a run in progress.
   *
   * @param share maximum share of the time that it takes, roughly
   * @throws ActivityError `STORAGE_UNSUPPORTED` if the storage has no transactions
   */
  run(share = 1, tell: TellDeleted = () => undefined): Promise<RetentionRun> {
    const run = this.#last.then(() => this.#run(share, tell));
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** Stops the run in progress after its current transaction, and those that wait. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#current?.stop.abort();
    await this.#last;
  }

  async #run(share: number, tell: TellDeleted): Promise<RetentionRun> {
    const { ages, clock } = this.#options;
    const run = { time: currentMicros(clock), buckets: [] as BucketRetention[] };
    const stop = new AbortController();
    this.#current = { share, stop };
    if (this.#isClosed || (share < 1 && this.#urgent > 0)) stop.abort();
    try {
      for await (const [bucketId, limits] of this.#affected(await this.#storedRules(), await ages.note())) {
        if (stop.signal.aborted) break;
        let since = performance.now();
        for await (const slice of this.#slices(bucketId, limits, stop.signal)) {
          if (stop.signal.aborted) break;
          if (!isEmpty(slice.counts)) {
            const counts = await this.#apply(bucketId, slice, tell);
            if (counts === undefined) break;
            addTo(run.buckets, bucketId, counts);
          }
          if (share < 1) await pause((performance.now() - since) * (1 / share - 1), stop.signal);
          since = performance.now();
        }
      }
    } finally {
      this.#current = undefined;
      // Even if the run fails: its earlier changes are stored.
      if (run.buckets.length > 0) await this.#log.add(run);
    }
    return run;
  }

  /**
   * Applies the rules to a slice in one transaction, which reads the events, the access and the rules again.
   *
   * @returns `undefined` if no rule applies to the bucket any longer
   */
  async #apply(bucketId: string, { start, end }: Slice, tell: TellDeleted): Promise<RetentionCounts | undefined> {
    const { storage, ages } = this.#options;
    let plan: Plan | undefined;
    await transactOn(storage, [bucketId], async (view): Promise<readonly TransactionChange[]> => {
      plan = undefined;
      const access = readAccess(await view.getRecord(BUCKET_ACCESS_KIND, bucketId));
      if (access !== "open" || (await view.getBucket(bucketId)) === undefined) return [];
      const events: StoredEvent[] = [];
      const { batches } = await view.read(bucketId, { start, end, order: "oldest" });
      for await (const batch of batches) {
        for (const event of batch.events()) {
          if (event.timestamp >= start && event.timestamp < end) events.push(event as StoredEvent);
        }
      }
      // Last: the owner may remove a rule while this reads.
      const limits = await this.#findLimits(bucketId, await this.#storedRules(), await ages.now());
      if (limits === undefined) return [];
      plan = planChanges(events, limits);
      const { removed, added } = plan;
      if (removed.length === 0) return [];
      const changes: TransactionChange[] = [{ kind: "deleteEvents", bucketId, eventIds: removed.map(({ id }) => id) }];
      if (added.length > 0) changes.push({ kind: "putEvents", bucketId, drafts: added });
      return changes;
    });
    if (plan !== undefined && !isEmpty(plan.counts)) tell(bucketId);
    return plan?.counts;
  }

  async #storedRules(): Promise<ReadRetentionRule[]> {
    const value = await this.#options.storage.settings.get(RETENTION_KEY);
    if (value === undefined || value === null) return [];
    try {
      return readRetentionRules(value, RETENTION_KEY);
    } catch (thrown) {
      // A restored backup, for example, can contain unchecked settings. Then nothing is deleted.
      const fault = ActivityError.is(thrown) && thrown.fault !== undefined ? { fault: thrown.fault } : {};
      const message = `no retention rule is in force: ${messageOf(thrown)}`;
      throw new ActivityError("INVALID_INPUT", message, { cause: thrown, ...fault });
    }
  }

  /** The buckets to which rules apply. Protected buckets do not change. */
  async *#affected(rules: readonly ReadRetentionRule[], now: Micros): AsyncGenerator<readonly [string, Limits]> {
    if (rules.length === 0) return;
    for await (const id of eachBucketId(this.#options.storage)) {
      const limits = await this.#findLimits(id, rules, now);
      if (limits === undefined) continue;
      await this.#options.access.ready();
      if (this.#options.access.get(id) === "open") yield [id, limits];
    }
  }

  async #findLimits(bucketId: string, rules: readonly ReadRetentionRule[], now: Micros): Promise<Limits | undefined> {
    const limits = computeLimits(rules, bucketId, now);
    if (limits === undefined || !Number.isFinite(limits.summarizeUntil)) return limits;
    // An undo of a merge could not split a summary of events from several buckets.
    const merges = await pendingMerges(this.#options.storage, bucketId, now);
    return merges.length === 0 ? limits : { ...limits, summarizeUntil: Number.NEGATIVE_INFINITY };
  }

  async *#slices(bucketId: string, limits: Limits, signal?: AbortSignal): AsyncGenerator<Slice> {
    const timeSlice = createTimeSlice();
    const last = latestStart(limits);
    if (!Number.isFinite(last)) return;
    const batches = readBatchesIfExists(this.#options.storage, bucketId, { end: last, order: "oldest" });
    let events: StoredEvent[] = [];
    for await (const batch of batches) {
      for (const event of batch.events() as readonly StoredEvent[]) {
        const before = events.length < SLICE_EVENTS ? undefined : events.at(-1);
        if (before !== undefined && startOfHour(before.timestamp) !== startOfHour(event.timestamp)) {
          yield createSlice(events, limits);
          events = [];
        }
        events.push(event);
        await timeSlice.yield();
        if (signal?.aborted === true) return;
      }
    }
    if (events.length > 0) yield createSlice(events, limits);
  }
}

/** Adds the counts of a bucket to a list. Buckets come one after another. */
function addTo(list: BucketRetention[], bucketId: string, counts: RetentionCounts): void {
  if (isEmpty(counts)) return;
  const before = list.at(-1)?.bucketId === bucketId ? list.pop() : undefined;
  list.push({ bucketId, ...addCounts(before ?? NO_COUNTS, counts) });
}

function createSlice(events: readonly StoredEvent[], limits: Limits): Slice {
  const [first] = events as readonly [StoredEvent, ...StoredEvent[]];
  const latest = events[events.length - 1] as StoredEvent;
  const end = Math.min(startOfHour(latest.timestamp) + HOUR, latestStart(limits) + 1);
  return { start: startOfHour(first.timestamp), end, counts: planChanges(events, limits).counts };
}

function isEmpty({ expired, short, summarized }: RetentionCounts): boolean {
  return expired + short + summarized === 0;
}

/**
 * Rejects a setting that is not a list of rules.
 *
 * @throws ActivityError `INVALID_INPUT` with the position
 */
export function checkRetentionSetting(key: string, value: unknown): void {
  if (key === RETENTION_KEY && value !== null) readRetentionRules(value, key);
}
