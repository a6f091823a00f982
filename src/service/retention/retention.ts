import type { DomainOf, InputOf } from "../../api/codec.js";
import type { StoredEvent } from "../../domain/event.js";
import { currentMicros, type Micros } from "../../domain/time.js";
import { ActivityError, messageOf } from "../../errors.js";
import type { Logger } from "../../logger.js";
import { hourOf, type Limits, latestOf, limitsOf, type Plan, planOf } from "../../retention/plan.js";
import { readRetentionRules } from "../../retention/read-rules.js";
import { NO_COUNTS, type ReadRetentionRule, type RetentionCounts, sumOf } from "../../retention/rule.js";
import type { EventRead, Storage } from "../../storage/storage.js";
import { type TransactionChange, transactOn } from "../../storage/transaction.js";
import { createTimeSlice, pause } from "../../util/time-slice.js";
import { accessIn, BUCKET_ACCESS_KIND, type BucketAccessRules } from "../access/bucket-access.js";
import { eachBucketId, readIfThere } from "../each-bucket.js";
import { pendingMerges } from "../identity/pending-merges.js";
import type { Announcer } from "../notices.js";
import type { TrustedClock } from "../trusted-clock.js";
import { RetentionLog, type RetentionRun } from "./log.js";

/** The setting with the rules. */
export const RETENTION_KEY = "retention_rules";

/** Events that are changed in one transaction, unless an hour has more. */
const AT_ONCE = 1000;

/** What is kept of old events, and how long. */
export type RetentionRule = InputOf<"RetentionRule">;
/** What rules do to a bucket. */
export type BucketRetention = DomainOf<"BucketRetention">;

/** What retention needs. */
export interface RetentionOptions {
  readonly storage: Storage;
  readonly access: BucketAccessRules;
  readonly announcer: Announcer;
  readonly logger: Logger;
  /** Now, in Unix milliseconds. */
  readonly clock: () => number;
  /** By which it is judged how old an event is. */
  readonly ages: TrustedClock;
}

const NO_PLAN: Plan = { removed: [], added: [], counts: NO_COUNTS };

/** A run that has begun. */
interface Running {
  /** A run takes at most about this share of the time; 1 = it does not pause. */
  readonly share: number;
  readonly stop: AbortController;
}

