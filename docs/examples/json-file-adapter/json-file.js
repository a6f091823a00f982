// A storage over one JSON file: the smallest adapter that keeps every promise of the interface, not the fastest.
//
// All that is stored makes up one value, the state (state.js), which is never changed in place: a write makes a new
// state out of the newest one. So a write that fails changes nothing, a reader goes on over the list that it began
// with, and nobody sees half a write.
import { deviceIdIn, mergeHeartbeat, sameJson, storageClosed } from "activity-server/adapter";
import { failureOf, load, save } from "./file.js";
import { batchesOf, isSame, select, stateOf, summaryOf, withDrafts, without, withoutId, withState } from "./state.js";

/** @typedef {import("activity-server/adapter").StoredEvent} StoredEvent */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").BucketState} BucketState */

/**
 * A storage in the file at a path, which is made, with an empty storage, when there is none.
 * @param {string} path @returns {import("activity-server/adapter").Storage}
 */
export function jsonFile(path) {
  /** @type {State} */
  let kept; // what the file holds, and what readers see
  /** @type {State} */
  let newest; // the same with the writes under way
  /** @type {Promise<void> | undefined} */
  let opening;
  let written = Promise.resolve(); // the end of the file that was asked for last
  /** @type {Promise<void> | undefined} */
  let next; // the same, as long as that file is not begun
  let closed = false;

  async function opened() {
    opening ??= load(path).then(
      (state) => {
        kept = newest = state;
      },
      (error) => {
        opening = undefined; // the next call tries again
        throw error;
      },
    );
    await opening;
  }

  async function current() {
    if (closed) throw storageClosed();
    await opened();
    return kept;
  }

  /**
   * Makes a change, and resolves when the file holds it. Changes that come while a file is written share the next.
   * @template T @param {(now: State) => [State, T]} change gives the state behind the change, and the answer
   */
  async function write(change) {
    await current();
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
      throw failureOf(cause);
    }
  }

  /** @param {string} kind @returns {import("activity-server/adapter").RecordStore} */
  const records = (kind) => ({
    get: async (key) => (await current()).records.get(kind)?.get(key),
    list: async () => new Map((await current()).records.get(kind)),
    compareAndSet: (key, expected, value) =>
      write((now) => {
        const own = now.records.get(kind) ?? new Map();
        const held = own.get(key);
        const fits = held === undefined || expected === undefined ? held === expected : sameJson(held, expected);
        if (!fits) return [now, false];
        const changed = value === undefined ? without(own, key) : new Map(own).set(key, value);
        return [{ ...now, records: new Map(now.records).set(kind, changed) }, true];
      }),
  });

  /** @template T @param {string} id @param {(state: BucketState) => [BucketState, T]} change */
  const writeTo = (id, change) =>
    write((now) => {
      const [changed, answer] = change(stateOf(now, id));
      return [withState(now, changed), answer];
    });

  return {
    traits: { adapter: "json-file", durability: "power-loss", snapshotReads: true, multiProcess: false },
    settings: {
      get: async (key) => (await current()).settings.get(key),
      list: async () => new Map((await current()).settings),
      put: (key, value) => write((now) => [{ ...now, settings: new Map(now.settings).set(key, value) }, undefined]),
      delete: (key) => write((now) => [{ ...now, settings: without(now.settings, key) }, now.settings.has(key)]),
    },
    records,
    ready: async () => void (await current()),
    deviceId: () => deviceIdIn(records("device")),
    listBuckets: async () => Array.from((await current()).buckets.values(), ({ bucket }) => bucket),
    getBucket: async (bucketId) => (await current()).buckets.get(bucketId)?.bucket,
    async summaries(bucketIds) {
      const { buckets } = await current();
      return (bucketIds ?? [...buckets.keys()]).flatMap((id) => {
        const state = buckets.get(id);
        return state ? [summaryOf(state)] : [];
      });
    },
    createBucket: (bucket, drafts = [], unless) =>
      write((now) => {
        if (now.buckets.has(bucket.id)) return [now, undefined];
        if (unless && now.records.get(unless.recordKind)?.has(unless.key)) return [now, undefined];
        const [state, stored] = withDrafts({ bucket, events: [], nextId: 1 }, drafts);
        return [withState(now, state), stored];
      }),
    updateBucket: (bucketId, patch) =>
      write((now) => {
        const state = now.buckets.get(bucketId);
        return state ? [withState(now, { ...state, bucket: { ...state.bucket, ...patch } }), true] : [now, false];
      }),
    deleteBucket: (bucketId) =>
      write((now) => [{ ...now, buckets: without(now.buckets, bucketId) }, now.buckets.has(bucketId)]),
    putEvents: (bucketId, drafts) => writeTo(bucketId, (state) => withDrafts(state, drafts)),
    mergeEvents: (bucketId, drafts) =>
      writeTo(bucketId, (state) => {
        const fresh = drafts.filter((draft) => !state.events.some((event) => isSame(event, draft))).map(withoutId);
        return [withDrafts(state, fresh)[0], fresh.length];
      }),
    heartbeat: (bucketId, draft, pulsetimeMicros) =>
      writeTo(bucketId, (state) => {
        const beat = withoutId(draft);
        const target = state.events.find(({ id }) => id === state.mergeTarget) ?? state.events.at(-1);
        const merged = target && mergeHeartbeat(target, beat, pulsetimeMicros);
        const [changed, [event]] = withDrafts(state, [merged ?? beat]);
        return [{ ...changed, mergeTarget: event?.id }, /** @type {StoredEvent} */ (event)];
      }),
    getEvent: async (bucketId, eventId) => stateOf(await current(), bucketId).events.find(({ id }) => id === eventId),
    async read(bucketId, range) {
      const found = select(stateOf(await current(), bucketId), range);
      return { version: undefined, batches: batchesOf(found) };
    },
    countEvents: async (bucketId, range) => select(stateOf(await current(), bucketId), range).length,
    deleteEvents: (bucketId, eventIds) =>
      writeTo(bucketId, (state) => {
        const doomed = new Set(eventIds);
        const events = state.events.filter(({ id }) => !doomed.has(id));
        return [{ ...state, events }, state.events.length - events.length];
      }),
    async *backup() {
      const { settings, records: kinds, buckets } = await current();
      for (const [key, value] of settings) yield { kind: "setting", key, value };
      for (const [recordKind, own] of kinds) {
        for (const [key, value] of own) yield { kind: "record", recordKind, key, value };
      }
      for (const [bucketId, { bucket, events }] of buckets) {
        yield { kind: "bucket", bucket, events: events.length };
        for await (const batch of batchesOf(events)) yield { kind: "events", bucketId, batch };
      }
    },
    async verify() {
      await current();
      try {
        const states = [...(await load(path)).buckets.values()];
        const events = states.reduce((sum, state) => sum + state.events.length, 0);
        return { problems: [], buckets: states.length, events, bytes: 0 };
      } catch (error) {
        return { problems: [{ kind: "damaged", message: String(error) }], buckets: 0, events: 0, bytes: 0 };
      }
    },
    async close() {
      closed = true;
      // Calls that were made before wait for the opening, too, and go first.
      if (opening !== undefined) await opened().catch(() => undefined);
      await written.catch(() => undefined);
    },
  };
}
