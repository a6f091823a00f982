import {
  COUNTED_IDS_END,
  type EventDraft,
  type NumberedEvents,
  numbered,
  type StoredEvent,
} from "../../src/domain/event.js";
import { mergedDuration } from "../../src/domain/heartbeat.js";
import { batchOf, rememberBatch } from "../../src/domain/list-batch.js";
import type { Micros } from "../../src/domain/time.js";
import { hasCode } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import type { BucketState } from "./bucket-state.js";
import { isOverfull } from "./compaction.js";
import type { Engine } from "./engine.js";
import { deleteLine, extendLine, nextIdLine, putLine, targetLine } from "./log-codec.js";
import { excludeKnown } from "./merge.js";
import { mayContainAny, type SegmentEntry } from "./segment-entry.js";
import type { Applied } from "./serial-queue.js";
import { shareData } from "./share-data.js";
import type { State } from "./state.js";

type EventMethods = Pick<Storage, "putEvents" | "mergeEvents" | "heartbeat" | "deleteEvents">;

/** Larger sets of new events become segments immediately; smaller ones go to the log. */
const BULK_EVENTS = 512;

/** The storage methods that change events. */
export const EVENT_METHODS: EventMethods & ThisType<{ readonly engine: Engine }> = {
  putEvents(bucketId, drafts) {
    const { engine } = this;
    return write(
      engine,
      bucketId,
      (bucket) => putNewEvents(engine, bucket, drafts) ?? putEventsAnywhere(engine, bucket, drafts),
    );
  },

  mergeEvents(bucketId, drafts) {
    const { engine } = this;
    return write(engine, bucketId, async (bucket) => {
      const fresh = await engine.pins.whilePinned(() => excludeKnown(bucket, drafts, engine.cache));
      const { result, durable } = await putEventsAnywhere(
        engine,
        bucket,
        fresh.map(({ timestamp, duration, data }) => ({ timestamp, duration, data })),
      );
      return { result: result.length, durable };
    });
  },

  heartbeat(bucketId, beat, pulsetimeMicros) {
    const { engine } = this;
    return write(engine, bucketId, (bucket) => {
      const { mergeTarget, frozen, knowsMergeTarget } = bucket;
      if (mergeTarget !== undefined && frozen?.has(mergeTarget.id)) {
        // Rare, after many deletions: a flush is moving the event that has become the newest.
        return engine.restructurer
          .settled(bucket)
          .then(() => reopenNewest(engine, bucket))
          .then(() => applyHeartbeat(engine, bucket, beat, pulsetimeMicros));
      }
      if (knowsMergeTarget) return applyHeartbeat(engine, bucket, beat, pulsetimeMicros);
      return reopenNewest(engine, bucket).then(() => applyHeartbeat(engine, bucket, beat, pulsetimeMicros));
    });
  },

  deleteEvents(bucketId, eventIds) {
    const { engine } = this;
    return engine.change(
      bucketId,
      async (bucket) => {
        const ids = [...new Set(eventIds)].sort((a, b) => a - b);
        while (isFrozen(bucket, ids)) await engine.restructurer.settled(bucket);
        const { memtable, bucketNo } = bucket;
        if (findSegments(bucket, ids).length > 0) {
          const removed = await engine.restructurer.edit(bucket, () => ({
            ...{ entries: findSegments(bucket, ids), remove: new Set(ids), put: [], forgetsTarget: false },
          }));
          return { result: removed, durable: Promise.resolve() };
        }
        const events = ids.flatMap((id) => memtable.get(id) ?? []);
        if (events.length === 0) return { result: 0, durable: engine.log.awaitDurable() };
        bucket.take(events);
        const lines = [
          deleteLine(
            bucketNo,
            events.map(({ id }) => id),
          ),
          nextIdLine(engine.state.nextEventId),
        ];
        return { result: events.length, durable: engine.log.append(lines, () => bucket.put(events)) };
      },
      { isDeletion: true },
    );
  },
};

function withIds(engine: Engine, bucket: BucketState, drafts: readonly EventDraft[]): NumberedEvents {
  const given = numbered(drafts, engine.state.nextEventId, (id) => mayContainEvent(bucket, id));
  engine.state.nextEventId = given.nextId;
  const batch = batchOf(drafts);
  if (batch !== undefined) rememberBatch(given.events, batch.withIds(Float64Array.from(given.events, ({ id }) => id)));
  return given;
}

/** Assigns an ID to a heartbeat. Without lists, for row `heartbeats/insert/1` of the bench. */
function createEvent(engine: Engine, bucket: BucketState, { timestamp, duration, data }: EventDraft): StoredEvent {
  const id = engine.state.nextEventId;
  if (id >= COUNTED_IDS_END) return withIds(engine, bucket, [{ timestamp, duration, data }]).events[0] as StoredEvent;
  engine.state.nextEventId = id + 1;
  return { id, timestamp, duration, data };
}

/** Changes events of the memtable and appends the change to the log. */
function putInMemtable(
  engine: Engine,
  bucket: BucketState,
  events: readonly StoredEvent[],
  targetId: number | undefined,
): Promise<void> {
  const { mergeTargetId } = bucket;
  const before = events.map(({ id }) => bucket.memtable.get(id));
  bucket.put(events);
  bucket.mergeTargetId = targetId;
  return engine.log.append([putLine(bucket.bucketNo, targetId, events), ...counterLines(engine.state)], () => {
    bucket.take(events.filter((_, index) => before[index] === undefined));
    bucket.put(before.flatMap((event) => event ?? []));
    bucket.mergeTargetId = mergeTargetId;
  });
}