/** Deletes and summarizes old events by rules (docs/retention.md). */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #log: RetentionLog;
  #running: Running | undefined;
  /** Resolves when the last run that was asked for has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #isClosed = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#log = new RetentionLog(() => options.storage.records("retention"));
  }

  /** What was done, the latest run first. */
  log(): Promise<RetentionRun[]> {
    return this.#log.list();
  }

  /**
   * Counts what rules would do now, by the clock as it is; changes nothing.
   *
   * @param rules those in the settings, unless others are given
   * @returns the buckets that something would happen to
   * @throws ActivityError `INVALID_INPUT` that names the place in a rule
   */
  async preview(rules?: DomainOf<"RetentionRules">["rules"]): Promise<BucketRetention[]> {
    const read = rules === undefined ? await this.#rulesInForce() : readRetentionRules(rules, "rules");
    const found: BucketRetention[] = [];
    for await (const [bucketId, limits] of this.#concerned(read, currentMicros(this.#options.clock))) {
      let counts = NO_COUNTS;
      for await (const { plan } of this.#slices(bucketId, limits)) counts = sumOf(counts, plan.counts);
      if (!isNothing(counts)) found.push({ bucketId, ...counts });
    }
    return found;
  }

  /**
   * Carries the rules of the settings out because the owner wants it, which also confirms the clock. Ends a slow run,
   * which may go by an earlier time and earlier rules.
   *
   * @throws as `run()`
   */
  async runNow(): Promise<RetentionRun> {
    if (this.#running !== undefined && this.#running.share < 1) this.#running.stop.abort();
    this.#asked++;
    try {
      await this.#last;
      await this.#options.ages.confirm();
    } finally {
      this.#asked--;
    }
    return this.run();
  }

  /**
   * Carries the rules of the settings out, and writes into the log what it did. Waits for a run that goes on.
   *
   * @param share takes at most about this share of the time
   * @throws ActivityError `STORAGE_UNSUPPORTED` when the storage has no transactions
   */
  run(share = 1): Promise<RetentionRun> {
    const run = this.#last.then(() => this.#run(share));
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** Ends the run that goes on after its current transaction, and those that wait. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.stop.abort();
    await this.#last;
  }

  async #run(share: number): Promise<RetentionRun> {
    const { ages, storage } = this.#options;
    const time = currentMicros(this.#options.clock);
    const buckets: BucketRetention[] = [];
    const stop = new AbortController();
    const { signal } = stop;
    this.#running = { share, stop };
    if (this.#isClosed || (share < 1 && this.#asked > 0)) stop.abort();
    let failure: unknown;
    try {
      for await (const [bucketId, limits] of this.#concerned(await this.#rulesInForce(), await ages.note())) {
        if (signal.aborted) break;
        let counts = NO_COUNTS;
        let since = performance.now();
        try {
          for await (const { plan, start, end } of this.#slices(bucketId, limits, signal)) {
            if (signal.aborted) break;
            if (isNothing(plan.counts)) continue;
            counts = sumOf(counts, await this.#carryOut(storage, bucketId, [start, end]));
            if (share < 1) await pause((performance.now() - since) * (1 / share - 1), signal);
            since = performance.now();
          }
        } finally {
          if (!isNothing(counts)) buckets.push({ bucketId, ...counts });
        }
      }
    } catch (thrown) {
      failure = thrown;
    } finally {
      this.#running = undefined;
    }
    const run = { time, buckets };
    // What was done before it failed was done.
    if (buckets.length > 0) await this.#log.add(run);
    if (failure !== undefined) throw failure;
    return run;
  }

  /** Plans a span again within the transaction, by the events, the access and the rules that are stored then. */
  async #carryOut(
    storage: Storage,
    bucketId: string,
    [start, end]: readonly [Micros, Micros],
  ): Promise<RetentionCounts> {
    let plan = NO_PLAN;
    await transactOn(storage, [bucketId], async (view): Promise<readonly TransactionChange[]> => {
      plan = NO_PLAN;
      const access = accessIn(await view.getRecord(BUCKET_ACCESS_KIND, bucketId));
      if (access !== "open" || (await view.getBucket(bucketId)) === undefined) return [];
      // The owner may have switched a rule off: a run can take hours.
      const now = await this.#options.ages.now();
      const limits = limitsOf(await this.#rulesInForce(), bucketId, now);
      if (limits === undefined) return [];
      const limitsNow = await this.#limitsNow(bucketId, limits, now);
      const events: StoredEvent[] = [];
      const read = await view.read(bucketId, { start, end, order: "oldest" });
      for await (const event of eventsBetween(read, start, end)) events.push(event);
      plan = planOf(events, limitsNow);
      if (plan.removed.length === 0) return [];
      const eventIds = plan.removed.map(({ id }) => id);
      const changes: TransactionChange[] = [{ kind: "deleteEvents", bucketId, eventIds }];
      if (plan.added.length > 0) changes.push({ kind: "putEvents", bucketId, drafts: plan.added });
      return changes;
    });
    if (plan.removed.length > 0) this.#tell(bucketId);
    return plan.counts;
  }

  #tell(bucketId: string): void {
    this.#options.announcer.announce("change", { kind: "events-deleted", bucketId });
  }

  async #rulesInForce(): Promise<ReadRetentionRule[]> {
    const value = await this.#options.storage.settings.get(RETENTION_KEY);
    if (value === undefined || value === null) return [];
    try {
      return readRetentionRules(value, RETENTION_KEY);
    } catch (thrown) {
      // Settings can get past the check, with a backup for example: then nothing is deleted.
      const fault = ActivityError.is(thrown) && thrown.fault !== undefined ? { fault: thrown.fault } : {};
      const message = `no retention rule is in force: ${messageOf(thrown)}`;
      throw new ActivityError("INVALID_INPUT", message, { cause: thrown, ...fault });
    }
  }

  /** The buckets that rules are about. Protected ones stay as they are. */
  async *#concerned(rules: readonly ReadRetentionRule[], now: Micros): AsyncGenerator<readonly [string, Limits]> {
    if (rules.length === 0) return;
    for await (const id of eachBucketId(this.#options.storage)) {
      const limits = limitsOf(rules, id, now);
      if (limits === undefined || (await this.#options.access.of(id)) !== "open") continue;
      yield [id, await this.#limitsNow(id, limits, now)];
    }
  }

  /** A summary of events of several buckets could not be taken apart when their merge is undone. */
  async #limitsNow(bucketId: string, limits: Limits, now: Micros): Promise<Limits> {
    if (!Number.isFinite(limits.summarizeUntil)) return limits;
    const merges = await pendingMerges(this.#options.storage, bucketId, now);
    return merges.length === 0 ? limits : { ...limits, summarizeUntil: Number.NEGATIVE_INFINITY };
  }

  /** Whole hours of a bucket, and what is planned for them. */
  async *#slices(bucketId: string, limits: Limits, signal?: AbortSignal): AsyncGenerator<Slice> {
    const timeSlice = createTimeSlice();
    const last = latestOf(limits);
    if (!Number.isFinite(last)) return;
    const read = await readIfThere(this.#options.storage, bucketId, { end: last, order: "oldest" });
    if (read === undefined) return;
    let events: StoredEvent[] = [];
    let hour: Micros | undefined;
    for await (const event of eventsBetween(read, Number.NEGATIVE_INFINITY, last + 1)) {
      const isNewHour = hour !== undefined && hourOf(event.timestamp) !== hour;
      if (isNewHour && events.length >= AT_ONCE) {
        yield sliceOf(events, limits);
        events = [];
      }
      hour = hourOf(event.timestamp);
      events.push(event);
      await timeSlice.yield();
      if (signal?.aborted === true) return;
    }
    if (events.length > 0) yield sliceOf(events, limits);
  }
}

/** Whole hours: from the first one's beginning to before the next one's. */
interface Slice {
  readonly plan: Plan;
  readonly start: Micros;
  readonly end: Micros;
}

function sliceOf(events: readonly StoredEvent[], limits: Limits): Slice {
  const [first] = events as readonly [StoredEvent, ...StoredEvent[]];
  const latest = events[events.length - 1] as StoredEvent;
  const end = Math.min(hourOf(latest.timestamp) + HOUR, latestOf(limits) + 1);
  return { plan: planOf(events, limits), start: hourOf(first.timestamp), end };
}

const HOUR: Micros = 3_600_000_000;

/** The events that begin in a span, its end excluded. */
async function* eventsBetween({ batches }: EventRead, start: Micros, end: Micros): AsyncGenerator<StoredEvent> {
  for await (const batch of batches) {
    for (const event of batch.events())
      if (event.timestamp >= start && event.timestamp < end) yield event as StoredEvent;
  }
}

function isNothing({ expired, short, summarized }: RetentionCounts): boolean {
  return expired + short + summarized === 0;
}

/**
 * Refuses a setting that should hold rules, and does not.
 *
 * @throws ActivityError `INVALID_INPUT` that names the place
 */
export function checkRetentionSetting(key: string, value: unknown): void {
  if (key === RETENTION_KEY && value !== null) readRetentionRules(value, key);
}
