import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import type { JsonObject } from "../../src/domain/json.js";
import { BatchBuilder, emptyBatch, pick, reversed } from "../../src/transforms/batches.js";
import { chunkEventsByKey } from "../../src/transforms/chunk.js";
import { categorize, prepareCategoryRules, prepareTagRules, tag } from "../../src/transforms/classify.js";
import { excludeKeyvals, filterKeyvals, filterKeyvalsRegex } from "../../src/transforms/filter.js";
import { flood } from "../../src/transforms/flood.js";
import { mergeEventsByKeys } from "../../src/transforms/merge.js";
import { periodIntersect, periodUnion } from "../../src/transforms/period.js";
import { simplifyWindowTitles } from "../../src/transforms/simplify.js";
import { sortByDuration, sortByTimestamp } from "../../src/transforms/sort.js";
import { splitUrlEvents } from "../../src/transforms/split-url.js";
import { runSteps, STEP_EVENTS, type Steps } from "../../src/transforms/steps.js";
import { mergeSubwatcherFields } from "../../src/transforms/subwatcher.js";
import { sumDurations } from "../../src/transforms/sum.js";
import { concat, unionNoOverlap } from "../../src/transforms/union.js";
import { randomOf } from "../contract/case.js";
import { eventsOf, idsOf, listOf, randomList, spans, spansOf } from "./lists.js";

const test = suite("batches");

test("a batch in which no event has an id has no column of ids", () => {
  const builder = new BatchBuilder();
  builder.add(5, 2, {}, 0);
  assert.is(builder.finish().ids, null);
  assert.is(new BatchBuilder().finish(), emptyBatch);
});

test("a builder takes more events than were expected", () => {
  for (const expected of [0, 1, 99, 100, 500]) {
    const builder = new BatchBuilder(expected);
    for (let at = 0; at < 100; at++) builder.add(at, 1, { at }, at < 50 ? 0 : at);
    assert.is(builder.length, 100);
    const list = builder.finish();
    assert.is(list.timestamps.length, 100);
    assert.is(list.datas.length, 100);
    assert.equal(
      eventsOf(list),
      Array.from({ length: 100 }, (_, at) => ({ id: at < 50 ? null : at, timestamp: at, duration: 1, data: { at } })),
    );
  }
});

test("events are picked in the order of the indexes, also more than once", () => {
  const list = listOf([0, 1, "a"], [2, 4, "b"], [5, 9, "c"]);
  const picked = runSteps(pick(list, new Uint32Array([2, 0, 2])));
  assert.equal(spansOf(picked), spans("5..9 c, 0..1 a, 5..9 c"));
  assert.equal(idsOf(picked), [3, 1, 3]);
  assert.is(runSteps(pick(list, new Uint32Array(0))), emptyBatch);
  assert.equal(idsOf(runSteps(reversed(list))), [3, 2, 1]);
});

const SLICES = 4;
const random = randomOf(21);
const ascending = randomList(random, { events: SLICES * STEP_EVENTS, lastStart: 1e9, sorted: true });
const shuffled = randomList(random, { events: SLICES * STEP_EVENTS, lastStart: 1e9 });
const names = Array.from({ length: 5_000 }, (_, at): JsonObject => ({ app: `app ${at % 40}`, title: `title ${at}` }));
const manyNames = withDatas((at) => names[at % 5_000] as JsonObject);
const notShared = withDatas((at) => ({ ...names[at % 5_000] }));

/** The ascending list with other data. */
function withDatas(dataAt: (at: number) => JsonObject): EventBatch {
  const { timestamps, durations, ids, datas } = ascending;
  return EventBatch.of({ timestamps, durations, ids, datas: datas.map((_, at) => dataAt(at)) });
}

const rules = Array.from({ length: 30 }, (_, at) => ({
  name: [`${at % 7}`],
  matches: (text: string) => text.endsWith(`${at}`),
}));

const PASSES: Readonly<Record<string, () => Steps<unknown>>> = {
  flood: () => flood(ascending, 5),
  periodIntersect: () => periodIntersect(ascending, shuffled),
  "periodIntersect with filters that come before": () => periodIntersect(listOf([2e9, 3e9]), ascending),
  periodUnion: () => periodUnion(ascending, emptyBatch),
  unionNoOverlap: () => unionNoOverlap(ascending, shuffled),
  concat: () => concat([ascending, shuffled]),
  sortByTimestamp: () => sortByTimestamp(shuffled),
  sortByDuration: () => sortByDuration(shuffled),
  mergeEventsByKeys: () => mergeEventsByKeys(ascending, ["app"]),
  chunkEventsByKey: () => chunkEventsByKey(ascending, "app"),
  sumDurations: () => sumDurations(ascending),
  filterKeyvals: () => filterKeyvals(ascending, "app", ["a"]),
  excludeKeyvals: () => excludeKeyvals(ascending, "app", ["a"]),
  filterKeyvalsRegex: () => filterKeyvalsRegex(ascending, "app", () => true),
  splitUrlEvents: () => splitUrlEvents(ascending),
  categorize: () => categorize(ascending, prepareCategoryRules(rules)),
  tag: () => tag(ascending, prepareTagRules(rules.map(({ matches }) => ({ name: "t", matches })))),
  simplifyWindowTitles: () => simplifyWindowTitles(ascending, "title"),
  mergeSubwatcherFields: () => mergeSubwatcherFields(ascending, shuffled, ["title"], "base_wins"),
};

for (const [name, start] of Object.entries(PASSES)) {
  test(`${name} pauses at least once in ${STEP_EVENTS} events`, () => {
    assert.ok(pausesOf(start()) >= SLICES - 1);
  });
}

test("there are more pauses where there is much to decide", () => {
  const testsPerEvent = rules.length;
  const pauses = pausesOf(categorize(manyNames, prepareCategoryRules(rules)));
  assert.ok(pauses >= (names.length * testsPerEvent) / 5_000, `${pauses} pauses`);
});

test("data that are not shared give the same results", () => {
  const passes: readonly ((list: EventBatch) => Steps<EventBatch>)[] = [
    (list) => mergeEventsByKeys(list, ["app", "title"]),
    (list) => filterKeyvals(list, "app", ["app 3", "app 7"]),
    (list) => excludeKeyvals(list, "title", ["title 1"]),
    (list) => categorize(list, prepareCategoryRules(rules)),
    (list) => flood(list, 5),
    (list) => chunkEventsByKey(list, "app"),
  ];
  for (const pass of passes) {
    assert.equal(eventsOf(runSteps(pass(notShared))), eventsOf(runSteps(pass(manyNames))));
  }
});

/** How often a computation pauses. */
function pausesOf(steps: Steps<unknown>): number {
  let pauses = 0;
  while (!steps.next().done) pauses++;
  return pauses;
}

test.run();
