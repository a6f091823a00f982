import type { Bucket, BucketPatch, BucketSummary } from "../../src/domain/bucket.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { type JsonValue, sameJson } from "../../src/domain/json.js";
import type { EventRange, TimeRange } from "../../src/storage.js";
import { holds, same } from "./check.js";

interface Shelf {
  bucket: Bucket;
  byId: Map<number, StoredEvent>;
  /** By (timestamp, id); `undefined` when it has to be sorted anew. */
  sorted: StoredEvent[] | undefined;
  partnerId: number | undefined;
}

/**
 * What a storage holds after a series of calls, in the plainest code that can be right: sort everything, look at
 * everything. It shares no rule with the adapters but JSON equality.
 *
 * Ids are taken from the storage under test: which one is given is up to it, as long as it was never in use.
 */
export class Reference {
  readonly settings: Map<string, JsonValue> = new Map();
  readonly #shelves: Map<string, Shelf> = new Map();
  readonly #used: Set<number> = new Set();
  #greatestId = 0;

  /** The greatest id that was ever in use. */
  get greatestId(): number {
    return this.#greatestId;
  }

  bucketIds(): string[] {
    return [...this.#shelves.keys()];
  }

  hasBucket(bucketId: string): boolean {
    return this.#shelves.has(bucketId);
  }

  listBuckets(): BucketSummary[] {
    return Array.from(this.#shelves.values(), summaryOf);
  }

  getBucket(bucketId: string): BucketSummary | undefined {
    const shelf = this.#shelves.get(bucketId);
    return shelf && summaryOf(shelf);
  }

  createBucket(bucket: Bucket): boolean {
    if (this.#shelves.has(bucket.id)) return false;
    this.#shelves.set(bucket.id, { bucket, byId: new Map(), sorted: [], partnerId: undefined });
    return true;
  }

  updateBucket(bucketId: string, patch: BucketPatch): boolean {
    const shelf = this.#shelves.get(bucketId);
    if (shelf === undefined) return false;
    shelf.bucket = { ...shelf.bucket, ...patch };
    return true;
  }

  deleteBucket(bucketId: string): boolean {
    return this.#shelves.delete(bucketId);
  }

  /**
   * @param ids the ids that the storage answered, one for each draft
   * @returns what the storage has to answer: the drafts as they are stored (of equal ids, each its own)
   * @throws AssertionError when an id was not free to be given, or differs from the one that the draft brought
   */
  putEvents(bucketId: string, drafts: readonly EventDraft[], ids: readonly number[]): StoredEvent[] {
    const shelf = this.#shelfOf(bucketId);
    this.#claim(drafts, ids);
    const events = drafts.map(({ timestamp, duration, data }, index) => {
      return { id: ids[index] as number, timestamp, duration, data };
    });
    for (const event of events) shelf.byId.set(event.id, event);
    if (events.length > 0) {
      shelf.sorted = undefined;
      shelf.partnerId = undefined;
    }
    return events;
  }

  /**
   * @param id the id that the storage answered
   * @returns what the storage has to answer
   */
  heartbeat(bucketId: string, beat: EventDraft, pulsetime: number, id: number): StoredEvent {
    const shelf = this.#shelfOf(bucketId);
    const greatest = this.sorted(bucketId).at(-1);
    const partner = (shelf.partnerId !== undefined && shelf.byId.get(shelf.partnerId)) || greatest;
    let event: StoredEvent;
    if (partner !== undefined && merges(partner, beat, pulsetime)) {
      const duration = Math.max(partner.duration, beat.timestamp - partner.timestamp + beat.duration);
      event = { ...partner, duration };
    } else {
      this.#claim([withoutId(beat)], [id]);
      event = { id, timestamp: beat.timestamp, duration: beat.duration, data: beat.data };
    }
    shelf.byId.set(event.id, event);
    shelf.sorted = undefined;
    shelf.partnerId = event.id;
    return event;
  }

  getEvent(bucketId: string, eventId: number): StoredEvent | undefined {
    return this.#shelfOf(bucketId).byId.get(eventId);
  }

  readEvents(bucketId: string, range: EventRange = {}): StoredEvent[] {
    const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = range;
    const events = this.sorted(bucketId).filter(
      (event) => event.timestamp <= end && event.timestamp + event.duration >= start,
    );
    if (range.order !== "oldest") events.reverse();
    return range.limit === undefined ? events : events.slice(0, range.limit);
  }

  countEvents(bucketId: string, range: TimeRange = {}): number {
    return this.readEvents(bucketId, { ...range, order: "oldest" }).length;
  }

  deleteEvents(bucketId: string, eventIds: readonly number[]): number {
    const shelf = this.#shelfOf(bucketId);
    const before = shelf.byId.size;
    for (const eventId of eventIds) shelf.byId.delete(eventId);
    if (shelf.byId.size !== before) shelf.sorted = undefined;
    return before - shelf.byId.size;
  }

  /** What a reopening changes: which event the next heartbeat is compared with. */
  reopen(): void {
    for (const shelf of this.#shelves.values()) shelf.partnerId = undefined;
  }

  /** An independent copy; events are shared, since nobody changes them. */
  copy(): Reference {
    const copy = new Reference();
    for (const [key, value] of this.settings) copy.settings.set(key, value);
    for (const [id, { bucket, byId, partnerId }] of this.#shelves) {
      copy.#shelves.set(id, { bucket, byId: new Map(byId), sorted: undefined, partnerId });
    }
    for (const id of this.#used) copy.#used.add(id);
    copy.#greatestId = this.#greatestId;
    return copy;
  }

  /** All events of a bucket, oldest first. */
  sorted(bucketId: string): readonly StoredEvent[] {
    return sortedOf(this.#shelfOf(bucketId));
  }

  #shelfOf(bucketId: string): Shelf {
    const shelf = this.#shelves.get(bucketId);
    if (shelf === undefined) throw new Error(`the reference has no bucket ${JSON.stringify(bucketId)}`);
    return shelf;
  }

  #claim(drafts: readonly EventDraft[], ids: readonly number[]): void {
    same("putResult", ids.length, drafts.length, "events answered to the drafts");
    const brought = new Set(drafts.map((draft) => draft.id));
    for (const [index, draft] of drafts.entries()) {
      const id = ids[index] as number;
      if (draft.id !== undefined) same("putUnknownId", id, draft.id, "id of a draft that brings one");
      else {
        holds("ids", Number.isSafeInteger(id) && id >= 1, `${id} was given out as an id`);
        holds("ids", !this.#used.has(id), `id ${id} was given out, but it was in use before`);
        holds("newId", !brought.has(id), `id ${id} was given out, but the same call brings it`);
      }
      this.#used.add(id);
      this.#greatestId = Math.max(this.#greatestId, id);
    }
  }
}

/** Contract rest.md 4.4. */
function merges(partner: StoredEvent, beat: EventDraft, pulsetime: number): boolean {
  return (
    partner.duration >= 0 &&
    beat.timestamp >= partner.timestamp &&
    beat.timestamp <= partner.timestamp + partner.duration + pulsetime &&
    sameJson(partner.data, beat.data)
  );
}

function withoutId({ timestamp, duration, data }: EventDraft): EventDraft {
  return { timestamp, duration, data };
}

function sortedOf(shelf: Shelf): readonly StoredEvent[] {
  shelf.sorted ??= [...shelf.byId.values()].sort((a, b) => a.timestamp - b.timestamp || a.id - b.id);
  return shelf.sorted;
}

function summaryOf(shelf: Shelf): BucketSummary {
  let start: number | null = null;
  let end: number | null = null;
  for (const event of shelf.byId.values()) {
    start = Math.min(start ?? event.timestamp, event.timestamp);
    end = Math.max(end ?? event.timestamp + event.duration, event.timestamp + event.duration);
  }
  return { ...shelf.bucket, start, end };
}
