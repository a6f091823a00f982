import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  byTime,
  counterAbove,
  type EventDraft,
  endOf,
  numbered,
  overlaps,
  positionOf,
  type StoredEvent,
} from "../../src/domain/event.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("event");

function eventOf(timestamp: number, duration = 0, id = 1): StoredEvent {
  return { id, timestamp, duration, data: {} };
}

const INFINITE = Number.POSITIVE_INFINITY;

/** An event from 10 to 20, and ranges. */
const RANGES: readonly (readonly [start: number, end: number, touches: boolean])[] = [
  [10, 20, true],
  [12, 15, true],
  [0, 100, true],
  [20, 30, true],
  [0, 10, true],
  [21, 30, false],
  [0, 9, false],
  [10, 10, true],
  [20, 20, true],
  [15, 15, true],
  [21, 21, false],
  [9, 9, false],
  [-INFINITE, INFINITE, true],
  [-INFINITE, 9, false],
  [-INFINITE, 10, true],
  [20, INFINITE, true],
  [21, INFINITE, false],
];

test("an event overlaps a range when it touches either end of it", () => {
  for (const [start, end, touches] of RANGES) {
    assert.is(overlaps(eventOf(10, 10), start, end), touches, `${start} to ${end}`);
  }
});

test("an event overlaps a range exactly when some instant is in both", () => {
  for (let timestamp = -3; timestamp <= 3; timestamp++) {
    for (let duration = 0; duration <= 4; duration++) {
      for (let start = -5; start <= 8; start++) {
        for (let end = start; end <= 9; end++) {
          let shared = false;
          for (let at = start; at <= end; at++) shared ||= at >= timestamp && at <= timestamp + duration;
          const what = `${timestamp}+${duration} and ${start} to ${end}`;
          assert.is(overlaps(eventOf(timestamp, duration), start, end), shared, what);
        }
      }
    }
  }
});

test("an event of negative length overlaps by its start and by its end, too", () => {
  // It starts at 20 and ends at 10.
  const cases = [
    [0, 9, false],
    [0, 15, false],
    [0, 20, true],
    [10, 20, true],
    [11, 20, false],
    [15, 30, false],
    [10, 19, false],
    [-INFINITE, INFINITE, true],
  ] as const;
  for (const [start, end, touches] of cases) {
    assert.is(overlaps(eventOf(20, -10), start, end), touches, `${start} to ${end}`);
  }
});

test("an event ends where its length leads", () => {
  assert.is(endOf(eventOf(10, 5)), 15);
  assert.is(endOf(eventOf(10, -15)), -5);
  assert.is(endOf(eventOf(10)), 10);
});

test("events are in order of their time, then of their id", () => {
  const events = [eventOf(5, 0, 3), eventOf(5, 9, 1), eventOf(-5, 0, 9), eventOf(0, 99, 2), eventOf(5, 0, 2)];
  const ids = [...events].sort(byTime).map(({ id }) => id);
  assert.equal(ids, [9, 2, 1, 2, 3]);
  assert.is(byTime(eventOf(5, 0, 3), eventOf(5, 7, 3)), 0);
  assert.ok(byTime(eventOf(-8.5e15, 0, 1), eventOf(8.8e15, 0, 1)) < 0);
  assert.ok(byTime(eventOf(1, 0, Number.MAX_SAFE_INTEGER), eventOf(1, 0, 1)) > 0);
});

test("the position of a point is behind all that come before it", () => {
  const random = randomOf(1);
  for (let round = 0; round < 300; round++) {
    const events = Array.from({ length: intOf(random, 0, 20) }, (_, index) =>
      eventOf(intOf(random, -4, 4), 0, 3 * index),
    );
    events.sort(byTime);
    for (let timestamp = -5; timestamp <= 5; timestamp++) {
      for (const id of [-INFINITE, 0, 1, 3, intOf(random, 0, 60), 57, 99, INFINITE]) {
        const before = events.filter((event) => byTime(event, eventOf(timestamp, 0, id)) < 0).length;
        assert.is(positionOf(events, timestamp, id), before);
      }
    }
  }
});

const LAST = Number.MAX_SAFE_INTEGER;
/** The first id that does not move the counter. */
const UNCOUNTED = LAST - 2 ** 32;

