// long: 300 s
import { isDeepStrictEqual } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { addSumToBytes } from "../../adapters/segments/checksum.js";
import { type ColumnPlan, planColumn, readColumn, writeColumn } from "../../adapters/segments/column.js";
import { segmentKey } from "../../adapters/segments/keys.js";
import { decodeSegment, encodeSegment, rowOf, rowOfId } from "../../adapters/segments/segment-codec.js";
import { columnsOf, columnsOfRows } from "../../adapters/segments/segment-columns.js";
import type { EventBatch } from "../../src/domain/batch.js";
import { byTime, type StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import { EARLIEST, LATEST } from "../../src/domain/time.js";
import { intOf, randomOf } from "../contract/case.js";
import { DATA, randomData, TEXTS } from "../contract/values.js";
import { sampleOf, sizeOf } from "../faults/sizes.js";

const test = suite("segment codec");

const ROUNDS = sizeOf("CODEC_ROUNDS", { short: 75, long: 300 });
/** No multiple of eight: all bits of a byte have their turn. */
const EVERY_BIT = sizeOf("EVERY_BIT", { short: 3, long: 1 });

const LAST_ID = Number.MAX_SAFE_INTEGER;
/** Beyond this a flush begins another segment. */
const WIDEST_GAP = 2 ** 51 - 1;

function written(plan: ColumnPlan): Uint8Array {
  const bytes = new Uint8Array(plan.size + 2);
  // Not at the beginning, and nothing behind it is touched.
  assert.is(writeColumn(new DataView(bytes.buffer), 1, plan), plan.size + 1);
  assert.is(bytes.at(-1), 0);
  return bytes.subarray(1, -1);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function columnBack(list: readonly number[]): { readonly plan: ColumnPlan; readonly values: number[] } {
  const plan = planColumn(Float64Array.from(list));
  const values = new Float64Array(list.length);
  const bytes = written(plan);
  assert.is(bytes.length, plan.size);
  assert.is(readColumn(viewOf(bytes), 0, values), plan.size);
  return { plan, values: [...values] };
}

/** Values, and in how many bytes and of which unit each of them is kept. */
const COLUMNS: readonly (readonly [values: readonly number[], width: number, unit: number])[] = [
  [[], 0, 1_000_000],
  [[5], 0, 1_000_000],
  [[-7, -7, -7], 0, 1_000_000],
  [[0, 255], 1, 1],
  [[0, 256], 2, 1],
  [[-1, 254], 1, 1],
  [[0, 2 ** 16 - 1], 2, 1],
  [[0, 2 ** 16], 4, 1],
  [[5, 2 ** 32 + 4], 4, 1],
  [[5, 2 ** 32 + 5], 6, 1],
  [[0, 2 ** 48 - 1], 6, 1],
  [[0, 2 ** 48], 8, 1],
  [[0, 1000], 1, 1000],
  [[7, 1007, 255_007], 1, 1000],
  [[7, 1007, 256_007], 2, 1000],
  [[3, 1_000_003], 1, 1_000_000],
  [[3, 1_001_003], 2, 1000],
  [[-1_000_000, 0, 255 * 1_000_000], 2, 1_000_000],
  [[0, 1000 * 2 ** 40 + 1], 8, 1],
  [[0, 1000 * 2 ** 40], 6, 1000],
  [[-LAST_ID, LAST_ID], 8, 1],
  [[LAST_ID - 1, LAST_ID], 1, 1],
  [[-(2 ** 51), 2 ** 51 + 1], 8, 1],
];

test("a column comes back from as few bytes as its values need", () => {
  for (const [list, width, unit] of COLUMNS) {
    const { plan, values } = columnBack(list);
    assert.equal(values, list);
    assert.is(plan.width, width, `width for ${list}`);
    if (width > 0) assert.is(plan.unit, unit, `unit for ${list}`);
    assert.is(plan.size, 17 + width * list.length);
  }
});

test("columns of random values of every size come back", () => {
  const random = randomOf(1);
  for (let round = 0; round < 10 * ROUNDS; round++) {
    const [size, unit] = [2 ** intOf(random, 0, 51), [1, 1000, 1_000_000][round % 3] as number];
    const base = Math.round((random() - 0.5) * 2 ** intOf(random, 0, 51));
    const anyValue = (): number => base + Math.round((random() * size) / unit) * unit;
    const list = Array.from({ length: intOf(random, 1, 12) }, anyValue);
    const { values } = columnBack(list);
    if (!isDeepStrictEqual(values, list)) assert.equal(values, list);
  }
});

test("values that lie further apart than a double can tell exactly come back", () => {
  const cases = [
    [LAST_ID, 983 - LAST_ID],
    [9_007_199_254_740_001, -9_007_199_254_740_000, 1000, 1000],
    [-5e15, 4_500_000_000_000_001],
  ];
  for (const list of cases) assert.equal(columnBack(list).values, list);
});

test("a column that is cut off, or of a width that does not exist, is refused", () => {
  const bytes = written(planColumn(Float64Array.from([1, 2, 300])));
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(
      () => readColumn(viewOf(bytes.slice(0, length)), 0, new Float64Array(3)),
      (error: unknown) => error instanceof RangeError,
    );
  }
  for (const width of [3, 5, 7, 9, 16, 255]) {
    const changed = Uint8Array.from([width, ...bytes.subarray(1), ...new Uint8Array(999)]);
    assert.throws(() => readColumn(viewOf(changed), 0, new Float64Array(3)), `unknown width ${width}`);
  }
});

function eventOf(id: number, timestamp: number, duration = 0, data: JsonObject = {}): StoredEvent {
  return { id, timestamp, duration, data };
}

/** Lists of events in time order. */
const SEGMENTS: Readonly<Record<string, readonly StoredEvent[]>> = {
  "one event": [eventOf(1, 0)],
  "one event at the first instant": [eventOf(LAST_ID, EARLIEST, LATEST - 1 - EARLIEST)],
  "one event at the last instant": [eventOf(1, LATEST - 1, EARLIEST - LATEST)],
  "the same instant twice": [eventOf(1, 5), eventOf(2, 5)],
  "ids that descend": [eventOf(9, 1), eventOf(5, 2), eventOf(1, 3)],
  "the greatest and the smallest ids": [eventOf(LAST_ID, 1), eventOf(1, 2), eventOf(LAST_ID - 1, 3), eventOf(2, 4)],
  "gaps of a microsecond and of 71 years": [eventOf(1, 0), eventOf(2, 1), eventOf(3, 1 + WIDEST_GAP)],
  "all of time in gaps of 71 years": Array.from({ length: 8 }, (_, index) =>
    eventOf(index, EARLIEST + index * WIDEST_GAP),
  ),
  "before, at and behind 1970": [eventOf(1, -1), eventOf(2, 0), eventOf(3, 1)],
  "lengths of every sign": [eventOf(1, 0, -5), eventOf(2, 1, 0), eventOf(3, 2, 5), eventOf(4, 3, -(2 ** 52))],
  "whole seconds": [eventOf(1, 1e15, 5e6), eventOf(2, 1e15 + 3e6, 1e6), eventOf(3, 1e15 + 4e6, 60e6)],
  "data of every kind": DATA.map((data, index) => eventOf(index + 1, index, 0, data)),
  "texts of every kind": TEXTS.map((text, index) => eventOf(index + 1, index, 0, { [text]: text, title: text })),
  "equal data far apart": Array.from({ length: 90 }, (_, index) => eventOf(index + 1, index, 0, { n: index % 3 })),
  "empty data only": Array.from({ length: 9 }, (_, index) => eventOf(index + 1, index * 1000, 7)),
};

const NAME = { bucketNo: 3, segmentNo: 7 };

const decoded = (bytes: Uint8Array): EventBatch => decodeSegment(NAME, bytes).batch;

function expectBack(events: readonly StoredEvent[], what: string): EventBatch {
  const batch = decoded(encodeSegment(NAME, columnsOf(events)));
  assert.is(batch.length, events.length, what);
  const found = batch.events();
  for (const [index, event] of events.entries()) {
    if (!isDeepStrictEqual(found[index], event)) assert.equal(found[index], event, `${what}, event ${index}`);
    assert.is(batch.textAt(index), JSON.stringify(event.data), `${what}, text ${index}`);
  }
  return batch;
}

/** The bytes of a segment with some of them changed, and a checksum that fits: damage that came before the checksum. */
function resealed(bytes: Uint8Array, change: (copy: Uint8Array) => Uint8Array): Uint8Array {
  const changed = change(Uint8Array.from(bytes));
  addSumToBytes(segmentKey(NAME), changed);
  return changed;
}

for (const [name, events] of Object.entries(SEGMENTS)) {
  test(`a segment comes back: ${name}`, () => void expectBack(events, name));
}

/** Random events in time order, with gaps, lengths and ids of any size. */
function randomEvents(random: () => number, count: number): StoredEvent[] {
  const [gap, length, ids] = [intOf(random, 0, 50), intOf(random, 0, 50), intOf(random, 1, 52)];
  const kinds = Array.from({ length: intOf(random, 1, 30) }, () => randomData(random));
  const taken = new Set<number>();
  let timestamp = intOf(random, EARLIEST, LATEST - 1);
  const events = Array.from({ length: count }, () => {
    timestamp = Math.min(LATEST - 1, timestamp + Math.floor(random() * 2 ** gap));
    let id = intOf(random, 1, 2 ** ids);
    while (taken.has(id)) id++;
    taken.add(id);
    const duration = Math.round((random() - 0.3) * 2 ** length) + 0;
    return eventOf(id, timestamp, duration, kinds[intOf(random, 0, kinds.length - 1)]);
  });
  return events.sort(byTime);
}

test("some rows of a segment make the same bytes as their events", () => {
  for (const [name, events] of Object.entries(SEGMENTS)) {
    const batch = decoded(encodeSegment(NAME, columnsOf(events)));
    const rows = events.map((_, row) => row).filter((row) => row === 0 || row % 3 !== 1);
    const columns = columnsOfRows(batch, rows);
    const some = rows.map((row) => events[row] as StoredEvent);
    if (columns === undefined) continue;
    assert.equal(encodeSegment(NAME, columns), encodeSegment(NAME, columnsOf(some)), name);
  }
});

test("random segments come back", () => {
  const random = randomOf(2);
  for (let round = 0; round < ROUNDS; round++) expectBack(randomEvents(random, intOf(random, 1, 40)), `round ${round}`);
  for (const count of sampleOf([1_000, 5_000], 2)) expectBack(randomEvents(random, count), `${count} events`);
});

test("a segment in the middle of other bytes comes back", () => {
  const events = SEGMENTS["data of every kind"] as readonly StoredEvent[];
  const bytes = encodeSegment(NAME, columnsOf(events));
  const around = new Uint8Array(bytes.length + 20).fill(0xee);
  around.set(bytes, 7);
  assert.ok(isDeepStrictEqual(decoded(around.subarray(7, 7 + bytes.length)).events(), events));
});

test("equal data are stored once and come back as one object", () => {
  const title = "t".repeat(500);
  const events = Array.from({ length: 1_000 }, (_, index) => eventOf(index + 1, index * 1000, 500, { title }));
  assert.ok(encodeSegment(NAME, columnsOf(events)).length < 5_000);
  const batch = expectBack(events, "equal data");
  assert.is(batch.dataAt(0), batch.dataAt(999));
});

test("a time and id are found where a plain search finds them", () => {
  const random = randomOf(3);
  for (let round = 0; round < ROUNDS / 5; round++) {
    const times = Array.from({ length: intOf(random, 1, 40) }, () => intOf(random, 0, 15));
    const events = times.map((time, index) => eventOf(1 + index * 2, time)).sort(byTime);
    const batch = decoded(encodeSegment(NAME, columnsOf(events)));
    for (let time = -1; time <= 16; time++) {
      for (const id of [Number.NEGATIVE_INFINITY, 0, intOf(random, 1, 80), Number.POSITIVE_INFINITY]) {
        const before = events.filter((event) => byTime(event, eventOf(id, time)) < 0).length;
        assert.is(rowOf(batch, time, id), before);
      }
    }
    for (let id = 0; id <= 82; id++) {
      assert.is(
        rowOfId(batch, id),
        events.findIndex((event) => event.id === id),
      );
    }
  }
});

const SHORT_SEGMENTS = ["one event", "texts of every kind", "lengths of every sign", "empty data only"];

test("a segment that is cut off anywhere is refused", () => {
  for (const name of SHORT_SEGMENTS) {
    const bytes = encodeSegment(NAME, columnsOf(SEGMENTS[name] as readonly StoredEvent[]));
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => decoded(bytes.slice(0, length)), undefined, `${name}, ${length} bytes`);
    }
  }
});

