import { isDeepStrictEqual } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Operation } from "../../adapters/leveldb/database.js";
import { compareKeys, keyOf } from "../../adapters/leveldb/directory.js";
import { divide, fold, nextFold, sealRun, wantsFold } from "../../adapters/leveldb/fold.js";
import { placeIn } from "../../adapters/leveldb/place.js";
import { type Block, decodeSegment, eventsOf } from "../../adapters/leveldb/segment.js";
import { describe, type SegmentEntry } from "../../adapters/leveldb/segment-entry.js";
import { Shelf } from "../../adapters/leveldb/shelf.js";
import { byTime, type StoredEvent } from "../../src/domain/event.js";
import { bucketOf, idsOf, intOf, randomOf } from "../contract/case.js";

const test = suite("leveldb fold");

function eventOf(id: number, timestamp: number, title = ""): StoredEvent {
  return { id, timestamp, duration: 1, data: title === "" ? {} : { title } };
}

/** Events one after another, with ids to match. */
function rowOf(start: number, count: number, title?: string): StoredEvent[] {
  return Array.from({ length: count }, (_, index) => eventOf(start + index, start + index, title));
}

interface Contents {
  readonly sealed?: readonly (readonly StoredEvent[])[];
  readonly tail?: readonly StoredEvent[];
}

function shelfOf({ sealed = [], tail = [] }: Contents): Shelf {
  const shelf = new Shelf(1, bucketOf("window"));
  for (const events of sealed) shelf.seal(events);
  shelf.putInTail(tail);
  return shelf;
}

/** Reads a segment that is not written yet; in these tests none ever is. */
function blockOf(shelf: Shelf, entry: SegmentEntry): Block {
  const bytes = shelf.unwritten.get(entry);
  assert.ok(bytes, `segment ${entry.segmentNo} is not there`);
  return decodeSegment(bytes);
}

/** So many of the newest events stay in the tail. */
const KEPT = 128;
const HALF_KIB = "x".repeat(512);

test("a tail is to be folded when it has many events, or large ones", () => {
  assert.not(wantsFold(shelfOf({})));
  assert.not(wantsFold(shelfOf({ tail: rowOf(1, 1024) })));
  assert.ok(wantsFold(shelfOf({ tail: rowOf(1, 1025) })));
  const large = "x".repeat(1024 * 1024);
  assert.not(wantsFold(shelfOf({ tail: rowOf(1, 1, large.repeat(3)) })));
  assert.not(wantsFold(shelfOf({ tail: rowOf(1, 1, large) })));
  assert.ok(wantsFold(shelfOf({ tail: rowOf(1, 2, large) })));
});

/** Each segment has ids equal to its times. What is folded, and with which segment. */
const STEPS: readonly (Contents & {
  readonly name: string;
  readonly partnerId?: number;
  readonly folded: readonly number[];
  /** First id of the target. */
  readonly target?: number;
})[] = [
  { name: "the newest events stay", tail: rowOf(1, KEPT), folded: [] },
  { name: "nothing is in the tail", sealed: [rowOf(1, 5)], folded: [] },
  { name: "what is older than those is folded", tail: rowOf(1, KEPT + 300), folded: range(1, 300) },
  { name: "the partner stays, too", tail: rowOf(1, KEPT + 300), partnerId: 7, folded: range(1, 300, 7) },
  { name: "of a partner alone nothing is folded", tail: rowOf(1, KEPT + 1), partnerId: 1, folded: [] },
  { name: "of large events fewer stay", tail: rowOf(1, KEPT, HALF_KIB.repeat(8)), folded: range(1, KEPT - 63) },
  { name: "the newest event stays however large it is", tail: rowOf(1, 3, HALF_KIB.repeat(999)), folded: [1, 2] },
  { name: "at most 4096 events are folded at once", tail: rowOf(1, KEPT + 5000), folded: range(1, 4096) },
  {
    name: "a long row between two segments becomes one of its own",
    sealed: [rowOf(1, 9), rowOf(901, 9)],
    tail: [...rowOf(100, 256), ...rowOf(2000, KEPT)],
    folded: range(100, 355),
  },
  {
    name: "a short row joins the segment before it",
    sealed: [rowOf(1, 9), rowOf(901, 9)],
    tail: [...rowOf(100, 255), ...rowOf(2000, KEPT)],
    folded: range(100, 354),
    target: 1,
  },
  {
    name: "a short row in front of all segments joins the first",
    sealed: [rowOf(500, 9), rowOf(901, 9)],
    tail: [...rowOf(100, 20), ...rowOf(2000, KEPT)],
    folded: range(100, 119),
    target: 500,
  },
  {
    name: "a short row behind all segments joins the last",
    sealed: [rowOf(1, 9), rowOf(500, 9)],
    tail: rowOf(1000, 20 + KEPT),
    folded: range(1000, 1019),
    target: 500,
  },
  {
    name: "a row goes up to the next segment only",
    sealed: [rowOf(1, 9), rowOf(150, 9)],
    tail: [...rowOf(140, 9), ...rowOf(160, 400), ...rowOf(2000, KEPT)],
    folded: range(140, 148),
    target: 1,
  },
  {
    name: "a short row of large events becomes a segment of its own",
    sealed: [rowOf(1, 9)],
    tail: [...rowOf(100, 255, HALF_KIB), ...rowOf(2000, KEPT)],
    folded: range(100, 354),
  },
  {
    name: "events inside a segment are merged with it, and those up to the next one with them",
    sealed: [[eventOf(1, 1), eventOf(500, 500)], rowOf(901, 9)],
    tail: [...rowOf(100, 300), ...rowOf(600, 10), ...rowOf(920, 5), ...rowOf(2000, KEPT)],
    folded: [...range(100, 399), ...range(600, 609)],
    target: 1,
  },
];

