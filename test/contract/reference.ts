import type { Bucket, BucketPatch, BucketSummary } from "../../src/domain/bucket.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { type JsonValue, sameJson } from "../../src/domain/json.js";
import type { EventRange, TimeRange } from "../../src/storage/storage.js";
import { holds, same } from "./check.js";

/** Ids from here on do not move the counter. */
const COUNTED_END = 2 ** 53 - 2 ** 32;

interface BucketState {
  bucket: Bucket;
  byId: Map<number, StoredEvent>;
  /** By (timestamp, id); `undefined` when it has to be sorted anew. */
  sorted: StoredEvent[] | undefined;
  mergeTargetId: number | undefined;
  /** All ids that ever were in use. */
  readonly used: Set<number>;
  /** The greatest of those that move the counter. */
  greatestId: number;
}

/**
 * What a storage holds after a series of calls, in the plainest code that can be right: sort everything, look at
 * everything. It shares no rule with the adapters but JSON equality.
 *
 * Ids are taken from the storage under test: which one is given is up to it, as long as the bucket never used it.
 */
export class Reference {
  readonly settings: Map<string, JsonValue> = new Map();
  readonly records: Map<string, JsonValue> = new Map();
  readonly #states: Map<string, BucketState> = new Map();

  /** The greatest id that a bucket ever used; 0 for an unknown one. */
  greatestId(bucketId: string): number {
    return this.#states.get(bucketId)?.greatestId ?? 0;
  }

