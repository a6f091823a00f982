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

const IDS = [1, 9, 10, 99_999, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 1e8, 1e15 + 7, 2 ** 53 - 1];
/** The last four are of one day. */
const TIMES = [
  ...[0, 1.5e15, -62_135e9, EARLIEST, LATEST - 1],
  ...[1_700_000_000_123_456, 1_700_000_001_000_000, 1_700_000_060_000_000, 1_700_003_600_000_001],
];

const EVENTS: readonly StoredEvent[] = TITLES.flatMap((title, index) =>
  TIMES.map((timestamp, step) => ({
    id: IDS[(index + step) % IDS.length] as number,
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
