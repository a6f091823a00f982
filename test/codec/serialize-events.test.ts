import { suite } from "uvu";
import * as assert from "uvu/assert";
import { serializeEvent, serializeEvents, serializeList } from "../../src/codec/serialize-events.js";
import { EventBatch } from "../../src/domain/batch.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { EARLIEST, LATEST, microsToSeconds, serializeTimestamp } from "../../src/domain/time.js";

const test = suite("serializing events");

const decode = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString();

/** The plain way. */
function plain({ id, timestamp, duration, data }: StoredEvent): string {
  const span = { timestamp: serializeTimestamp(timestamp), duration: microsToSeconds(duration), data };
  return JSON.stringify({ id: id || null, ...span });
}

const TITLES = ["a", "", "é", "日本語", "😀", "a\u0000b", 'quote " and \\', "\ud800 alone", "ascii then ü and more"];
const DURATIONS = [0, 1, 2_500_000, 999_999_999_999_999, 1e15 + 1, 3e15, -1, -2_500_000];

const EVENTS: readonly StoredEvent[] = TITLES.flatMap((title, index) =>
  [0, 1.5e15, -62_135e9, 1_700_000_000_123_456, EARLIEST, LATEST - 1].map((timestamp, step) => ({
    id: index * 10 + step + 1,
    timestamp,
    duration: DURATIONS[(index + step) % DURATIONS.length] as number,
    data: { title, nested: { list: [1, null, true] } },
  })),
);

test("one event reads like the plain way", () => {
  for (const event of EVENTS) assert.is(serializeEvent(event), plain(event));
});

test("a list reads like its events", async () => {
  for (let count = 0; count <= EVENTS.length; count++) {
    const events = EVENTS.slice(0, count);
    assert.is(decode(await serializeList(events)), `[${events.map(plain).join(",")}]`);
  }
});

test("events that repeat data and days read like the plain way, whatever their digits", () => {
  const datas = [{ title: "a" }, { title: "ü" }, {}];
  const texts = datas.map((data) => Buffer.from(JSON.stringify(data)));
  const bytes = Buffer.concat(texts);
  const starts = [0, 0, 0, 0].map((_, index) => Buffer.concat(texts.slice(0, index)).length);
  const table = {
    ...{ size: 3, utf8: { bytes, starts } },
    valueAt: (ref: number) => datas[ref] as (typeof datas)[number],
    textAt: (ref: number) => String(texts[ref]),
  };
  const day = 1_700_000_000_000_000;
  const events = Array.from({ length: 300 }, (_, index): StoredEvent => {
    const id = [1, 9, 10, 99_999, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 1e8, 1e15 + 7, 2 ** 53 - 1][index % 10] as number;
    const timestamp = day + index * (index % 3 === 0 ? 1e9 : 1_234_567) - (index % 5 === 0 ? day % 1e6 : 0);
    return { id, timestamp, duration: (index * 7_654_321) % 1e12, data: datas[index % 3] as (typeof datas)[number] };
  });
  const { timestamps, durations, ids } = EventBatch.from(events);
  const batch = EventBatch.withTable({ timestamps, durations, ids, refs: events.map((_, index) => index % 3), table });
  for (const rows of [batch, batch.reversed(), batch.slice(7, 100)]) {
    const expected = rows.events().map((event) => `${plain(event)},`);
    assert.is(decode([...serializeEvents(rows, { withIds: true })]), expected.join(""));
  }
  const withoutIds = events.map((event) => `${plain(event).replace(/"id":\d+,/, "")},`);
  assert.is(decode([...serializeEvents(batch, { withIds: false })]), withoutIds.join(""));
});

test("an event without an id has null in its place", () => {
  const [event] = EVENTS as readonly [StoredEvent];
  const { timestamps, durations, datas } = EventBatch.from([event]);
  const batch = EventBatch.of({ timestamps, durations, datas, ids: null });
  assert.is(decode([...serializeEvents(batch, { withIds: true })]), `${plain({ ...event, id: 0 })},`);
  assert.is(serializeEvent({ ...event, id: 0 }), plain({ ...event, id: 0 }));
});

test("a long list comes in chunks of moderate size, and so does one of large data", async () => {
  for (const [count, size] of [
    [20_000, 20],
    [30, 100_000],
  ] as const) {
    const data = { title: "ü".repeat(size) };
    const events = Array.from({ length: count }, (_, id) => ({ id: id + 1, timestamp: id, duration: 1, data }));
    const chunks = await serializeList(events);
    assert.is(decode(chunks), `[${events.map(plain).join(",")}]`);
    for (const chunk of chunks) assert.ok(chunk.length < 512 * 1024);
  }
});

test.run();
