import { AbandonedError, ActivityError, busy } from "../errors.js";
import { freeHeapBytes } from "../util/heap.js";
import type { QueryShare } from "./load.js";
import { bytesOf, type Size } from "./size.js";

/** Limits of a query. */
export interface QueryLimits {
  /** Milliseconds of wall-clock time, including waits. */
  readonly timeMillis: number;
  /** Events that all function calls together may produce. */
  readonly events: number;
  /** Estimated bytes of memory that its values may occupy at a time: variables, arguments, results. */
  readonly memoryBytes: number;
  /** Periods that the program may run over. */
  readonly periods: number;
}

/** High enough for ordinary queries; low enough to stop runaway ones. */
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

/** Share of the free heap for values and event data. The rest is for temporary objects. */
const HEAP_SHARE = 0.5;

/** Below this many bytes, skip the heap check, which costs as much as a few hundred events. */
const SMALL_BYTES = 4 * 1024 * 1024;

/** Tracks what a query consumes, and stops the query when it exceeds a limit or when its client disconnects. */
export interface QueryBudget {
  /** Checks the clock. @throws ActivityError `QUERY_TOO_LARGE` when the time is up, AbandonedError */
  check(): void;
  /** Adds events that a function produced. @throws ActivityError `QUERY_TOO_LARGE` */
  countProduced(events: number): void;
  /** Checks the size of a new value, in addition to all retained ones. @throws ActivityError `QUERY_TOO_LARGE` */
  checkSize(size: Size): void;
  /**
   * Waits for memory for the retained values and a value in progress. All queries share this memory.
   *
   * @returns `undefined` if memory is available now
   * @throws ActivityError `BUSY`
   */
  awaitMemory(size?: Size): Promise<void> | undefined;
  /** Adds event data that a read created. Equal data are one object, which other values may share. */
  made(bytes: number, bytesPerEvent: number): void;
  /** Adds a retained value. @throws ActivityError `QUERY_TOO_LARGE` */
  retain(size: Size): void;
  /** Removes a value that is no longer retained. */
  release(size: Size): void;
}

/** Largest value without events. Typical results have a few hundred nodes. */
const MAX_NODES = 1_000_000;

const NOTHING: Size = { nodes: 0, events: 0, depth: 0 };

/** Deepest nesting of values. The parser limits literals; this limits values that a program nests step by step. */
const MAX_LEVELS = 200;

/**
 * Creates a budget and starts its clock.
 *
 * @param isGone whether the client has disconnected
 * @param share of the memory that all queries share; if omitted, the query has all of it
 */
export function createBudget(limits: QueryLimits, isGone: () => boolean, share?: QueryShare): QueryBudget {
  const end = performance.now() + limits.timeMillis;
  let events = 0;
  let keptNodes = 0;
  let keptEvents = 0;
  /** Bytes of event data: of all reads, and of an event in the read with the largest data. */
  let dataBytes = 0;
  let dataBytesPerEvent = 0;
  /** Heap bytes available to this query, and those that other queries used at the last check. */
  let heapBytes = SMALL_BYTES;
  let othersBytes = share?.othersBytes ?? 0;
  let mostOthersBytes = othersBytes;
  let isHeapMeasured = false;

  /** @param made objects in the heap that are not yet counted as retained */
  function measureHeap(made: Pick<Size, "nodes" | "events">): void {
    const free = freeHeapBytes() ?? Number.POSITIVE_INFINITY;
    heapBytes = Math.floor((free + bytesWithData(made)) * HEAP_SHARE);
    isHeapMeasured = true;
    othersBytes = share?.othersBytes ?? 0;
    mostOthersBytes = Math.max(mostOthersBytes, othersBytes);
  }

  function check(): void {
    if (isGone()) throw new AbandonedError();
    if (performance.now() <= end) return;
    throw tooLargeError(`it took longer than ${limits.timeMillis} ms (queryLimits.timeMillis)`);
  }

  function bytesWith(more: Pick<Size, "nodes" | "events">): number {
    const all = { nodes: keptNodes + more.nodes, events: keptEvents + more.events };
    return bytesOf(all);
  }

  function checkMemory(more: Pick<Size, "nodes" | "events">): void {
    const bytes = bytesWith(more);
    if (bytes > limits.memoryBytes)
      throw tooLargeError(`its values need more than ${limits.memoryBytes} bytes of memory (queryLimits.memoryBytes)`);
    const needed = bytesWithData(more);
    if (fitsHeap(needed)) return;
    // At the first check, the new value is already in the heap. At later ones, garbage may have been collected.
    measureHeap(isHeapMeasured ? NOTHING : more);
    if (fitsHeap(needed)) return;
    if (needed <= heapBytes + mostOthersBytes * HEAP_SHARE) throw busy("other queries need the memory");
    throw tooLargeError(`it needs more than ${heapBytes} bytes of memory, half of the free heap (Node's heap size)`);
  }

  /** Bytes of the retained values and one more, including event data. */
  function bytesWithData(more: Pick<Size, "nodes" | "events">): number {
    return bytesWith(more) + Math.min(dataBytes, (keptEvents + more.events) * dataBytesPerEvent);
  }

  function fitsHeap(needed: number): boolean {
    const others = share?.othersBytes ?? 0;
    mostOthersBytes = Math.max(mostOthersBytes, others);
    return needed + Math.max(0, others - othersBytes) <= heapBytes;
  }

  return {
    check,
    checkSize({ nodes, events: held, depth }) {
      if (nodes > MAX_NODES) throw tooLargeError(`one of its values has more than ${MAX_NODES} parts`);
      if (depth > MAX_LEVELS) throw tooLargeError(`one of its values is nested more than ${MAX_LEVELS} levels deep`);
      if (held > limits.events)
        throw tooLargeError(`one of its values has more than ${limits.events} events (queryLimits.events)`);
      checkMemory({ nodes, events: held });
    },
    awaitMemory: (size = NOTHING) => share?.room(bytesWith(size))?.then(() => measureHeap(size)),
    made(bytes, bytesPerEvent) {
      dataBytes += bytes;
      dataBytesPerEvent = Math.max(dataBytesPerEvent, bytesPerEvent);
    },
    retain(size) {
      keptNodes += size.nodes;
      keptEvents += size.events;
      share?.setRetained(bytesWithData(NOTHING));
      checkMemory(NOTHING);
    },
    release(size) {
      keptNodes -= size.nodes;
      keptEvents -= size.events;
      share?.setRetained(bytesWithData(NOTHING));
    },
    countProduced(count) {
      events += count;
      if (events > limits.events)
        throw tooLargeError(`it produced more than ${limits.events} events (queryLimits.events)`);
    },
  };
}

/** @returns the error of a query that exceeds a limit */
export function tooLargeError(reason: string): ActivityError {
  return new ActivityError("QUERY_TOO_LARGE", `the query is too large: ${reason}`);
}
