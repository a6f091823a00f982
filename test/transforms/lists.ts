import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import type { JsonObject } from "../../src/domain/json.js";
import { runSteps, type Steps } from "../../src/transforms/steps.js";
import { intOf } from "../contract/case.js";

/** An event of a table: start, end, and its data or a short name for `{ app: name }`. The id is its place from 1. */
export type Span = readonly [start: number, end: number, data?: string | JsonObject];

/** Spans from text such as `0..10 a, 14..20`: start, end, and a short name if there is one. */
export function spans(text: string): Span[] {
  return text.split(", ").map((each) => {
    const [range = "", name] = each.split(" ");
    const [start = Number.NaN, end = Number.NaN] = range.split("..").map((time) => Number(time.replaceAll("_", "")));
    return name === undefined ? [start, end] : [start, end, name];
  });
}

/** A list from spans. Equal names share one object. */
export function listOf(...spans: readonly Span[]): EventBatch {
  const named = new Map<string, JsonObject>();
  return EventBatch.from(
    spans.map(([start, end, data = "a"], at) => {
      if (typeof data === "string" && !named.has(data)) named.set(data, { app: data });
      const shared = typeof data === "string" ? (named.get(data) as JsonObject) : data;
      return { id: at + 1, timestamp: start, duration: end - start, data: shared };
    }),
  );
}

/** A list as spans, without ids. Data `{ app: name }` are shown as the name. */
export function spansOf(list: EventBatch): Span[] {
  return eventsOf(list).map(({ timestamp, duration, data }) => {
    const named = Object.keys(data).length === 1 && typeof data["app"] === "string";
    return [timestamp, timestamp + duration, named ? (data["app"] as string) : data];
  });
}

/** An event as an object. */
export interface ListedEvent {
  /** `null` when it has none: it was made of several. */
  readonly id: number | null;
  readonly timestamp: number;
  readonly duration: number;
  readonly data: JsonObject;
}

/** A list as objects. */
export function eventsOf(list: EventBatch): ListedEvent[] {
  return list.events().map((event) => ({ ...event, id: event.id || null }));
}

/** The ids of a list, `null` where there is none. */
export function idsOf(list: EventBatch): (number | null)[] {
  return eventsOf(list).map(({ id }) => id);
}

/** Runs a transform and checks that no list that it was given has changed. */
export function apply<T>(transform: (...lists: EventBatch[]) => Steps<T>, ...lists: EventBatch[]): T {
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
export function randomList(random: () => number, shape: ListShape): EventBatch {
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
  return EventBatch.from(made);
}
