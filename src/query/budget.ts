import { AbandonedError, ActivityError, busy } from "../errors.js";
import { freeHeapBytes } from "../util/heap.js";
import type { QueryShare } from "./load.js";
import { bytesOf, type Size } from "./size.js";

/** What one query may use up. */
export interface QueryLimits {
  /** Milliseconds of wall clock, waiting for others included. */
  readonly timeMillis: number;
  /** Events that all its functions together may produce. */
  readonly events: number;
  /** Bytes of memory, estimated, that its values may take at a time: variables, arguments, results so far. */
  readonly memoryBytes: number;
  /** Periods that the program is carried out for. */
  readonly periods: number;
}

/** Generous for what people ask, and the end of what would go on for ever. */
export const DEFAULT_LIMITS: QueryLimits = {
  timeMillis: 60_000,
  events: 50_000_000,
  memoryBytes: 512 * 1024 * 1024,
  periods: 10_000,
};

/** The limits that an app passes. Missing ones have their defaults. */
export type QueryLimitsInput = { readonly [Name in keyof QueryLimits]?: QueryLimits[Name] | undefined };

/** Adds the defaults. A limit of `undefined` would be none. */
export function completeLimits(given: QueryLimitsInput = {}): QueryLimits {
  const { timeMillis, events, memoryBytes, periods } = DEFAULT_LIMITS;
  return {
    timeMillis: given.timeMillis ?? timeMillis,
    events: given.events ?? events,
    memoryBytes: given.memoryBytes ?? memoryBytes,
    periods: given.periods ?? periods,
  };
}

/** Values and their events' data may take this part of the free heap; the rest is for what is made on the way. */
const PART_OF_HEAP = 0.5;

/** Bytes up to which nobody looks at the heap, which costs as much as some hundreds of events. */
const SMALL_BYTES = 4 * 1024 * 1024;

/** Keeps count of what a query uses up, and ends it when that is too much or when nobody waits for it any more. */
export interface QueryBudget {
  /** Looks at the clock. @throws ActivityError `QUERY_TOO_LARGE` when the time is up, AbandonedError */
  check(): void;
  /** Counts events that a function has produced. @throws ActivityError `QUERY_TOO_LARGE` */
  produced(events: number): void;
  /** Looks at the size of a value, beside all that is kept already. @throws ActivityError `QUERY_TOO_LARGE` */
  holds(size: Size): void;
  /**
   * Waits until there is room for what is kept, and for a value that is being made: all queries share their memory.
   *
   * @returns `undefined` = there is
   * @throws ActivityError `BUSY`
   */
  room(size?: Size): Promise<void> | undefined;
  /** Counts data that a read made: equal data are one object, and other values may share them. */
  made(bytes: number, bytesPerEvent: number): void;
  /** Counts a value as kept. @throws ActivityError `QUERY_TOO_LARGE` */
  keeps(size: Size): void;
  /** Counts a value as no longer kept. */
  frees(size: Size): void;
}

/** Largest value that is not events: people's results have some hundreds of such nodes. */
const MOST_NODES = 1_000_000;

const NOTHING: Size = { nodes: 0, events: 0, depth: 0 };

/** How deeply values may nest. A program alone cannot write more, but it can put values into each other. */
const MOST_LEVELS = 200;

/**
 * Starts to count.
 *
 * @param isGone whether nobody waits for the answer any more
 * @param share of the memory of all queries; without one nobody else has any
 */
export function createBudget(limits: QueryLimits, isGone: () => boolean, share?: QueryShare): QueryBudget {
  const end = performance.now() + limits.timeMillis;
  let events = 0;
  let keptNodes = 0;
  let keptEvents = 0;
  /** Of the data of events: of all that was made, and of an event of the read with the largest. */
  let dataBytes = 0;
  let dataBytesPerEvent = 0;
  /** What its values may take of the heap, and what those of other queries took when that was looked at. */
  let heapBytes = SMALL_BYTES;
  let othersBytes = share?.othersBytes ?? 0;
  let mostOthersBytes = othersBytes;
  let isLookedAt = false;

  /** @param made what is in the heap beside all that is kept */
  function lookAtHeap(made: Pick<Size, "nodes" | "events">): void {
    const free = freeHeapBytes() ?? Number.POSITIVE_INFINITY;
    heapBytes = Math.floor((free + withData(made)) * PART_OF_HEAP);
    isLookedAt = true;
    othersBytes = share?.othersBytes ?? 0;
    mostOthersBytes = Math.max(mostOthersBytes, othersBytes);
  }

  function check(): void {
    if (isGone()) throw new AbandonedError();
    if (performance.now() <= end) return;
    throw tooLarge(`it took longer than ${limits.timeMillis} ms (queryLimits.timeMillis)`);
  }

  function bytesWith(more: Pick<Size, "nodes" | "events">): number {
    const all = { nodes: keptNodes + more.nodes, events: keptEvents + more.events };
    return bytesOf(all);
  }

  function checkMemory(more: Pick<Size, "nodes" | "events">): void {
    const bytes = bytesWith(more);
    if (bytes > limits.memoryBytes)
      throw tooLarge(`its values need more than ${limits.memoryBytes} bytes of memory (queryLimits.memoryBytes)`);
    const needed = withData(more);
    if (fitsHeap(needed)) return;
    // What was made is in the heap at the first look. Later garbage may be gone.
    lookAtHeap(isLookedAt ? NOTHING : more);
    if (fitsHeap(needed)) return;
    if (needed <= heapBytes + mostOthersBytes * PART_OF_HEAP) throw busy("other queries need the memory");
    throw tooLarge(`it needs more than ${heapBytes} bytes of memory, half of the heap that is free (Node's heap size)`);
  }

  /** The bytes of what is kept and of a value, with the data of their events. */
  function withData(more: Pick<Size, "nodes" | "events">): number {
    return bytesWith(more) + Math.min(dataBytes, (keptEvents + more.events) * dataBytesPerEvent);
  }

  function fitsHeap(needed: number): boolean {
    const others = share?.othersBytes ?? 0;
    mostOthersBytes = Math.max(mostOthersBytes, others);
    return needed + Math.max(0, others - othersBytes) <= heapBytes;
  }

  return {
    check,
    holds({ nodes, events: held, depth }) {
      if (nodes > MOST_NODES) throw tooLarge(`a value of it has more than ${MOST_NODES} parts`);
      if (depth > MOST_LEVELS) throw tooLarge(`a value of it nests more than ${MOST_LEVELS} levels deep`);
      if (held > limits.events)
        throw tooLarge(`a value of it has more than ${limits.events} events (queryLimits.events)`);
      checkMemory({ nodes, events: held });
    },
    room: (size = NOTHING) => share?.room(bytesWith(size))?.then(() => lookAtHeap(size)),
    made(bytes, bytesPerEvent) {
      dataBytes += bytes;
      dataBytesPerEvent = Math.max(dataBytesPerEvent, bytesPerEvent);
    },
    keeps(size) {
      keptNodes += size.nodes;
      keptEvents += size.events;
      share?.keeps(withData(NOTHING));
      checkMemory(NOTHING);
    },
    frees(size) {
      keptNodes -= size.nodes;
      keptEvents -= size.events;
      share?.keeps(withData(NOTHING));
    },
    produced(count) {
      events += count;
      if (events > limits.events) throw tooLarge(`it produced more than ${limits.events} events (queryLimits.events)`);
    },
  };
}

/** @returns the error of a query that uses up more than it may */
export function tooLarge(reason: string): ActivityError {
  return new ActivityError("QUERY_TOO_LARGE", `the query is too large: ${reason}`);
}
