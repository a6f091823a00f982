import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type EventDraft, endOf, type StoredEvent } from "../../src/domain/event.js";
import { mergeHeartbeat } from "../../src/domain/heartbeat.js";
import { type JsonObject, sameJson } from "../../src/domain/json.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("mergeHeartbeat");

const APART = "apart";
const UNCHANGED = "unchanged";

/** A start and a length. */
type Span = readonly [timestamp: number, duration: number];

/**
 * docs/reference/compatibility.md#heartbeats; `merged` is the new length of `last`, or that nothing changes, or that a
 * new event begins.
 */
interface Case {
  readonly name: string;
  readonly last: Span;
  readonly beat: Span;
  readonly pulsetime: number;
  readonly merged: number | typeof APART | typeof UNCHANGED;
}

const CASES: readonly Case[] = [
  { name: "a gap below pulsetime merges", last: [0, 10], beat: [12, 0], pulsetime: 3, merged: 12 },
  { name: "a gap of exactly pulsetime merges", last: [0, 10], beat: [13, 0], pulsetime: 3, merged: 13 },
  { name: "a gap of a microsecond more does not merge", last: [0, 10], beat: [14, 0], pulsetime: 3, merged: APART },
  { name: "the length of the beat is added", last: [0, 10], beat: [13, 7], pulsetime: 3, merged: 20 },
  { name: "an event of no length can grow", last: [5, 0], beat: [8, 1], pulsetime: 3, merged: 4 },
  {
    name: "a beat at the end of the event merges with pulsetime 0",
    last: [0, 10],
    beat: [10, 5],
    pulsetime: 0,
    merged: 15,
  },
  {
    name: "a beat behind the end stays apart with pulsetime 0",
    last: [0, 10],
    beat: [11, 5],
    pulsetime: 0,
    merged: APART,
  },
  { name: "an overlapping beat merges with pulsetime 0", last: [0, 10], beat: [4, 9], pulsetime: 0, merged: 13 },
  { name: "a negative pulsetime demands that much overlap", last: [0, 10], beat: [8, 9], pulsetime: -2, merged: 17 },
  { name: "less overlap than demanded stays apart", last: [0, 10], beat: [9, 9], pulsetime: -2, merged: APART },
  {
    name: "an overlap demanded of a shorter event stays apart",
    last: [0, 1],
    beat: [0, 9],
    pulsetime: -2,
    merged: APART,
  },
  { name: "a beat inside changes nothing", last: [0, 10], beat: [3, 4], pulsetime: 3, merged: UNCHANGED },
  {
    name: "a beat that ends with the event changes nothing",
    last: [0, 10],
    beat: [3, 7],
    pulsetime: 3,
    merged: UNCHANGED,
  },
  { name: "a beat that ends a microsecond later extends", last: [0, 10], beat: [3, 8], pulsetime: 3, merged: 11 },
  { name: "the same beat again changes nothing", last: [0, 10], beat: [0, 10], pulsetime: 3, merged: UNCHANGED },
  {
    name: "a shorter beat at the same start does not shorten",
    last: [0, 10],
    beat: [0, 2],
    pulsetime: 3,
    merged: UNCHANGED,
  },
  { name: "a longer beat at the same start extends", last: [0, 10], beat: [0, 12], pulsetime: 3, merged: 12 },
  { name: "a beat that starts earlier stays apart", last: [5, 10], beat: [4, 0], pulsetime: 3, merged: APART },
  {
    name: "an earlier beat that covers the event stays apart",
    last: [5, 10],
    beat: [4, 99],
    pulsetime: 99,
    merged: APART,
  },
  { name: "an event of negative length is never extended", last: [5, -1], beat: [5, 1], pulsetime: 3, merged: APART },
  { name: "nor when the beat is the same", last: [5, -1], beat: [5, -1], pulsetime: 3, merged: APART },
  {
    name: "a beat of negative length inside changes nothing",
    last: [0, 10],
    beat: [5, -2],
    pulsetime: 3,
    merged: UNCHANGED,
  },
  { name: "a late beat of negative length may extend", last: [0, 10], beat: [13, -1], pulsetime: 3, merged: 12 },
  { name: "it cannot shorten", last: [0, 10], beat: [13, -8], pulsetime: 3, merged: UNCHANGED },
  { name: "it may reach before the start", last: [0, 10], beat: [1, -8], pulsetime: 3, merged: UNCHANGED },
  {
    name: "an endless pulsetime merges any later beat",
    last: [-9e14, 1],
    beat: [9e14, 0],
    pulsetime: 1e300,
    merged: 18e14,
  },
  { name: "times before 1970 merge alike", last: [-20, 5], beat: [-12, 1], pulsetime: 3, merged: 9 },
];

