// What the file holds, as one value that is never changed in place, and what can be made of it.
import { byTime, EventBatch, endOf, noSuchBucket, numbered, overlaps, sameJson } from "activity-server/adapter";

/** @typedef {import("activity-server/adapter").StoredEvent} StoredEvent */
/** @typedef {import("activity-server/adapter").EventDraft} EventDraft */
/** @typedef {import("activity-server/adapter").JsonValue} Json */
/** @typedef {import("activity-server/adapter").EventRange} EventRange */
// One bucket. Its events are sorted by (timestamp, id); the next id only ever grows.
/** @typedef {import("activity-server/adapter").Bucket} Bucket */
/** @typedef {{ bucket: Bucket, events: StoredEvent[], nextId: number, mergeTarget?: number }} BucketState */
// Buckets are in the order of their creation, records by kind and key.
/** @typedef {Map<string, Map<string, Json>>} Records */
/** @typedef {{ settings: Map<string, Json>, records: Records, buckets: Map<string, BucketState> }} State */

const ROWS = 1000;

/** @param {State} state @param {string} bucketId */
export function stateOf({ buckets }, bucketId) {
  const state = buckets.get(bucketId);
  if (state === undefined) throw noSuchBucket(bucketId);
  return state;
}

/** @param {State} state @param {BucketState} changed @returns {State} */
export function withState(state, changed) {
  return { ...state, buckets: new Map(state.buckets).set(changed.bucket.id, changed) };
}

/** @template V @param {Map<string, V>} map @param {string} key */
export function without(map, key) {
  return new Map([...map].filter(([each]) => each !== key));
}

/**
 * A bucket with drafts stored in it, and the stored events. The next heartbeat merges into the greatest event.
 * @param {BucketState} state @param {readonly EventDraft[]} drafts @returns {[BucketState, StoredEvent[]]}
 */
export function withDrafts(state, drafts) {
  if (drafts.length === 0) return [state, []];
  const { bucket, events } = state;
  const { events: stored, nextId } = numbered(drafts, state.nextId, (id) => events.some((each) => each.id === id));
  return [{ bucket, events: placed(events, stored), nextId }, stored];
}

/** Both lists in one; of equal ids the last wins. @param {StoredEvent[]} events @param {StoredEvent[]} changed */
function placed(events, changed) {
  const byId = new Map(events.map((event) => [event.id, event]));
  for (const event of changed) byId.set(event.id, event);
  return [...byId.values()].sort(byTime);
}

/** @param {EventDraft} a @param {EventDraft} b */
export function isSame(a, b) {
  return a.timestamp === b.timestamp && a.duration === b.duration && sameJson(a.data, b.data);
}

/** @param {EventDraft} draft @returns {EventDraft} */
export function withoutId({ timestamp, duration, data }) {
  return { timestamp, duration, data };
}

/** @param {BucketState} state @param {EventRange} [range] */
export function select({ events }, { start = -Infinity, end = Infinity, limit = Infinity, order = "newest" } = {}) {
  const found = events.filter((event) => overlaps(event, start, end));
  return (order === "newest" ? found.reverse() : found).slice(0, limit);
}

/** @param {StoredEvent[]} events */
export async function* batchesOf(events) {
  for (let at = 0; at < events.length; at += ROWS) yield EventBatch.from(events.slice(at, at + ROWS));
}

/** @param {BucketState} state */
export function summaryOf({ bucket, events }) {
  const [end = null] = events.map(endOf).sort((a, b) => b - a);
  return { ...bucket, start: events[0]?.timestamp ?? null, end };
}
