// A storage over one JSON file: the smallest adapter that keeps every promise of the interface, not the fastest.
//
// All that is stored makes up one value, the state, which is never changed in place: a write makes a new state out of
// the newest one. So a write that fails changes nothing, a reader goes on over the list that it began with, and nobody
// sees half a write.
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import {
  ActivityError,
  byTime,
  endOf,
  mergeHeartbeat,
  noSuchBucket,
  numbered,
  overlaps,
  storageClosed,
} from "activity-server";

/** @typedef {import("activity-server").StoredEvent} StoredEvent */
/** @typedef {import("activity-server").JsonValue} Json */
// One bucket. Its events are sorted by (timestamp, id); the partner of the next heartbeat is not in the file.
/** @typedef {{ bucket: import("activity-server").Bucket, events: StoredEvent[], partnerId?: number }} Shelf */
// The next id only ever grows; shelves are in the order of their creation.
/** @typedef {{ nextId: number, device: string, settings: Map<string, Json>, shelves: Map<string, Shelf> }} State */

const CHUNK = 1000;

/**
 * Opens the file at a path; makes one, with an empty storage, when there is none.
 * @param {string} path @returns {Promise<import("activity-server").Storage>}
 */
export async function jsonFile(path) {
  await mkdir(dirname(path), { recursive: true });
  let kept = await load(path); // what the file holds, and what readers see
  let newest = kept; // the same with the writes under way
  let written = Promise.resolve(); // the end of the file that was asked for last
  /** @type {Promise<void> | undefined} */
  let next; // the same, as long as that file is not begun
  let closed = false;

  function current() {
    if (closed) throw storageClosed();
    return kept;
  }

  /**
   * Makes a change, and resolves when the file holds it. Changes that come while a file is written share the next.
   * @template T @param {(now: State) => [State, T]} change gives the state behind the change, and the answer
   */
  async function write(change) {
    current();
    const [changed, answer] = change(newest);
    newest = changed;
    if (next === undefined) written = next = written.then(commit);
    await next;
    return answer;
  }

  async function commit() {
    next = undefined;
    const state = newest;
    try {
      if (state !== kept) await save(path, state);
      kept = state;
    } catch (cause) {
      // Changes that wait for the next file were built on these. They are chained to this promise and reject with it.
      newest = kept;
      next = undefined;
      written = Promise.resolve();
      throw new ActivityError("STORAGE_FAILED", `cannot write '${path}'`, { cause });
    }
  }

  return {
    traits: { adapter: "json-file", durability: "power-loss", snapshotReads: true, multiProcess: false },
    settings: {
      get: async (key) => current().settings.get(key),
      list: async () => new Map(current().settings),
      put: (key, value) => write((now) => [{ ...now, settings: new Map(now.settings).set(key, value) }, undefined]),
      delete: (key) => write((now) => [{ ...now, settings: without(now.settings, key) }, now.settings.has(key)]),
    },
    deviceId: async () => current().device,
    listBuckets: async () => Array.from(current().shelves.values(), summaryOf),
    async getBucket(bucketId) {
      const shelf = current().shelves.get(bucketId);
      return shelf && summaryOf(shelf);
    },
    createBucket: (bucket) =>
      write((now) => (now.shelves.has(bucket.id) ? [now, false] : [withShelf(now, { bucket, events: [] }), true])),
    updateBucket: (bucketId, patch) =>
      write((now) => {
        const shelf = now.shelves.get(bucketId);
        return shelf ? [withShelf(now, { ...shelf, bucket: { ...shelf.bucket, ...patch } }), true] : [now, false];
      }),
    deleteBucket: (bucketId) =>
      write((now) => [{ ...now, shelves: without(now.shelves, bucketId) }, now.shelves.has(bucketId)]),
    putEvents: (bucketId, drafts) =>
      write((now) => {
        const { bucket, events } = shelfOf(now, bucketId);
        if (drafts.length === 0) return [now, []];
        const { events: stored, nextId } = numbered(drafts, now.nextId, (id) => events.some((each) => each.id === id));
        return [withShelf({ ...now, nextId }, { bucket, events: placed(events, stored) }), stored];
      }),
    heartbeat: (bucketId, { timestamp, duration, data }, pulsetime) =>
      write((now) => {
        const { bucket, events, partnerId } = shelfOf(now, bucketId);
        const beat = { timestamp, duration, data };
        const partner = events.find(({ id }) => id === partnerId) ?? events.at(-1);
        const merged = partner && mergeHeartbeat(partner, beat, pulsetime);
        const { events: own, nextId } = numbered(merged ? [] : [beat], now.nextId);
        const event = merged ?? /** @type {StoredEvent} */ (own[0]);
        return [withShelf({ ...now, nextId }, { bucket, events: placed(events, [event]), partnerId: event.id }), event];
      }),
    getEvent: async (bucketId, eventId) => shelfOf(current(), bucketId).events.find(({ id }) => id === eventId),
    async *readEvents(bucketId, range) {
      const found = select(shelfOf(current(), bucketId), range);
      for (let at = 0; at < found.length; at += CHUNK) yield found.slice(at, at + CHUNK);
    },
    countEvents: async (bucketId, range) => select(shelfOf(current(), bucketId), range).length,
    deleteEvents: (bucketId, eventIds) =>
      write((now) => {
        const shelf = shelfOf(now, bucketId);
        const doomed = new Set(eventIds);
        const events = shelf.events.filter(({ id }) => !doomed.has(id));
        return [withShelf(now, { ...shelf, events }), shelf.events.length - events.length];
      }),
    async close() {
      closed = true;
      await written.catch(() => undefined);
    },
  };
}

