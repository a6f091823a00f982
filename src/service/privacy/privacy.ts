import type { AcceptedDraft, EventDraft, StoredEvent } from "../../domain/event.js";
import type { Micros } from "../../domain/time.js";
import { noSuchBucket } from "../../errors.js";
import type { Logger } from "../../logger.js";
import type { Outcome } from "../../privacy/rule-set.js";
import type { Storage } from "../../storage/storage.js";
import { LazySet } from "../../util/lazy-collections.js";
import { createTimeSlice } from "../../util/time-slice.js";
import type { RecordCaches } from "../access/record-cache.js";
import { ActiveRules, isRuleSetting } from "./active-rules.js";
import { PrivateTimes } from "./private-times.js";

/** The drafts that remain after the rules. */
export interface KeptDrafts {
  readonly drafts: readonly EventDraft[];
  /** Whether each of the given drafts remains; `undefined` = all of them. */
  readonly isKept: readonly boolean[] | undefined;
  /** How many of them have changed data. */
  readonly changed: number;
}

/** Applies privacy rules to every write before it reaches the storage (docs/guides/privacy.md). */
export class Privacy {
  readonly #storage: Storage;
  readonly #caches: RecordCaches;
  readonly #rules: ActiveRules;
  readonly #times: PrivateTimes;
  /** Heartbeats that wait for something before they reach the storage. */
  readonly #delayed: LazySet<Promise<AcceptedDraft>> = new LazySet();

  /**
   * @param caches kinds of records that are looked up together with rules; await `ready()` before each method
   */
  constructor(storage: Storage, caches: RecordCaches, logger?: Logger) {
    this.#storage = storage;
    this.#caches = caches;
    this.#rules = new ActiveRules(() => storage.settings, caches, logger);
    this.#times = new PrivateTimes(storage, caches);
  }

  /**
   * Stores a heartbeat, or drops it.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, even for a dropped one
   */
  heartbeat(bucketId: string, beat: EventDraft, pulsetime: Micros): Promise<AcceptedDraft> {
    const rules = this.#rules.current;
    const times = this.#times.known;
    if (rules.isEmpty && this.#times.isEmpty(times)) return this.#storage.heartbeat(bucketId, beat, pulsetime);
    const outcome = rules.outcomeNow(bucketId, beat.data);
    const act = (known: Outcome): Promise<AcceptedDraft> => {
      if (known.kind === "drop") return this.#drop(bucketId, beat);
      const passed = this.#times.limitPulsetime(bucketId, beat.timestamp, pulsetime, times);
      const kept = known.kind === "keep" ? beat : { ...beat, data: known.data };
      const write = (): Promise<StoredEvent> => this.#storage.heartbeat(bucketId, kept, passed.pulsetimeMicros);
      return passed.isLate ? this.#delay(this.#times.save(bucketId).then(write)) : write();
    };
    return outcome === undefined ? this.#delay(rules.outcomeInSlices(bucketId, beat.data).then(act)) : act(outcome);
  }

  /** Resolves when the heartbeats that have started, and do not wait in the storage, have reached it. Never rejects. */
  async settleDelayed(): Promise<void> {
    await Promise.allSettled(this.#delayed);
  }

  #delay(storing: Promise<AcceptedDraft>): Promise<AcceptedDraft> {
    this.#delayed.add(storing);
    const forget = (): void => void this.#delayed.delete(storing);
    storing.then(forget, forget);
    return storing;
  }

  async #drop(bucketId: string, { timestamp, duration, data }: EventDraft): Promise<AcceptedDraft> {
    const undoNote = this.#times.note(bucketId, timestamp);
    if ((await this.#storage.getBucket(bucketId)) === undefined) {
      undoNote();
      throw noSuchBucket(bucketId);
    }
    await this.#times.save(bucketId);
    return { id: null, timestamp, duration, data };
  }

  /**
   * Applies the rules to drafts for a bucket.
   *
   * @returns `undefined` for many drafts, and for patterns that need more than a time slice: then call `apply`
   */
  applyNow(bucketId: string, drafts: readonly EventDraft[]): KeptDrafts | undefined {
    const rules = this.#rules.current;
    if (!rules.appliesTo(bucketId)) return { drafts, isKept: undefined, changed: 0 };
    if (drafts.length > AT_ONCE) return undefined;
    const outcomes: Outcome[] = [];
    for (const { data } of drafts) {
      const outcome = rules.outcomeNow(bucketId, data);
      if (outcome === undefined) return undefined;
      outcomes.push(outcome);
    }
    return selectKept(drafts, outcomes);
  }

  /** Like `applyNow`, in time slices with other work in between; again if the rules changed in that time. */
  async apply(bucketId: string, drafts: readonly EventDraft[]): Promise<KeptDrafts> {
    const rules = this.#rules.current;
    const timeSlice = createTimeSlice();
    const outcomes: Outcome[] = [];
    for (const { data } of drafts) {
      outcomes.push(rules.outcomeNow(bucketId, data) ?? (await rules.outcomeInSlices(bucketId, data)));
      await timeSlice.yield();
    }
    await this.#caches.ready();
    return rules === this.#rules.current ? selectKept(drafts, outcomes) : this.apply(bucketId, drafts);
  }

  /** Called after a setting was written. Resolves when earlier rules apply to no heartbeat anymore. */
  async forgetSetting(key: string): Promise<void> {
    if (!isRuleSetting(key)) return;
    this.#rules.forget();
    await this.settleDelayed();
  }

  /** Called after a bucket was deleted with its records. */
  bucketDeleted(bucketId: string): void {
    this.#times.deleted(bucketId);
  }

  /** Called after records of private times were changed elsewhere. */
  bucketsRestored(): void {
    this.#times.changed();
  }

  /** Called after a bucket was renamed. */
  bucketRenamed(from: string, to: string): void {
    this.#times.renamed(from, to);
  }

  /** Clears the cache after the storage was emptied elsewhere. */
  forget(): void {
    this.#rules.forget();
    this.#times.forget();
  }
}

/** Maximum number of drafts without a pause. */
const AT_ONCE = 100;

function selectKept(drafts: readonly EventDraft[], outcomes: readonly Outcome[]): KeptDrafts {
  if (outcomes.every(({ kind }) => kind === "keep")) return { drafts, isKept: undefined, changed: 0 };
  const kept = drafts.flatMap((draft, index) => {
    const outcome = outcomes[index] as Outcome;
    if (outcome.kind === "keep") return [draft];
    return outcome.kind === "drop" ? [] : [{ ...draft, data: outcome.data }];
  });
  const isKept = kept.length === drafts.length ? undefined : outcomes.map(({ kind }) => kind !== "drop");
  return { drafts: kept, isKept, changed: outcomes.filter(({ kind }) => kind === "change").length };
}

/** The result of a write: each stored draft, or the given one without an ID if it was dropped. */
export function toAccepted(
  given: readonly EventDraft[],
  { isKept }: KeptDrafts,
  stored: readonly StoredEvent[],
): readonly AcceptedDraft[] {
  if (isKept === undefined) return stored;
  let next = 0;
  return given.map((draft, index) => {
    if (isKept[index]) return stored[next++] as StoredEvent;
    const { timestamp, duration, data } = draft;
    return { id: null, timestamp, duration, data };
  });
}
