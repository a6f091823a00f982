import * as assert from "uvu/assert";
import type { EventList } from "../../src/domain/event-list.js";
import type { JsonObject } from "../../src/domain/json.js";
import { fromEvents, type ListedEvent, runSteps, type Steps, toEvent } from "../../src/transforms/list.js";
import { intOf } from "../contract/case.js";

/** An event of a table: start, end, and its data or a short name for `{ app: name }`. The id is its place from 1. */
export type Span = readonly [start: number, end: number, data?: string | JsonObject];

/** A list from spans. Equal names share one object. */
export function listOf(...spans: readonly Span[]): EventList {
  const named = new Map<string, JsonObject>();
  return fromEvents(
    spans.map(([start, end, data = "a"], at) => {
      if (typeof data === "string" && !named.has(data)) named.set(data, { app: data });
      const shared = typeof data === "string" ? (named.get(data) as JsonObject) : data;
      return { id: at + 1, timestamp: start, duration: end - start, data: shared };
    }),
  );
}

/** A list as spans, without ids. Data `{ app: name }` are shown as the name. */
export function spansOf(list: EventList): Span[] {
  return eventsOf(list).map(({ timestamp, duration, data }) => {
    const named = Object.keys(data).length === 1 && typeof data["app"] === "string";
    return [timestamp, timestamp + duration, named ? (data["app"] as string) : data];
  });
}

/** A list as objects. */
export function eventsOf(list: EventList): ListedEvent[] {
  return Array.from({ length: list.length }, (_, index) => toEvent(list, index));
}

/** The ids of a list, `null` where there is none. */
export function idsOf(list: EventList): (number | null)[] {
  return eventsOf(list).map(({ id }) => id);
}

/** Runs a transform and checks that no list that it was given has changed. */
export function apply<T>(transform: (...lists: EventList[]) => Steps<T>, ...lists: EventList[]): T {
  const before = lists.map((list) => structuredClone(eventsOf(list)));
  for (const { datas } of lists) for (const data of datas) Object.freeze(data);
  const result = runSteps(transform(...lists));
  assert.equal(lists.map(eventsOf), before, "an argument has changed");
  return result;
}

/** What random lists look like. */
export interface ListShape {
  readonly events: number;
  /** Largest start. @default 60 */
  readonly lastStart?: number;
  /** @default 0 */
  readonly shortest?: number;
  /** @default 12 */
  readonly longest?: number;
  /** @default false */
  readonly sorted?: boolean;
}

/** A list of few distinct data and of times that meet often; some of its data are equal without being one object. */
export function randomList(random: () => number, shape: ListShape): EventList {
  const { events, lastStart = 60, shortest = 0, longest = 12, sorted = false } = shape;
  const pool: JsonObject[] = ["a", "b", "c", "b"].map((app, at) => ({ app, title: at < 2 ? "x" : "y", n: [at % 2] }));
  pool.push({ title: "x" }, {}, { ...pool[0] });
  const made = Array.from({ length: events }, (_, at) => ({
    ...(random() < 0.8 && { id: at + 1 }),
    timestamp: intOf(random, 0, lastStart),
    duration: intOf(random, shortest, longest),
    data: pool[intOf(random, 0, pool.length - 1)] as JsonObject,
  }));
  if (sorted) made.sort((a, b) => a.timestamp - b.timestamp);
  return fromEvents(made);
}