/** @param {State} state @param {string} bucketId */
function shelfOf({ shelves }, bucketId) {
  const shelf = shelves.get(bucketId);
  if (shelf === undefined) throw noSuchBucket(bucketId);
  return shelf;
}

/** @param {State} state @param {Shelf} shelf @returns {State} */
function withShelf(state, shelf) {
  return { ...state, shelves: new Map(state.shelves).set(shelf.bucket.id, shelf) };
}

/** @template V @param {Map<string, V>} map @param {string} key */
function without(map, key) {
  return new Map([...map].filter(([each]) => each !== key));
}

/** Both lists in one; of equal ids the last wins. @param {StoredEvent[]} events @param {StoredEvent[]} changed */
function placed(events, changed) {
  const byId = new Map(events.map((event) => [event.id, event]));
  for (const event of changed) byId.set(event.id, event);
  return [...byId.values()].sort(byTime);
}

/** @param {Shelf} shelf @param {import("activity-server").EventRange} [range] */
function select({ events }, { start = -Infinity, end = Infinity, limit = Infinity, order = "newest" } = {}) {
  const found = events.filter((event) => overlaps(event, start, end));
  return (order === "newest" ? found.reverse() : found).slice(0, limit);
}

/** @param {Shelf} shelf */
function summaryOf({ bucket, events }) {
  const [end = null] = events.map(endOf).sort((a, b) => b - a);
  return { ...bucket, start: events[0]?.timestamp ?? null, end };
}

/** @param {string} path @returns {Promise<State>} */
async function load(path) {
  const text = await readFile(path, "utf8").catch((cause) => {
    if (cause.code !== "ENOENT") throw new ActivityError("STORAGE_UNUSABLE", `cannot read '${path}'`, { cause });
  });
  const empty = { nextId: 1, device: randomUUID(), settings: new Map(), shelves: new Map() };
  if (text === undefined) return save(path, empty);
  try {
    const state = JSON.parse(text);
    return { ...state, settings: new Map(state.settings), shelves: new Map(state.shelves) };
  } catch (cause) {
    throw new ActivityError("STORAGE_CORRUPT", `'${path}' does not hold a storage`, { cause });
  }
}

/** Puts a new file in the place of the old one, so that there is always a whole one.
 * @param {string} path @param {State} state */
async function save(path, state) {
  const shelves = Array.from(state.shelves, ([id, { bucket, events }]) => [id, { bucket, events }]);
  const text = JSON.stringify({ ...state, settings: [...state.settings], shelves });
  await writeFile(`${path}.new`, text, { flush: true, mode: 0o600 });
  await rename(`${path}.new`, path);
  if (process.platform === "win32") return state;
  const folder = await open(dirname(path));
  await folder.sync().finally(() => folder.close());
  return state;
}
