import { COUNTED_IDS_END, type EventDraft, type Numbered, numbered, type StoredEvent } from "../../src/domain/event.js";
import { mergeHeartbeat } from "../../src/domain/heartbeat.js";
import type { Micros } from "../../src/domain/time.js";
import type { Storage } from "../../src/storage.js";
import type { Operation } from "./database.js";
import type { Applied } from "./in-order.js";
import type { Keeper } from "./keeper.js";
import { NEXT_ID_KEY, put } from "./layout.js";
import { placeIn, removeFrom, type WithBlocks } from "./place.js";
import type { SealedBlocks } from "./sealed-blocks.js";
import { eventsOf } from "./segment.js";
import { mayHold } from "./segment-entry.js";
import type { Shelf } from "./shelf.js";
import type { Write } from "./store.js";

/** The verbs that change events. */
export function eventVerbs(
  keeper: Keeper,
  blocks: SealedBlocks,
  write: Write,
): Pick<Storage, "putEvents" | "heartbeat" | "deleteEvents"> {
  /** Reads segments within a change: whoever comes later waits. */
  function withBlocksOf(shelf: Shelf): WithBlocks {
    return (segments, use) =>
      blocks.reading(shelf, segments, (blockOf) =>
        use(async (entry) => {
          const block = await blockOf(entry);
          keeper.assertCurrent(shelf);
          return block;
        }),
      );
  }

  function withIds(shelf: Shelf, drafts: readonly EventDraft[]): Numbered {
    const given = numbered(drafts, keeper.state.nextEventId, (id) => mayHave(shelf, id));
    keeper.state.nextEventId = given.nextId;
    return given;
  }

  /** The counter is written when it does not follow from the ids that are there; see `counterAbove`. */
  function counterIfUncounted(): Operation[] {
    const { nextEventId } = keeper.state;
    return nextEventId > COUNTED_IDS_END ? [put(NEXT_ID_KEY, nextEventId)] : [];
  }

  function beatIn(shelf: Shelf, beat: EventDraft, pulsetime: Micros, before: Operation[]): Applied<StoredEvent> {
    const { tail, partnerId } = shelf;
    const partner = (partnerId === undefined ? undefined : tail.get(partnerId)) ?? tail.events.at(-1);
    const { timestamp, duration, data } = beat;
    const merged = partner && mergeHeartbeat(partner, beat, pulsetime);
    const event = merged ?? (withIds(shelf, [{ timestamp, duration, data }]).events[0] as StoredEvent);
    shelf.partnerId = event.id;
    const operations = event === partner ? before : [...before, ...shelf.putInTail([event]), ...counterIfUncounted()];
    // A beat that changes nothing is still acknowledged only after what covers it.
    return {
      result: event,
      landed: operations.length > 0 ? keeper.commit(operations, shelf) : keeper.landedSoFar(shelf),
    };
  }

  /** Brings the newest event back into the tail, where heartbeats find and extend it. */
  function unsealNewest(shelf: Shelf): Promise<Operation[]> {
    const newest = shelf.directory.entries.slice(-1);
    return withBlocksOf(shelf)(newest, async (blockOf) => {
      const operations: Operation[] = [];
      for (const entry of newest) {
        const events = eventsOf(await blockOf(entry));
        const event = events.pop() as StoredEvent;
        operations.push(...shelf.unseal(entry, events), ...shelf.putInTail([event]));
      }
      return operations;
    });
  }

  return {
    putEvents(bucketId, drafts) {
      return write(bucketId, (shelf) => {
        const { events, givenIds } = withIds(shelf, drafts);
        if (events.length > 0) shelf.partnerId = undefined;
        const last = givenIds.length === 0 ? undefined : new Map(events.map((event) => [event.id, event]));
        const placed = placeIn(shelf, last ? [...last.values()] : events, givenIds, withBlocksOf(shelf));
        const applied = (operations: Operation[]): Applied<StoredEvent[]> => ({
          result: events,
          landed:
            operations.length > 0
              ? keeper.commit([...operations, ...counterIfUncounted()], shelf)
              : keeper.landedSoFar(shelf),
        });
        return placed instanceof Promise ? placed.then(applied) : applied(placed);
      });
    },

    heartbeat(bucketId, beat, pulsetime) {
      return write(bucketId, (shelf) => {
        const hasPartner = shelf.partnerId !== undefined && shelf.tail.get(shelf.partnerId) !== undefined;
        if (hasPartner || shelf.newestIsInTail) return beatIn(shelf, beat, pulsetime, []);
        return unsealNewest(shelf).then((operations) => beatIn(shelf, beat, pulsetime, operations));
      });
    },

    deleteEvents(bucketId, eventIds) {
      return write(bucketId, (shelf) => {
        const removed = removeFrom(shelf, new Set(eventIds), withBlocksOf(shelf));
        const applied = ({ operations, count }: Awaited<typeof removed>): Applied<number> => {
          if (count === 0) return { result: 0, landed: keeper.landedSoFar(shelf) };
          // The counter is written when ids disappear: while they are there it follows from them.
          const counter = put(NEXT_ID_KEY, keeper.state.nextEventId);
          return { result: count, landed: keeper.commit([...operations, counter], shelf) };
        };
        return removed instanceof Promise ? removed.then(applied) : applied(removed);
      });
    },
  };
}

function mayHave({ tail, directory }: Shelf, eventId: number): boolean {
  return tail.get(eventId) !== undefined || directory.entries.some((entry) => mayHold(entry, eventId));
}
