import type { Bucket, BucketSummary } from "../src/domain/bucket.js";
import {
  byTime,
  type EventDraft,
  endOf,
  numbered,
  overlaps,
  positionOf,
  type StoredEvent,
} from "../src/domain/event.js";
import { mergeHeartbeat } from "../src/domain/heartbeat.js";
import type { JsonValue } from "../src/domain/json.js";
import type { Micros } from "../src/domain/time.js";
import { noSuchBucket, storageClosed } from "../src/errors.js";
import type { EventRange, SettingsStore, Storage } from "../src/storage.js";

const CHUNK = 1000;

/** One bucket. `events` ascends by (timestamp, id); an event is replaced, never changed in place. */
interface Shelf {
  bucket: Bucket;
  events: StoredEvent[];
  byId: Map<number, StoredEvent>;
  /** What the previous heartbeat made or extended; forgotten when events are put. */
  partnerId: number | undefined;
  /** Upper bound of every duration ever stored here: how far back an overlap search must look. */
  longest: Micros;
  /** Which of all buckets there ever were. */
  readonly no: number;
  /** Changes of its events so far, and of its record. */
  changes: number;
  updates: number;
}

/**
 * Keeps everything in process memory: for tests, and for servers whose data may go with them.
 * The reference that other adapters are compared with.
 *
 * @returns an open storage; nothing survives its `close()`
 */
export function memory(): Storage {
  const shelves = new Map<string, Shelf>();
  const values = new Map<string, JsonValue>();
  let closed = false;
  let nextId = 1;
  let nextNo = 0;
  let device: string | undefined;

  function assertOpen(): void {
    if (closed) throw storageClosed();
  }

  function shelfOf(bucketId: string): Shelf {
    assertOpen();
    const shelf = shelves.get(bucketId);
    if (shelf === undefined) throw noSuchBucket(bucketId);
    return shelf;
  }

  function stored({ byId }: Shelf, drafts: readonly EventDraft[]): StoredEvent[] {
    const given = numbered(drafts, nextId, (id) => byId.has(id));
    nextId = given.nextId;
    return given.events;
  }

  const settings: SettingsStore = {
    async get(key) {
      assertOpen();
      return values.get(key);
    },
    async list() {
      assertOpen();
      return new Map(values);
    },
    async put(key, value) {
      assertOpen();
      values.set(key, value);
    },
    async delete(key) {
      assertOpen();
      return values.delete(key);
    },
  };

  return {
    traits: {
      adapter: "memory",
      durability: "nothing",
      snapshotReads: true,
      multiProcess: false,
    },
    settings,

    async deviceId() {
      assertOpen();
      device ??= crypto.randomUUID();
      return device;
    },

    async listBuckets() {
      assertOpen();
      return Array.from(shelves.values(), summaryOf);
    },

    async getBucket(bucketId) {
      assertOpen();
      const shelf = shelves.get(bucketId);
      return shelf && summaryOf(shelf);
    },

    async createBucket(bucket) {
      assertOpen();
      if (shelves.has(bucket.id)) return false;
      shelves.set(bucket.id, {
        bucket,
        events: [],
        byId: new Map(),
        partnerId: undefined,
        longest: 0,
        no: nextNo++,
        changes: 0,
        updates: 0,
      });
      return true;
    },

    async updateBucket(bucketId, patch) {
      assertOpen();
      const shelf = shelves.get(bucketId);
      if (shelf === undefined) return false;
      shelf.bucket = { ...shelf.bucket, ...patch };
      shelf.updates++;
      return true;
    },

    async deleteBucket(bucketId) {
      assertOpen();
      return shelves.delete(bucketId);
    },

    async putEvents(bucketId, drafts) {
      const shelf = shelfOf(bucketId);
      const events = stored(shelf, drafts);
      if (events.length > 0) shelf.partnerId = undefined;
      place(shelf, events);
      return events;
    },

    async heartbeat(bucketId, beat, pulsetime) {
      const shelf = shelfOf(bucketId);
      const { partnerId } = shelf;
      const partner = (partnerId !== undefined && shelf.byId.get(partnerId)) || shelf.events.at(-1);
      const { timestamp, duration, data } = beat;
      const merged = partner && mergeHeartbeat(partner, beat, pulsetime);
      const event = merged ?? (stored(shelf, [{ timestamp, duration, data }])[0] as StoredEvent);
      if (event !== partner) place(shelf, [event]);
      shelf.partnerId = event.id;
      return event;
    },

    async getEvent(bucketId, eventId) {
      return shelfOf(bucketId).byId.get(eventId);
    },

    async *readEvents(bucketId, range = {}) {
      const events = select(shelfOf(bucketId), range);
      for (let at = 0; at < events.length; at += CHUNK) yield events.slice(at, at + CHUNK);
    },

    revision(bucketId) {
      if (bucketId === undefined) return Array.from(shelves.values(), ({ no, updates }) => `${no}.${updates}`).join();
      const shelf = shelves.get(bucketId);
      return shelf && `${shelf.no}.${shelf.changes}`;
    },

    async countEvents(bucketId, range = {}) {
      const { events, longest } = shelfOf(bucketId);
      const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = range;
      let count = 0;
      for (let at = positionOf(events, start - longest, 0); at < events.length; at++) {
        const event = events[at] as StoredEvent;
        if (event.timestamp > end) break;
        if (overlaps(event, start, end)) count++;
      }
      return count;
    },

    async deleteEvents(bucketId, eventIds) {
      const shelf = shelfOf(bucketId);
      let deleted = 0;
      for (const eventId of new Set(eventIds)) if (remove(shelf, eventId)) deleted++;
      return deleted;
    },

    async close() {
      closed = true;
      shelves.clear();
      values.clear();
    },
  };
}