const DATA: JsonObject = { app: "a", list: [1, { x: 1 }] };

for (const { name, last, beat, pulsetime, merged } of CASES) {
  test(name, () => {
    const event: StoredEvent = Object.freeze({ id: 7, timestamp: last[0], duration: last[1], data: DATA });
    const found = mergeHeartbeat(event, { timestamp: beat[0], duration: beat[1], data: DATA }, pulsetime);
    if (merged === APART) assert.is(found, undefined);
    else if (merged === UNCHANGED) assert.is(found, event);
    else assert.equal(found, { ...event, duration: merged });
  });
}

test("equal data in another order merges, different data do not", () => {
  const event: StoredEvent = { id: 7, timestamp: 0, duration: 10, data: { a: 1, b: [true, null] } };
  const mergesWith = (data: JsonObject): boolean =>
    mergeHeartbeat(event, { timestamp: 0, duration: 11, data }, 5) !== undefined;
  assert.ok(mergesWith({ b: [true, null], a: 1.0 }));
  for (const data of [{}, { a: 1 }, { a: 1, b: [null, true] }, { a: 1, b: [1, null] }, { a: "1", b: [true, null] }]) {
    assert.not(mergesWith(data as JsonObject), JSON.stringify(data));
  }
});

test("the event keeps its id and its data, and the id of the beat does not count", () => {
  const event: StoredEvent = { id: 7, timestamp: 0, duration: 10, data: { a: 1 } };
  const merged = mergeHeartbeat(event, { id: 9, timestamp: 11, duration: 1, data: { a: 1 } }, 5);
  assert.equal(merged, { id: 7, timestamp: 0, duration: 12, data: { a: 1 } });
  assert.is(merged?.data, event.data);
  assert.is(event.duration, 10);
});

test("a draft without an id stays one", () => {
  const draft: EventDraft = { timestamp: 0, duration: 1, data: {} };
  assert.equal(mergeHeartbeat(draft, { timestamp: 2, duration: 0, data: {} }, 5), { ...draft, duration: 2 });
});

test("whatever merges covers both, is no longer than needed, and lies within pulsetime", () => {
  const random = randomOf(1);
  const counts = { merged: 0, apart: 0 };
  for (let round = 0; round < 20_000; round++) {
    const last: StoredEvent = { id: 1, timestamp: intOf(random, -9, 9), duration: intOf(random, -3, 12), data: {} };
    const data: JsonObject = random() < 0.9 ? {} : { other: true };
    const beat: EventDraft = { timestamp: intOf(random, -12, 30), duration: intOf(random, -3, 12), data };
    const pulsetime = intOf(random, -4, 8);
    const within = beat.timestamp - endOf(last) <= pulsetime && beat.timestamp >= last.timestamp;
    const merges = last.duration >= 0 && within && sameJson(last.data, data);
    const found = mergeHeartbeat(last, beat, pulsetime);
    assert.is(found !== undefined, merges, JSON.stringify({ last, beat, pulsetime }));
    counts[merges ? "merged" : "apart"]++;
    if (found === undefined) continue;
    assert.is(found.timestamp, last.timestamp);
    assert.is(endOf(found), Math.max(endOf(last), endOf(beat)));
    assert.is(found === last, endOf(beat) <= endOf(last));
  }
  assert.ok(counts.merged > 1_000 && counts.apart > 1_000, JSON.stringify(counts));
});

test.run();
