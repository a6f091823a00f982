import type { QueryBudget } from "./budget.js";
import { isEventBatch, type Value } from "./values.js";

/**
 * How much a value is when it is serialized or compared, whatever of it is shared: a list that holds the same list
 * twice counts that twice. So a program of a few lines cannot make a value that nobody gets to the end of.
 */
export interface Size {
  /** Lists, dicts, numbers and texts, and one more for every 32 characters of a text. */
  readonly nodes: number;
  readonly events: number;
  /** Levels of lists and dicts: serializing and comparing recurse. */
  readonly depth: number;
}

const CHARACTERS_PER_NODE = 32;
const ONE: Size = { nodes: 1, events: 0, depth: 0 };

/** Bytes of an event in columns: start, duration, id, and the reference to its data. */
const BYTES_PER_EVENT = 32;
/** Of a number, a short text, a list in a list. */
const BYTES_PER_NODE = 64;

/** Memory of a value, roughly: nothing that it shares with others is left out. */
export function bytesOf({ nodes, events }: Pick<Size, "nodes" | "events">): number {
  return nodes * BYTES_PER_NODE + events * BYTES_PER_EVENT;
}

/** Sizes of lists and dicts, noted when they are made. */
const sizes = new WeakMap<object, Size>();

/** The size of a value. */
export function sizeOf(value: Value): Size {
  if (typeof value === "string") return { ...ONE, nodes: 1 + value.length / CHARACTERS_PER_NODE };
  if (typeof value !== "object" || value === null) return ONE;
  if (isEventBatch(value)) return { ...ONE, events: value.length };
  return sizes.get(value) ?? ONE;
}

/**
 * Notes the size of a list or a dict that was made of other values.
 *
 * @throws ActivityError `QUERY_TOO_LARGE`
 */
export function sized<V extends Value & object>(value: V, parts: Iterable<Value>, budget: QueryBudget): V {
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
  budget.holds(size);
  sizes.set(value, size);
  return value;
}

/** Joins texts. @throws ActivityError `QUERY_TOO_LARGE` */
export function joinedText(a: string, b: string, budget: QueryBudget): string {
  budget.holds({ ...ONE, nodes: (a.length + b.length) / CHARACTERS_PER_NODE });
  return a + b;
}