function range(first: number, last: number, without?: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((id) => id !== without);
}

for (const { name, sealed, tail, partnerId, folded, target } of STEPS) {
  test(`next fold: ${name}`, () => {
    const shelf = shelfOf({ ...(sealed && { sealed }), ...(tail && { tail }) });
    shelf.partnerId = partnerId;
    const step = nextFold(shelf);
    assert.equal(idsOf(step?.events ?? []), folded);
    assert.is(step?.target?.first[1], target);
    assert.is(step === undefined, folded.length === 0);
  });
}

test("next fold: a full neighbour is passed over", () => {
  const tail = [...rowOf(5_000, 20), ...rowOf(20_000, KEPT)];
  const full = describe(0, rowOf(1, 1_537), 1_000);
  const heavy = describe(1, rowOf(6_000, 3), 512 * 1024 + 1);
  const roomy = describe(2, rowOf(6_000, 1_536), 512 * 1024);
  const targetOf = (...entries: readonly SegmentEntry[]): SegmentEntry | undefined => {
    const shelf = new Shelf(1, bucketOf("window"));
    shelf.load(entries);
    shelf.putInTail(tail);
    return nextFold(shelf)?.target;
  };
  assert.is(targetOf(full, roomy), roomy);
  assert.is(targetOf(full, heavy), undefined);
  assert.is(targetOf(full), undefined);
  assert.is(targetOf(heavy), undefined);
});

/** Demands that segments do not overlap and that each event is there once. */
function expectWhole(shelf: Shelf, events: ReadonlyMap<number, StoredEvent>): void {
  const { entries } = shelf.directory;
  const found = [...shelf.tail.events];
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    if (before !== undefined) assert.ok(compareKeys(before.last, entry.first) < 0, `segment ${index} overlaps`);
    const content = eventsOf(blockOf(shelf, entry));
    assert.equal(entry, describe(entry.segmentNo, content, entry.bytes));
    found.push(...content);
  }
  assert.is(found.length, events.size);
  assert.is(shelf.count, events.size);
  for (const event of found)
    if (!isDeepStrictEqual(event, events.get(event.id))) assert.equal(event, events.get(event.id));
}

/** The keys that operations leave in a database. */
function apply(keys: Set<string>, operations: readonly Operation[]): void {
  for (const { type, key } of operations) {
    if (type === "put") keys.add(key);
    else assert.ok(keys.delete(key), `${key} was deleted, but is not there`);
  }
}

test("folding loses and repeats no event, whatever the tail and the segments are", () => {
  for (const seed of [1, 2, 3]) {
    const random = randomOf(seed);
    const shelf = new Shelf(1, bucketOf("window"));
    const events = new Map<number, StoredEvent>();
    const keys = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const [from, spread] = [intOf(random, 0, 20_000), 10 ** intOf(random, 2, 5)];
      const fresh = Array.from({ length: intOf(random, 1, 1_200) }, (_, index) =>
        eventOf(events.size + index + 1, from + intOf(random, 0, spread), "t".repeat(intOf(random, 0, 90))),
      ).sort(byTime);
      for (const event of fresh) events.set(event.id, event);
      const { runs, loose } = random() < 0.5 ? divide(shelf, fresh) : { runs: [], loose: fresh };
      apply(keys, shelf.putInTail(loose));
      for (const run of runs) apply(keys, shelf.seal(run));
      expectWhole(shelf, events);
      const partner = shelf.tail.events[intOf(random, 0, shelf.tail.events.length - 1)];
      shelf.partnerId = partner?.id;
      for (let step = nextFold(shelf); step !== undefined && random() < 0.95; step = nextFold(shelf)) {
        const kept = new Set(idsOf(shelf.tail.events.slice(-KEPT)));
        assert.ok(step.events.every(({ id }) => id !== shelf.partnerId && !kept.has(id)));
        apply(keys, fold(shelf, step, step.target && blockOf(shelf, step.target)));
        expectWhole(shelf, events);
      }
      assert.ok(partner === undefined || shelf.tail.get(partner.id) === partner);
    }
    assert.is(keys.size, shelf.tail.events.length + 2 * shelf.directory.entries.length);
    assert.ok(shelf.directory.entries.length > 3, `${shelf.directory.entries.length} segments`);
  }
});