  bucketIds(): string[] {
    return [...this.#states.keys()];
  }

  hasBucket(bucketId: string): boolean {
    return this.#states.has(bucketId);
  }

  listBuckets(): Bucket[] {
    return Array.from(this.#states.values(), ({ bucket }) => bucket);
  }

  summaries(): BucketSummary[] {
    return Array.from(this.#states.values(), summaryOf);
  }

  /**
   * @param ids the ids that the storage answered, one for each draft
   * @returns what the storage has to answer
   */
  createBucket(
    bucket: Bucket,
    drafts: readonly EventDraft[] = [],
    ids: readonly number[] = [],
  ): StoredEvent[] | undefined {
    if (this.#states.has(bucket.id)) return undefined;
    const empty = { byId: new Map(), sorted: [], mergeTargetId: undefined, used: new Set<number>(), greatestId: 0 };
    this.#states.set(bucket.id, { bucket, ...empty });
    return this.putEvents(bucket.id, drafts, ids);
  }

  updateBucket(bucketId: string, patch: BucketPatch): boolean {
    const state = this.#states.get(bucketId);
    if (state === undefined) return false;
    state.bucket = { ...state.bucket, ...patch };
    return true;
  }

  deleteBucket(bucketId: string): boolean {
    return this.#states.delete(bucketId);
  }

  /** Gives a bucket another id, in its place. */
  renameBucket(bucketId: string, newId: string): void {
    const states = [...this.#states];
    this.#states.clear();
    for (const [id, state] of states) {
      if (id === bucketId) state.bucket = { ...state.bucket, id: newId };
      this.#states.set(state.bucket.id, state);
    }
  }

  /**
   * @param ids the ids that the storage answered, one for each draft
   * @returns what the storage has to answer: the drafts as they are stored (of equal ids, each its own)
   * @throws AssertionError when an id was not free to be given, or differs from the one that the draft brought
   */
  putEvents(bucketId: string, drafts: readonly EventDraft[], ids: readonly number[]): StoredEvent[] {
    const state = this.#stateOf(bucketId);
    claim(state, drafts, ids);
    const events = drafts.map(({ timestamp, duration, data }, index) => {
      return { id: ids[index] as number, timestamp, duration, data };
    });
    for (const event of events) state.byId.set(event.id, event);
    if (events.length > 0) {
      state.sorted = undefined;
      state.mergeTargetId = undefined;
    }
    return events;
  }

  /** Those drafts that the bucket does not hold yet; equal ones among them are all new. */
  newOf(bucketId: string, drafts: readonly EventDraft[]): EventDraft[] {
    const held = new Map<string, StoredEvent[]>();
    for (const event of this.#stateOf(bucketId).byId.values()) {
      const span = spanOf(event);
      held.set(span, [...(held.get(span) ?? []), event]);
    }
    return drafts.map(withoutId).filter((draft) => {
      const candidates = held.get(spanOf(draft)) ?? [];
      return !candidates.some((event) => sameJson(event.data, draft.data));
    });
  }

  /**
   * @param id the id that the storage answered
   * @returns what the storage has to answer
   */
  heartbeat(bucketId: string, beat: EventDraft, pulsetime: number, id: number): StoredEvent {
    const state = this.#stateOf(bucketId);
    const written = state.mergeTargetId === undefined ? undefined : state.byId.get(state.mergeTargetId);
    const target = written ?? newestOf(state);
    let event: StoredEvent;
    if (target !== undefined && merges(target, beat, pulsetime)) {
      const duration = Math.max(target.duration, beat.timestamp - target.timestamp + beat.duration);
      event = { ...target, duration };
    } else {
      claim(state, [withoutId(beat)], [id]);
      event = { id, timestamp: beat.timestamp, duration: beat.duration, data: beat.data };
    }
    state.byId.set(event.id, event);
    state.sorted = undefined;
    state.mergeTargetId = event.id;
    return event;
  }

  getEvent(bucketId: string, eventId: number): StoredEvent | undefined {
    return this.#stateOf(bucketId).byId.get(eventId);
  }

  read(bucketId: string, range: EventRange = {}): StoredEvent[] {
    const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = range;
    const events = this.sorted(bucketId).filter(
      (event) => event.timestamp <= end && event.timestamp + event.duration >= start,
    );
    if (range.order !== "oldest") events.reverse();
    return range.limit === undefined ? events : events.slice(0, range.limit);
  }

  countEvents(bucketId: string, range: TimeRange = {}): number {
    return this.read(bucketId, { ...range, order: "oldest" }).length;
  }

  deleteEvents(bucketId: string, eventIds: readonly number[]): number {
    const state = this.#stateOf(bucketId);
    const before = state.byId.size;
    for (const eventId of eventIds) state.byId.delete(eventId);
    if (state.byId.size !== before) state.sorted = undefined;
    return before - state.byId.size;
  }

  /** An independent copy; events are shared, since nobody changes them. */
  copy(): Reference {
    const copy = new Reference();
    for (const [key, value] of this.settings) copy.settings.set(key, value);
    for (const [key, value] of this.records) copy.records.set(key, value);
    for (const [id, state] of this.#states) {
      const own = { byId: new Map(state.byId), sorted: undefined, used: new Set(state.used) };
      copy.#states.set(id, { ...state, ...own });
    }
    return copy;
  }

  /** All events of a bucket, oldest first. */
  sorted(bucketId: string): readonly StoredEvent[] {
    return sortedOf(this.#stateOf(bucketId));
  }

  #stateOf(bucketId: string): BucketState {
    const state = this.#states.get(bucketId);
    if (state === undefined) throw new Error(`the reference has no bucket ${JSON.stringify(bucketId)}`);
    return state;
  }
}

/** Takes ids for drafts, and demands that they may have them. */
function claim(state: BucketState, drafts: readonly EventDraft[], ids: readonly number[]): void {
  same("putResult", ids.length, drafts.length, "events answered to the drafts");
  const brought = new Set(drafts.map((draft) => draft.id));
  let last = state.greatestId;
  for (const [index, draft] of drafts.entries()) {
    const id = ids[index] as number;
    if (draft.id !== undefined) same("putUnknownId", id, draft.id, "id of a draft that brings one");
    else {
      holds("ids", Number.isSafeInteger(id) && id >= 1, `${id} was given out as an id`);
      holds("ids", !state.used.has(id), `id ${id} was given out, but it was in use before`);
      holds("ids", id > last, `id ${id} was given out behind ${last}`);
      holds("newId", !brought.has(id), `id ${id} was given out, but the same call brings it`);
      last = id;
    }
    state.used.add(id);
    if (id < COUNTED_END) state.greatestId = Math.max(state.greatestId, id);
  }
}

/** docs/reference/api.md#heartbeats. */
function merges(target: StoredEvent, beat: EventDraft, pulsetime: number): boolean {
  return (
    target.duration >= 0 &&
    beat.timestamp >= target.timestamp &&
    beat.timestamp <= target.timestamp + target.duration + pulsetime &&
    sameJson(target.data, beat.data)
  );
}

function spanOf({ timestamp, duration }: EventDraft): string {
  return `${timestamp} ${duration}`;
}

function withoutId({ timestamp, duration, data }: EventDraft): EventDraft {
  return { timestamp, duration, data };
}

/** The last of the sorted ones: they need not be sorted for it. */
function newestOf({ byId }: BucketState): StoredEvent | undefined {
  let newest: StoredEvent | undefined;
  for (const event of byId.values()) if (newest === undefined || byTime(newest, event) < 0) newest = event;
  return newest;
}

function byTime(a: StoredEvent, b: StoredEvent): number {
  return a.timestamp - b.timestamp || a.id - b.id;
}

function sortedOf(state: BucketState): readonly StoredEvent[] {
  state.sorted ??= [...state.byId.values()].sort(byTime);
  return state.sorted;
}

function summaryOf(state: BucketState): BucketSummary {
  let start: number | null = null;
  let end: number | null = null;
  for (const event of state.byId.values()) {
    start = Math.min(start ?? event.timestamp, event.timestamp);
    end = Math.max(end ?? event.timestamp + event.duration, event.timestamp + event.duration);
  }
  return { ...state.bucket, start, end };
}