function summaryOf({ bucket, events }: Shelf): BucketSummary {
  const first = events[0];
  if (first === undefined) return { ...bucket, start: null, end: null };
  let end = endOf(first);
  for (const event of events) end = Math.max(end, endOf(event));
  return { ...bucket, start: first.timestamp, end };
}

/** Puts events where they belong, over those of the same ids; of equal ids the last wins. */
function place(shelf: Shelf, events: readonly StoredEvent[]): void {
  shelf.changes++;
  const [only] = events;
  const newest = shelf.events.at(-1);
  if (only !== undefined && events.length === 1 && only.id === newest?.id && only.timestamp === newest.timestamp) {
    // A heartbeat that extends the newest event.
    shelf.longest = Math.max(shelf.longest, only.duration);
    shelf.byId.set(only.id, only);
    shelf.events[shelf.events.length - 1] = only;
    return;
  }
  for (const event of events) {
    shelf.longest = Math.max(shelf.longest, event.duration);
    remove(shelf, event.id);
    shelf.byId.set(event.id, event);
  }
  const fresh = events.filter((event) => shelf.byId.get(event.id) === event).sort(byTime);
  const first = fresh[0];
  if (first === undefined) return;
  // What stands behind the first new event is merged with the new ones; in the usual case that is nothing.
  const behind = shelf.events.splice(positionOf(shelf.events, first.timestamp, first.id));
  const next = behind[0];
  if (next !== undefined && byTime(fresh.at(-1) as StoredEvent, next) < 0) {
    // A batch between two others, as imports bring them, newest first.
    shelf.events = shelf.events.concat(fresh, behind);
    return;
  }
  let taken = 0;
  for (const event of fresh) {
    while (taken < behind.length && byTime(behind[taken] as StoredEvent, event) < 0) {
      shelf.events.push(behind[taken++] as StoredEvent);
    }
    shelf.events.push(event);
  }
  for (; taken < behind.length; taken++) shelf.events.push(behind[taken] as StoredEvent);
}

function remove(shelf: Shelf, eventId: number): boolean {
  const event = shelf.byId.get(eventId);
  if (event === undefined) return false;
  shelf.changes++;
  shelf.byId.delete(eventId);
  const position = positionOf(shelf.events, event.timestamp, event.id);
  // An event of the batch that is being placed is in `byId` but not yet in the list.
  if (shelf.events[position] === event) shelf.events.splice(position, 1);
  return true;
}

/** The events of a range as a list of its own, in the order asked for. */
function select(shelf: Shelf, range: EventRange): StoredEvent[] {
  const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = range;
  const { events } = shelf;
  const low = positionOf(events, start - shelf.longest, 0);
  const high = positionOf(events, end, Number.POSITIVE_INFINITY);
  const selected: StoredEvent[] = [];
  const oldestFirst = range.order === "oldest";
  for (let step = 0; step < high - low && selected.length < limit; step++) {
    const event = events[oldestFirst ? low + step : high - 1 - step] as StoredEvent;
    if (overlaps(event, start, end)) selected.push(event);
  }
  return selected;
}