const COUNTERS: readonly (readonly [nextId: number, taken: readonly number[], expected: number])[] = [
  [1, [], 1],
  [1, [1], 2],
  [5, [1, 4], 5],
  [5, [5], 6],
  [5, [9, 7, 8], 10],
  [5, [7, 9, 8], 10],
  [5, [9, 9], 10],
  [5, [LAST], 5],
  [5, [UNCOUNTED], 5],
  [5, [UNCOUNTED - 1], UNCOUNTED],
  [5, [LAST, 20, UNCOUNTED, 10], 21],
];

test("the counter goes above the ids that are taken, but for the last 2^32 of all", () => {
  for (const [nextId, taken, expected] of COUNTERS) {
    assert.is(counterAbove(nextId, taken), expected, `${nextId} with ${taken}`);
    assert.is(counterAbove(nextId, new Set(taken)), expected, `${nextId} with a set of ${taken}`);
  }
});

const NUMBERED: readonly {
  readonly ids: readonly (number | undefined)[];
  readonly from: number;
  readonly given: readonly number[];
  readonly next: number;
}[] = [
  { ids: [], from: 4, given: [], next: 4 },
  { ids: [undefined], from: 1, given: [1], next: 2 },
  { ids: [undefined, undefined, undefined], from: 4, given: [4, 5, 6], next: 7 },
  { ids: [2], from: 4, given: [2], next: 4 },
  { ids: [4], from: 4, given: [4], next: 5 },
  { ids: [undefined, 4, undefined], from: 4, given: [5, 4, 6], next: 7 },
  { ids: [undefined, 9, 2, undefined], from: 4, given: [10, 9, 2, 11], next: 12 },
  { ids: [7, 7, undefined], from: 4, given: [7, 7, 8], next: 9 },
  { ids: [LAST, undefined, UNCOUNTED, undefined], from: 4, given: [LAST, 4, UNCOUNTED, 5], next: 6 },
];

for (const { ids, from, given, next } of NUMBERED) {
  test(`drafts with the ids ${ids.map((id) => id ?? "none").join()} get ${given.join()} from ${from} on`, () => {
    const drafts = ids.map((id, index): EventDraft => {
      return { timestamp: index, duration: -index, data: { index }, ...(id === undefined ? {} : { id }) };
    });
    const result = numbered(drafts, from);
    assert.equal(
      result.events,
      drafts.map((draft, index) => ({ ...draft, id: given[index] })),
    );
    assert.equal(
      result.givenIds,
      ids.filter((id) => id !== undefined),
    );
    assert.is(result.nextId, next);
  });
}

test("a new id is never one that the same call brings, however near the last ids those are", () => {
  for (const ids of [
    [UNCOUNTED, UNCOUNTED - 1],
    [UNCOUNTED - 1, UNCOUNTED, UNCOUNTED + 1],
    [LAST, LAST - 1],
  ]) {
    const drafts: EventDraft[] = ids.map((id) => ({ timestamp: 0, duration: 0, data: {}, id }));
    const fresh: EventDraft[] = Array.from({ length: 3 }, () => ({ timestamp: 0, duration: 0, data: {} }));
    const given = numbered([...drafts, ...fresh], 1).events.map(({ id }) => id);
    assert.is(new Set(given).size, given.length, `${given}`);
  }
});

test("a new id beyond those that count is never one that the bucket has", () => {
  const taken = new Set([UNCOUNTED, UNCOUNTED + 1, UNCOUNTED + 3]);
  const drafts = Array.from({ length: 3 }, () => ({ timestamp: 0, duration: 0, data: {} }));
  const { events, nextId } = numbered(drafts, UNCOUNTED, (id) => taken.has(id));
  assert.equal(
    events.map(({ id }) => id),
    [UNCOUNTED + 2, UNCOUNTED + 4, UNCOUNTED + 5],
  );
  assert.is(nextId, UNCOUNTED + 6);
});

test("events carry nothing but the four fields, and drafts are not changed", () => {
  const draft = Object.freeze({ timestamp: 1, duration: 2, data: Object.freeze({ a: 1 }), extra: true });
  const [event] = numbered([draft], 3).events;
  assert.equal(event, { id: 3, timestamp: 1, duration: 2, data: { a: 1 } });
  assert.is(event?.data, draft.data);
});

test.run();