/** Log lines for the ID counter if it does not follow from the events' IDs; see `counterAbove`. */
function counterLines({ nextEventId }: State): string[] {
  return nextEventId > COUNTED_IDS_END ? [nextIdLine(nextEventId)] : [];
}

async function putEventsAnywhere(
  engine: Engine,
  bucket: BucketState,
  drafts: readonly EventDraft[],
): Promise<Applied<StoredEvent[]>> {
  if (drafts.length === 0) return { result: [], durable: engine.log.awaitDurable() };
  const { events, givenIds } = withIds(engine, bucket, drafts);
  const last = givenIds.length === 0 ? events : [...new Map(events.map((event) => [event.id, event])).values()];
  const given = givenIds.toSorted((a, b) => a - b);
  while (isFrozen(bucket, given)) await engine.restructurer.settled(bucket);
  if (findSegments(bucket, given).length > 0) {
    await engine.restructurer.edit(bucket, () => ({
      ...{ entries: findSegments(bucket, given), remove: new Set(given), put: last, forgetsTarget: true },
    }));
    return { result: events, durable: Promise.resolve() };
  }
  if (givenIds.length > 0 || last.length <= BULK_EVENTS) {
    return { result: events, durable: putInMemtable(engine, bucket, last, undefined) };
  }
  const sharing = batchOf(events) === undefined ? await shareData(last) : events;
  await engine.restructurer.insert(bucket, sharing);
  return { result: sharing, durable: Promise.resolve() };
}

function putNewEvents(
  engine: Engine,
  bucket: BucketState,
  drafts: readonly EventDraft[],
): Applied<StoredEvent[]> | undefined {
  if (drafts.length === 0 || drafts.length > BULK_EVENTS || drafts.some(({ id }) => id !== undefined)) return undefined;
  const { events } = withIds(engine, bucket, drafts);
  return { result: events, durable: putInMemtable(engine, bucket, events, undefined) };
}

function applyHeartbeat(
  engine: Engine,
  bucket: BucketState,
  beat: EventDraft,
  pulsetimeMicros: Micros,
): Applied<StoredEvent> {
  const target = bucket.mergeTarget;
  const merging = target && mergedDuration(target, beat, pulsetimeMicros);
  if (merging === undefined || target === undefined) {
    const event = createEvent(engine, bucket, beat);
    return { result: event, durable: putInMemtable(engine, bucket, [event], event.id) };
  }
  const { mergeTargetId, bucketNo, memtable } = bucket;
  const { id, timestamp, duration, data } = target;
  const merged = merging === duration ? target : { id, timestamp, duration: merging, data };
  if (merged === target && mergeTargetId === id) {
    // Nothing changes, but the acknowledgment must wait for the log lines of this state.
    return { result: target, durable: engine.log.awaitDurable() };
  }
  bucket.mergeTargetId = merged.id;
  if (merged !== target) memtable.replace(target, merged);
  const line = merged === target ? targetLine(bucketNo, merged.id) : extendLine(bucketNo, merged);
  const durable = engine.log.append([line], () => {
    if (merged !== target) memtable.replace(merged, target);
    bucket.mergeTargetId = mergeTargetId;
  });
  return { result: merged, durable };
}

/** Moves the newest event back to the memtable, so that heartbeats can extend it. */
async function reopenNewest(engine: Engine, bucket: BucketState): Promise<void> {
  try {
    await engine.restructurer.edit(bucket, async () => {
      const entries = bucket.knowsMergeTarget ? [] : bucket.index.entries.slice(-1);
      const [entry] = entries;
      if (entry === undefined) return { entries, remove: new Set(), put: [], forgetsTarget: false };
      const { batch } = await engine.cache.sourceFor(bucket, entries)(entry);
      const newest = batch.eventAt(batch.length - 1);
      return { entries, remove: new Set([newest.id]), put: [newest], forgetsTarget: false };
    });
  } catch (thrown) {
    // A damaged segment must not block writes: the heartbeat becomes a separate event.
    if (!hasCode(thrown, "STORAGE_CORRUPT")) throw thrown;
  }
}

/** Delays writers that are faster than the flushes: the memtable must not grow without limit. */
function write<T>(
  engine: Engine,
  bucketId: string,
  change: (bucket: BucketState) => Applied<T> | Promise<Applied<T>>,
): Promise<T> {
  return engine.change(bucketId, (bucket) => {
    if (!isOverfull(bucket)) return change(bucket);
    return engine.restructurer.flush(bucket).then(() => change(bucket));
  });
}

/** Whether a flush in progress moves one of the events. */
function isFrozen({ frozen }: BucketState, ids: readonly number[]): boolean {
  return frozen !== undefined && ids.some((id) => frozen.has(id));
}

/** The segments that may contain one of the events, except those in the memtable. @param ids ascending */
function findSegments({ memtable, index }: BucketState, ids: readonly number[]): SegmentEntry[] {
  return index.containing(ids.filter((id) => memtable.get(id) === undefined));
}

function mayContainEvent({ memtable, index }: BucketState, eventId: number): boolean {
  return memtable.get(eventId) !== undefined || index.entries.some((entry) => mayContainAny(entry, [eventId]));
}
