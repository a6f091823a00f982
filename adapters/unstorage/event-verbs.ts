import { type EventDraft, numbered, type StoredEvent } from "../../src/domain/event.js";
import { mergeHeartbeat } from "../../src/domain/heartbeat.js";
import type { Micros } from "../../src/domain/time.js";
import type { Storage } from "../../src/storage.js";
import type { ChunkEntry } from "./directory.js";
import { isBefore } from "./directory.js";
import type { Keeper } from "./keeper.js";
import { findIn } from "./tail.js";
import type { Work } from "./work.js";

/** The verbs that change events. */
export function eventVerbs(keeper: Keeper): Pick<Storage, "putEvents" | "heartbeat" | "deleteEvents"> {
  /** Gives ids to drafts. The counter moves on for good, even if the call comes to nothing. */
  function withIds(work: Work, drafts: readonly EventDraft[]): ReturnType<typeof numbered> {
    const mayHave = (id: number): boolean =>
      findIn(work.tail, id) !== undefined || work.directory.holding([id]).length > 0;
    const given = numbered(drafts, keeper.counters.nextEventId, mayHave);
    keeper.counters.nextEventId = given.nextId;
    return given;
  }

  /**
   * Takes events out of chunks. All of these are read before the first is changed.
   *
   * @returns how many there were
   */
  async function takeFrom(work: Work, entries: readonly ChunkEntry[], ids: ReadonlySet<number>): Promise<number> {
    const eventsOf = keeper.eventsFor(work);
    const contents: [ChunkEntry, readonly StoredEvent[]][] = [];
    for (const entry of entries) contents.push([entry, await eventsOf(entry)]);
    let count = 0;
    for (const [entry, events] of contents) {
      const kept = events.filter(({ id }) => !ids.has(id));
      if (kept.length === events.length) continue;
      count += events.length - kept.length;
      work.shrink(entry, kept);
    }
    return count;
  }

  function put(work: Work, drafts: readonly EventDraft[]): StoredEvent[] | Promise<StoredEvent[]> {
    const { events, givenIds } = withIds(work, drafts);
    const place = (): StoredEvent[] => {
      if (events.length > 0) work.partnerId = undefined;
      work.put(events);
      return events;
    };
    const inChunks = givenIds.filter((id) => findIn(work.tail, id) === undefined);
    const entries = work.directory.holding(inChunks);
    return entries.length === 0 ? place() : takeFrom(work, entries, new Set(inChunks)).then(place);
  }

  function beatOn(work: Work, partner: StoredEvent | undefined, beat: EventDraft, pulsetime: Micros): StoredEvent {
    const { timestamp, duration, data } = beat;
    const merged = partner && mergeHeartbeat(partner, beat, pulsetime);
    const event = merged ?? (withIds(work, [{ timestamp, duration, data }]).events[0] as StoredEvent);
    if (event !== partner) work.put([event]);
    work.partnerId = event.id;
    return event;
  }

  /** For a bucket whose newest event lies in a chunk: it is brought back into the tail, where heartbeats extend it. */
  async function unsealNewest(work: Work, entry: ChunkEntry): Promise<StoredEvent> {
    const events = await keeper.eventsFor(work)(entry);
    const newest = events.at(-1) as StoredEvent;
    work.shrink(entry, events.slice(0, -1));
    work.put([newest]);
    return newest;
  }

  function beatIn(work: Work, beat: EventDraft, pulsetime: Micros): StoredEvent | Promise<StoredEvent> {
    const { partnerId, tail, directory } = work;
    const previous = partnerId === undefined ? undefined : findIn(tail, partnerId);
    if (previous !== undefined) return beatOn(work, previous, beat, pulsetime);
    const newest = tail.at(-1);
    const last = directory.entries.at(-1);
    if (last === undefined || (newest !== undefined && !isBefore(newest, last.last))) {
      return beatOn(work, newest, beat, pulsetime);
    }
    return unsealNewest(work, last).then((event) => beatOn(work, event, beat, pulsetime));
  }

  async function remove(work: Work, ids: ReadonlySet<number>): Promise<number> {
    const inChunks = [...ids].filter((id) => findIn(work.tail, id) === undefined);
    const fromChunks = await takeFrom(work, work.directory.holding(inChunks), new Set(inChunks));
    return fromChunks + work.take(ids);
  }

  return {
    putEvents: (bucketId, drafts) => keeper.change(bucketId, (work) => put(work, drafts)),
    heartbeat: (bucketId, beat, pulsetime) => keeper.change(bucketId, (work) => beatIn(work, beat, pulsetime)),
    deleteEvents: (bucketId, eventIds) => keeper.change(bucketId, (work) => remove(work, new Set(eventIds))),
  };
}
