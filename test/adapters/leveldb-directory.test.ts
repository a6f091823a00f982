import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compareKeys, Directory, keyOf, type OrderKey } from "../../adapters/leveldb/directory.js";
import {
  describe,
  entryRecord,
  mayHold,
  type SegmentEntry,
  segmentEntryFrom,
} from "../../adapters/leveldb/segment-entry.js";
import { Tail } from "../../adapters/leveldb/tail.js";
import { byTime, endOf, type StoredEvent } from "../../src/domain/event.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("leveldb directory");

function eventOf(id: number, timestamp: number, duration = 0): StoredEvent {
  return { id, timestamp, duration, data: {} };
}

/** Events in time order, many of them at equal times, some of negative length, a few very long. */
function randomEvents(random: () => number, count: number): StoredEvent[] {
  const lengthOf = (): number => (random() < 0.05 ? intOf(random, 0, 400) : intOf(random, -4, 8));
  const events = Array.from({ length: count }, (_, id) => eventOf(id + 1, intOf(random, 0, count), lengthOf()));
  return events.sort(byTime);
}

/** Segments of a few events each. */
function entriesOf(random: () => number, events: readonly StoredEvent[], firstNo = 0): SegmentEntry[] {
  const entries: SegmentEntry[] = [];
  for (let at = 0; at < events.length; ) {
    const part = events.slice(at, at + intOf(random, 1, 6));
    entries.push(describe(firstNo + entries.length, part, 100));
    at += part.length;
  }
  return entries;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Demands that a directory answers as a plain look at all of its entries does. */
function expectAs(directory: Directory, entries: readonly SegmentEntry[], random: () => number): void {
  assert.equal(directory.entries, entries);
  assert.is(
    directory.count,
    entries.reduce((sum, { count }) => sum + count, 0),
  );
  assert.is(directory.end, Math.max(...entries.map(({ ends }) => ends[1])));
  const last = entries.at(-1)?.last[0] ?? 0;
  for (let round = 0; round < 30; round++) {
    const key: OrderKey = [intOf(random, -2, last + 2), intOf(random, 0, 80)];
    assert.is(
      directory.indexBefore(key),
      entries.findLastIndex(({ first }) => compareKeys(first, key) <= 0),
    );
    const start = random() < 0.1 ? Number.NEGATIVE_INFINITY : intOf(random, -5, last + 9);
    const end = random() < 0.1 ? Number.POSITIVE_INFINITY : intOf(random, -5, last + 9);
    const touching = entries.filter(({ first, ends }) => first[0] <= end && ends[1] >= start).reverse();
    assert.equal(directory.overlapping(start, end), touching, `${start} to ${end}`);
  }
}

test("keys are compared by time, then by id", () => {
  const keys: readonly OrderKey[] = [
    [-5, 9],
    [0, 1],
    [0, 2],
    [0, 2 ** 53 - 1],
    [7, 1],
  ];
  for (const [index, a] of keys.entries()) {
    for (const [other, b] of keys.entries()) assert.is(Math.sign(compareKeys(a, b)), Math.sign(index - other));
  }
  assert.equal(keyOf(eventOf(3, 7, 1)), [7, 3]);
});

test("an empty directory finds nothing", () => {
  const directory = new Directory();
  assert.equal([directory.count, directory.end, directory.entries.length], [0, Number.NEGATIVE_INFINITY, 0]);
  assert.is(directory.indexBefore([0, 1]), -1);
  assert.equal(directory.overlapping(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY), []);
  directory.replace(undefined, []);
  assert.is(directory.count, 0);
});

test("a directory that loads its entries in any order answers as a plain look at all of them", () => {
  const random = randomOf(1);
  for (let round = 0; round < 60; round++) {
    const entries = entriesOf(random, randomEvents(random, intOf(random, 1, 80)));
    const directory = new Directory();
    directory.load(shuffled(entries, random));
    expectAs(directory, entries, random);
  }
});

test("with a limit, segments behind those that surely hold enough events are left out, and no other", () => {
  const random = randomOf(3);
  let leftOut = 0;
  for (let round = 0; round < 200; round++) {
    const events = randomEvents(random, intOf(random, 1, 80));
    const entries = entriesOf(random, events);
    const directory = new Directory();
    directory.load(entries);
    const [start, end] = [intOf(random, -5, 80), intOf(random, 0, 90)];
    const limit = intOf(random, 1, 12);
    const all = directory.overlapping(start, end);
    const found = directory.overlapping(start, end, limit);
    assert.equal(found, all.slice(0, found.length));
    leftOut += all.length - found.length;
    const wanted = events
      .filter((event) => event.timestamp <= end && endOf(event) >= start)
      .reverse()
      .slice(0, limit);
    const [oldest] = found.at(-1)?.first ?? [Number.POSITIVE_INFINITY];
    assert.ok(
      wanted.every(({ timestamp }) => timestamp >= oldest),
      `round ${round}: an event of the newest ${limit} is missed`,
    );
  }
  assert.ok(leftOut > 100);
});

test("a long segment far back is found behind others that end early", () => {
  const directory = new Directory();
  const long = describe(0, [eventOf(1, 0, 1_000)], 1);
  const short = Array.from({ length: 9 }, (_, index) => describe(index + 1, [eventOf(index + 2, 10 + index)], 1));
  directory.load([long, ...short]);
  assert.equal(directory.overlapping(500, 600), [long]);
  assert.equal(directory.overlapping(18, 600), [short[8], long]);
  assert.equal(directory.overlapping(1_001, 2_000), []);
  directory.replace(long, [describe(20, [eventOf(1, 0, 5)], 1)]);
  assert.equal(directory.overlapping(500, 600), []);
});

test("segments that are replaced, split, dropped and put between others keep a directory right", () => {
  const random = randomOf(2);
  for (let round = 0; round < 40; round++) {
    const directory = new Directory();
    let entries: SegmentEntry[] = [];
    // All events of a place, so that a segment can be made of others there.
    let places: StoredEvent[][] = [];
    const events = randomEvents(random, 120);
    for (let at = 0; at < events.length; at += 6) places.push(events.slice(at, at + 6));
    places = shuffled(places, random);
    for (let step = 0; step < 60; step++) {
      const old = random() < 0.6 ? entries[intOf(random, 0, entries.length - 1)] : undefined;
      const place = old === undefined ? places.pop() : events.filter((event) => inside(event, old));
      if (place === undefined) continue;
      const dropped = old !== undefined && random() < 0.3;
      const fresh = dropped
        ? []
        : entriesOf(
            random,
            place.filter(() => random() < 0.9),
            1_000 * step,
          );
      directory.replace(old, fresh);
      entries = [...entries.filter((entry) => entry !== old), ...fresh].sort((a, b) => compareKeys(a.first, b.first));
      expectAs(directory, entries, random);
    }
  }
});

function inside(event: StoredEvent, { first, last }: SegmentEntry): boolean {
  return compareKeys(keyOf(event), first) >= 0 && compareKeys(keyOf(event), last) <= 0;
}

test("an entry describes its events", () => {
  const events = [eventOf(7, 0, 100), eventOf(3, 5, -20), eventOf(4, 5, 0)];
  assert.equal(describe(9, events, 77), {
    segmentNo: 9,
    count: 3,
    first: [0, 7],
    last: [5, 4],
    ends: [-15, 100],
    ids: [
      [3, 4],
      [7, 7],
    ],
    bytes: 77,
  });
});

/** How many ids ranges take in. */
function covered(ranges: readonly (readonly [number, number])[]): number {
  return ranges.reduce((sum, [low, high]) => sum + high - low + 1, 0);
}

/** The fewest ids that up to four ranges around ascending ids can take in. */
function fewestCovered(ids: readonly number[], ranges = 4): number {
  const whole = (ids.at(-1) as number) - (ids[0] as number) + 1;
  if (ranges === 1) return whole;
  const cuts = ids.slice(1).map((_, index) => {
    const head = (ids[index] as number) - (ids[0] as number) + 1;
    return head + fewestCovered(ids.slice(index + 1), ranges - 1);
  });
  return Math.min(whole, ...cuts);
}

test("at most four ranges hold every id, and as few others as four ranges can", () => {
  const random = randomOf(3);
  for (let round = 0; round < 200; round++) {
    const spread = 2 ** intOf(random, 1, 52);
    const count = intOf(random, 1, Math.min(spread, 12));
    const ids = new Set<number>();
    while (ids.size < count) ids.add(intOf(random, 1, spread));
    const entry = describe(
      0,
      Array.from(ids, (id, index) => eventOf(id, index)),
      1,
    );
    assert.ok(entry.ids.length <= 4);
    assert.ok([...ids].every((id) => mayHold(entry, id)));
    const flat = entry.ids.flat();
    assert.equal(
      flat,
      [...flat].sort((a, b) => a - b),
    );
    const sorted = [...ids].sort((a, b) => a - b);
    assert.is(covered(entry.ids), fewestCovered(sorted), `${sorted}`);
    for (const id of [0, spread + 1, flat[0] as number, (flat.at(-1) as number) + 1]) {
      assert.is(
        mayHold(entry, id),
        entry.ids.some(([low, high]) => id >= low && id <= high),
      );
    }
  }
});

test("ids in one row make one range, however the events are ordered", () => {
  const random = randomOf(4);
  const ids = shuffled(
    Array.from({ length: 1_000 }, (_, index) => index + 5),
    random,
  );
  const entry = describe(
    0,
    ids.map((id, index) => eventOf(id, index)),
    1,
  );
  assert.equal(entry.ids, [[5, 1_004]]);
  assert.equal(
    [4, 5, 1_004, 1_005].map((id) => mayHold(entry, id)),
    [false, true, true, false],
  );
});

test("an entry comes back from its record, and a damaged record is refused by the number of the segment", () => {
  const entry = describe(9, [eventOf(7, 0, 100), eventOf(2 ** 53 - 1, 5, -20)], 77);
  const record = JSON.parse(JSON.stringify(entryRecord(entry)));
  assert.not("segmentNo" in record);
  assert.equal(segmentEntryFrom(9, record), entry);
  for (const change of [{ count: 0 }, { count: -1 }, { count: undefined }, { ids: [] }, { first: [] }, { ends: [1] }]) {
    assert.throws(() => segmentEntryFrom(9, { ...record, ...change }), "segment 9 has a damaged directory entry");
  }
  for (const record of [null, {}, [], 5, "x", { count: 1 }]) assert.throws(() => segmentEntryFrom(9, record));
});

/** Demands that a tail holds exactly these events, with these weights. */
function expectTail(tail: Tail, held: ReadonlyMap<number, readonly [StoredEvent, number]>): void {
  const events = Array.from(held.values(), ([event]) => event).sort(byTime);
  assert.equal(tail.events, events);
  assert.is(
    tail.weight,
    Array.from(held.values()).reduce((sum, [, weight]) => sum + weight, 0),
  );
  assert.is(tail.end, Math.max(Number.NEGATIVE_INFINITY, ...events.map(endOf)));
  for (let id = 0; id <= 41; id++) {
    assert.is(tail.get(id), held.get(id)?.[0]);
    assert.is(tail.weightOf(id), held.get(id)?.[1] ?? 0);
  }
}

test("a tail that events enter, change, and leave one by one or many at once stays right", () => {
  const random = randomOf(5);
  for (let round = 0; round < 60; round++) {
    const tail = new Tail();
    const held = new Map<number, readonly [StoredEvent, number]>();
    expectTail(tail, held);
    for (let step = 0; step < 80; step++) {
      const id = intOf(random, 1, 40);
      const kind = random();
      if (kind < 0.7) {
        const before = held.get(id)?.[0];
        const timestamp = before !== undefined && random() < 0.5 ? before.timestamp : intOf(random, -9, 9);
        const event = eventOf(id, timestamp, intOf(random, -5, 12));
        const weight = intOf(random, 1, 99);
        tail.put(event, weight);
        held.set(id, [event, weight]);
      } else if (kind < 0.9) {
        tail.remove(id);
        held.delete(id);
      } else {
        const leaving = tail.events.filter(() => random() < 0.4);
        tail.removeAll(leaving);
        for (const event of leaving) held.delete(event.id);
      }
      // Without looking at it each time, the end is also asked for after several changes.
      if (random() < 0.6) expectTail(tail, held);
    }
  }
});

test.run();