/** Events that lie in no segment, by the number of segments in front of them; and all others. */
function naivelyDivided(shelf: Shelf, events: readonly StoredEvent[]): { runs: StoredEvent[][]; loose: number[] } {
  const newestInTail = shelf.tail.events.at(-1);
  const newest = events.at(-1) as StoredEvent;
  const keepsNewest = newestInTail === undefined || byTime(newestInTail, newest) < 0;
  const places = new Map<number, StoredEvent[]>();
  for (const event of events) {
    const key = keyOf(event);
    const { entries } = shelf.directory;
    const inside = entries.some(({ first, last }) => compareKeys(first, key) <= 0 && compareKeys(key, last) <= 0);
    if (inside || (event === newest && keepsNewest)) continue;
    const place = entries.filter(({ first }) => compareKeys(first, key) <= 0).length;
    places.set(place, [...(places.get(place) ?? []), event]);
  }
  const runs = [...places.values()].filter(({ length }) => length >= 256);
  const sealed = new Set(runs.flat());
  return { runs, loose: idsOf(events.filter((event) => !sealed.has(event))) };
}

test("new events are divided as a plain look at all segments divides them", () => {
  const random = randomOf(4);
  const seen = { runs: 0, loose: 0 };
  for (let round = 0; round < 80; round++) {
    const edges = Array.from({ length: 2 * intOf(random, 0, 4) }, () => intOf(random, 0, 4_000)).sort((a, b) => a - b);
    const sealed: StoredEvent[][] = [];
    for (let at = 0; at + 1 < edges.length; at += 2) {
      // Ids between those of the new events: order within one instant counts.
      sealed.push(
        [eventOf(at + 1_000.5, edges[at] as number), eventOf(at + 1_001.5, edges[at + 1] as number)].sort(byTime),
      );
    }
    const disjoint = sealed.filter(
      (events, index) => byTime(sealed[index - 1]?.[1] ?? eventOf(0, -1), events[0] as StoredEvent) < 0,
    );
    const shelf = new Shelf(1, bucketOf("window"));
    shelf.load(disjoint.map((events, index) => describe(index, events, 100)));
    if (random() < 0.5) shelf.putInTail([eventOf(1_000_000, intOf(random, 0, 4_100))]);
    const events = Array.from({ length: intOf(random, 256, 2_000) }, (_, id) =>
      eventOf(id + 1, intOf(random, 0, 4_000)),
    );
    events.sort(byTime);
    const expected = naivelyDivided(shelf, events);
    const found = divide(shelf, events);
    assert.equal(found.runs.map(idsOf), expected.runs.map(idsOf));
    assert.equal(
      idsOf(found.loose).sort((a, b) => a - b),
      expected.loose.sort((a, b) => a - b),
    );
    seen.runs += found.runs.length;
    seen.loose += found.loose.length;
  }
  assert.ok(seen.runs > 50 && seen.loose > 5_000, JSON.stringify(seen));
});

test("few new events all belong to the tail, and the newest of many does", () => {
  const shelf = shelfOf({});
  assert.equal(divide(shelf, rowOf(1, 255)), { runs: [], loose: rowOf(1, 255) });
  assert.equal(divide(shelf, rowOf(1, 256)).runs, []);
  const { runs, loose } = divide(shelf, rowOf(1, 257));
  assert.equal([runs.map(({ length }) => length), idsOf(loose)], [[256], [257]]);
  const older = divide(shelfOf({ tail: [eventOf(9_000, 9_000)] }), rowOf(1, 256));
  assert.equal([older.runs.map(({ length }) => length), older.loose], [[256], []]);
});

test("a run is sealed with what else of the tail lies between its neighbours, but not with the partner", () => {
  const shelf = shelfOf({
    sealed: [rowOf(1, 9), rowOf(9_001, 9)],
    tail: [eventOf(5_001, 5), eventOf(5_002, 50), eventOf(5_003, 60), eventOf(5_004, 8_000), eventOf(5_005, 9_500)],
  });
  shelf.partnerId = 5_003;
  sealRun(shelf, rowOf(100, 300));
  const entry = shelf.directory.entries[1] as SegmentEntry;
  assert.equal(idsOf(eventsOf(blockOf(shelf, entry))), [5_002, ...range(100, 399), 5_004]);
  assert.equal(idsOf(shelf.tail.events), [5_001, 5_003, 5_005]);
});

test("one bulk after another leaves no more than the newest event in the tail", () => {
  const shelf = shelfOf({});
  for (let round = 0; round < 20; round++) {
    void placeIn(shelf, rowOf(1 + round * 1_000, 1_000), [], () => Promise.reject(new Error("nothing is to be read")));
  }
  assert.equal(idsOf(shelf.tail.events), [20_000]);
  assert.is(shelf.count, 20_000);
  const sealed = shelf.directory.entries.flatMap((entry) => idsOf(eventsOf(blockOf(shelf, entry))));
  assert.equal(sealed, range(1, 19_999));
});

test.run();