test("a segment with any flipped bit is refused", () => {
  for (const name of SHORT_SEGMENTS) {
    const bytes = encodeSegment(NAME, columnsOf(SEGMENTS[name] as readonly StoredEvent[]));
    for (let bit = 0; bit < bytes.length * 8; bit += EVERY_BIT) {
      const changed = Uint8Array.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      assert.throws(() => decoded(changed), undefined, `${name}, bit ${bit}`);
    }
  }
});

test("a segment with bytes too many is refused", () => {
  const bytes = encodeSegment(NAME, columnsOf(SEGMENTS["lengths of every sign"] as readonly StoredEvent[]));
  for (const more of [[0], [32], [0x7b, 0x7d], [0xc3], [0xef, 0xbb, 0xbf]]) {
    assert.throws(() => decoded(Uint8Array.from([...bytes, ...more])), undefined, `${more}`);
    assert.throws(() => decoded(Uint8Array.from([...more, ...bytes])), undefined, `${more}`);
  }
});

test("a segment under the name of another one is refused", () => {
  const bytes = encodeSegment(NAME, columnsOf(SEGMENTS["one event"] as readonly StoredEvent[]));
  for (const name of [
    { ...NAME, segmentNo: 8 },
    { ...NAME, bucketNo: 4 },
  ]) {
    assert.throws(() => decodeSegment(name, bytes), /checksum/);
  }
});

