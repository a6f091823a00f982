import type { QueryBudget } from "./budget.js";
import { isEventBatch, type Value } from "./values.js";

/**
 * Size of a value for serialization and comparison. Shared parts count each time: a list that contains the same list
 * twice counts it twice. This stops short programs from building values of exponential size.
 */
export interface Size {
  /** Lists, dicts, numbers and strings, plus one for every 32 characters of a string. */
  readonly nodes: number;
  readonly events: number;
  /** Levels of lists and dicts: serialization and comparison are recursive. */
  readonly depth: number;
}

const CHARACTERS_PER_NODE = 32;
const ONE: Size = { nodes: 1, events: 0, depth: 0 };

/** Bytes of an event in columns: start, duration, id, and the reference to its data. */
const BYTES_PER_EVENT = 32;
/** Bytes of a number, a short string or an empty list. */
const BYTES_PER_NODE = 64;

/** Estimated memory of a value, including shared parts. */
export function bytesOf({ nodes, events }: Pick<Size, "nodes" | "events">): number {
  return nodes * BYTES_PER_NODE + events * BYTES_PER_EVENT;
}

/**
 * Where lists and dicts have their size, recorded when they are created. A weak map of all of them would stop the
 * server for 20 ms whenever it grows (row `watchers/months`).
 */
const SIZE = Symbol("size");

interface Sized {
  [SIZE]?: Size;
}

export function sizeOf(value: Value): Size {
  if (typeof value === "string") return { ...ONE, nodes: 1 + value.length / CHARACTERS_PER_NODE };
  if (typeof value !== "object" || value === null) return ONE;
  if (isEventBatch(value)) return { ...ONE, events: value.length };
  return (value as Sized)[SIZE] ?? ONE;
}

/**
 * Records the size of a new list or dict.
 *
 * @throws ActivityError `QUERY_TOO_LARGE`
 */
export function recordSize<V extends Value & object>(value: V, parts: Iterable<Value>, budget: QueryBudget): V {
  let nodes = 1;
  let events = 0;
  let depth = 0;
  for (const part of parts) {
    const size = sizeOf(part);
    nodes += size.nodes;
    events += size.events;
    depth = Math.max(depth, size.depth);
  }
  const size: Size = { nodes, events, depth: depth + 1 };
  budget.checkSize(size);
  (value as Sized)[SIZE] = size;
  return value;
}

/** Joins strings. @throws ActivityError `QUERY_TOO_LARGE` */
export function joinStrings(a: string, b: string, budget: QueryBudget): string {
  budget.checkSize({ ...ONE, nodes: (a.length + b.length) / CHARACTERS_PER_NODE });
  return a + b;
}
