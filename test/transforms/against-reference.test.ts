// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import { sameJson } from "../../src/domain/json.js";
import { emptyBatch } from "../../src/transforms/batches.js";
import { chunkEventsByKey } from "../../src/transforms/chunk.js";
import { flood } from "../../src/transforms/flood.js";
import { mergeEventsByKeys } from "../../src/transforms/merge.js";
import { periodIntersect, periodUnion } from "../../src/transforms/period.js";
import { sortByDuration, sortByTimestamp } from "../../src/transforms/sort.js";
import { runSteps, STEP_EVENTS, type Steps } from "../../src/transforms/steps.js";
import { mergeSubwatcherFields } from "../../src/transforms/subwatcher.js";
import { sumDurations } from "../../src/transforms/sum.js";
import { concat, unionNoOverlap } from "../../src/transforms/union.js";
import { intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import type { ListedEvent } from "./lists.js";
import { apply, eventsOf, type ListShape, randomList } from "./lists.js";
import * as reference from "./reference.js";

const test = suite("transforms against slow references");

const ROUNDS = sizeOf("TRANSFORM_ROUNDS", { short: 80, long: 240 });
/** Longer than a slice, so that what goes on across a pause is covered. */
const LONG = STEP_EVENTS + 777;

function same(actual: EventBatch, expected: readonly ListedEvent[], about: string): void {
  const events = eventsOf(actual);
  assert.is(events.length, expected.length, about);
  for (const [at, event] of events.entries()) {
    const wanted = expected[at] as ListedEvent;
    const equal =
      event.timestamp === wanted.timestamp &&
      event.duration === wanted.duration &&
      event.id === wanted.id &&
      sameJson(event.data, wanted.data);
    if (!equal) assert.equal(event, wanted, `${about}, event ${at}`);
  }
}

interface Pair {
  readonly name: string;
  /** How many lists it takes. */
  readonly takes: 1 | 2;
  readonly ours: (a: EventBatch, b: EventBatch) => Steps<EventBatch>;
  readonly slow: (a: readonly ListedEvent[], b: readonly ListedEvent[]) => ListedEvent[];
}

/** Makes some overlaps of small numbers slivers of less than 0.1 s, and others longer. */
const COARSE = 40_000;

function scaled({ length, timestamps, durations, ids, datas }: EventBatch, factor: number): EventBatch {
  const times = (column: Float64Array): Float64Array => column.map((value) => value * factor);
  return length === 0
    ? emptyBatch
    : EventBatch.of({ timestamps: times(timestamps), durations: times(durations), ids, datas });
}

const PAIRS: readonly Pair[] = [
  ...[0, 1, 5, 7].map(
    (pulse): Pair => ({
      name: `flood ${pulse}`,
      takes: 1,
      ours: (a) => flood(a, pulse),
      slow: (a) => reference.flooded(a, pulse),
    }),
  ),
  {
    name: "flood of overlaps that are longer than slivers",
    takes: 1,
    ours: (a) => flood(scaled(a, COARSE), 5 * COARSE),
    slow: (a) => {
      const coarse = a.map((event) => ({
        ...event,
        timestamp: event.timestamp * COARSE,
        duration: event.duration * COARSE,
      }));
      return reference.flooded(coarse, 5 * COARSE);
    },
  },
  { name: "periodIntersect", takes: 2, ours: periodIntersect, slow: reference.intersected },
  { name: "periodUnion", takes: 2, ours: periodUnion, slow: reference.unitedPeriods },
  { name: "unionNoOverlap", takes: 2, ours: unionNoOverlap, slow: reference.unitedNoOverlap },
  { name: "concat", takes: 2, ours: (a, b) => concat([a, b, a]), slow: (a, b) => [...a, ...b, ...a] },
  { name: "sortByTimestamp", takes: 1, ours: sortByTimestamp, slow: reference.sortedByTimestamp },
  { name: "sortByDuration", takes: 1, ours: sortByDuration, slow: reference.sortedByDuration },
  ...[["app"], ["title", "app"], ["n", "app", "title"], ["zzz", "n"], ["zzz"], []].map(
    (keys): Pair => ({
      name: `mergeEventsByKeys ${keys}`,
      takes: 1,
      ours: (a) => mergeEventsByKeys(a, keys),
      slow: (a) => reference.merged(a, keys),
    }),
  ),
  ...["app", "n", "zzz"].map(
    (key): Pair => ({
      name: `chunkEventsByKey ${key}`,
      takes: 1,
      ours: (a) => chunkEventsByKey(a, key),
      slow: (a) => reference.chunked(a, key),
    }),
  ),
  ...(
    [
      ["base_wins", ["n", "title"]],
      ["sub_wins", ["n", "title"]],
      ["sub_wins", ["app"]],
    ] as const
  ).map(
    ([conflict, keys]): Pair => ({
      name: `mergeSubwatcherFields ${conflict} ${keys}`,
      takes: 2,
      ours: (a, b) => mergeSubwatcherFields(a, b, keys, conflict),
      slow: (a, b) => reference.enriched(a, b, { keys, subWins: conflict === "sub_wins" }),
    }),
  ),
];

const SHAPES: readonly Omit<ListShape, "events">[] = [
  {},
  { sorted: true },
  { sorted: true, longest: 3 },
  { lastStart: 8, longest: 3 },
  { shortest: -4 },
  { longest: 0 },
];

for (const { name, takes, ours, slow } of PAIRS) {
  test(`${name} gives the same as its reference`, () => {
    const random = randomOf(7);
    for (let round = 0; round < ROUNDS; round++) {
      const shape = SHAPES[round % SHAPES.length] as ListShape;
      const a = randomList(random, { ...shape, events: intOf(random, 0, 30) });
      const b = randomList(random, { ...shape, events: intOf(random, 0, 30) });
      const result = takes === 1 ? apply((list) => ours(list, list), a) : apply(ours, a, b);
      same(result, slow(eventsOf(a), eventsOf(b)), `round ${round}`);
    }
  });

  test(`${name} gives the same as its reference on long lists`, () => {
    const random = randomOf(11);
    const sorted = intOf(random, 0, 1) === 1;
    const a = randomList(random, { events: LONG, lastStart: 6 * LONG, sorted });
    // The slow way of mergeSubwatcherFields is quadratic.
    const count = name.startsWith("mergeSub") ? 40 : LONG;
    const b = randomList(random, { events: count, lastStart: 6 * LONG, longest: (6 * LONG) / count });
    same(runSteps(ours(a, b)), slow(eventsOf(a), eventsOf(b)), name);
  });
}

test("mergeSubwatcherFields cuts one event into more slices than lie between two pauses", () => {
  const random = randomOf(12);
  const base = randomList(random, { events: 2, lastStart: 3, shortest: 5 * LONG, longest: 6 * LONG });
  const sub = randomList(random, { events: LONG, lastStart: 6 * LONG });
  const fast = runSteps(mergeSubwatcherFields(base, sub, ["n"], "sub_wins"));
  assert.ok(fast.length > STEP_EVENTS);
  same(fast, reference.enriched(eventsOf(base), eventsOf(sub), { keys: ["n"], subWins: true }), "sub_wins");
});

/** Time that some events cover, each instant once. */
function covered(...lists: EventBatch[]): number {
  return runSteps(sumDurations(runSteps(periodUnion(runSteps(concat(lists)), runSteps(concat([]))))));
}

test("totals add up", () => {
  const random = randomOf(13);
  for (let round = 0; round < ROUNDS; round++) {
    const a = runSteps(flood(randomList(random, { events: intOf(random, 0, 30) }), 5));
    const b = randomList(random, { events: intOf(random, 0, 30) });
    const apart = runSteps(periodUnion(b, b));
    const sum = (list: EventBatch): number => runSteps(sumDurations(list));
    const both = runSteps(periodIntersect(runSteps(periodUnion(a, a)), apart));
    assert.is(sum(both), covered(a) + covered(b) - covered(a, b), "intersection and union");
    const pieces = runSteps(periodIntersect(b, apart));
    assert.ok(sum(pieces) <= sum(b), "pieces are no longer than what they are cut from");
    const withAll = eventsOf(a).filter(({ data }) => Object.hasOwn(data, "app"));
    const groups = runSteps(mergeEventsByKeys(a, ["app"]));
    assert.is(
      sum(groups),
      withAll.reduce((total, { duration }) => total + duration, 0),
      "groups",
    );
    // Not more: of several events that one of the first list covers only the first gives way (contract 5.6).
    const union = runSteps(unionNoOverlap(runSteps(periodUnion(a, a)), apart));
    assert.ok(sum(union) >= covered(a, b), "union without overlap");
    assert.is(covered(union), covered(a, b), "union without overlap");
    assert.is(sum(runSteps(concat([a, b]))), sum(a) + sum(b), "concat");
    assert.is(sum(runSteps(sortByDuration(b))), sum(b), "sort");
  }
});

test("what flood gives ascends, has lengths and never overlaps", () => {
  const random = randomOf(14);
  for (let round = 0; round < ROUNDS; round++) {
    const list = scaled(randomList(random, { events: intOf(random, 0, 40) }), round % 2 === 0 ? 1 : COARSE);
    const result = runSteps(flood(list, 5));
    for (let at = 0; at < result.length; at++) {
      assert.ok((result.durations[at] as number) > 0);
      if (at > 0) assert.ok((result.timestamps[at] as number) >= result.endAt(at - 1));
    }
  }
});

test.run();