test("a segment of another version, or an encrypted one, is refused", () => {
  const bytes = encodeSegment(NAME, columnsOf(SEGMENTS["one event"] as readonly StoredEvent[]));
  const changedAt = (at: number, value: number): Uint8Array =>
    resealed(bytes, (copy) => {
      copy[at] = value;
      return copy;
    });
  for (const version of [0, 1, 3, 255]) {
    assert.throws(() => decoded(changedAt(0, version)), `segment version ${version} is unknown`);
  }
  assert.throws(() => decoded(changedAt(1, 1)), "the segment is encrypted");
});

test("an event whose data are none of the texts is refused, also with a checksum that fits", () => {
  const events = Array.from({ length: 4 }, (_, index) => eventOf(index + 1, index, 0, { text: index % 2 }));
  const bytes = encodeSegment(NAME, columnsOf(events));
  let at = 22;
  for (const count of [4, 4, 4, 4]) at = readColumn(viewOf(bytes), at, new Float64Array(count));
  // The index of the last event is the last byte of the column of indexes.
  assert.is(bytes[at - 1], 1);
  for (const index of [2, 3, 255]) {
    const changed = resealed(bytes, (copy) => {
      copy[at - 1] = index;
      return copy;
    });
    assert.throws(() => decoded(changed), undefined, `index ${index}`);
  }
});

test.run();
