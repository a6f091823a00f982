// Batches that storages keep read like their events one by one, whole or in part, serialized before or not.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventSerializer } from "../../src/codec/event-serializer.js";
import { serializeEvent, serializeEvents, serializeMembers } from "../../src/codec/serialize-events.js";
import { EventBatch } from "../../src/domain/batch.js";
import { clipBatches } from "../../src/domain/clip.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import { EARLIEST, LATEST } from "../../src/domain/time.js";
import { intOf, randomOf } from "../contract/case.js";
import { randomData, TEXTS } from "../contract/values.js";

const test = suite("serialized batches");

type Random = () => number;

const LENGTHS = [
  ...[0, 1, 999_999, 1_000_000, 1_500_000, 10, 86_400_000_000, 999_999_999_999_999, 1e15 + 1, -1, -2_500_000],
];

function randomEvents(random: Random, count: number): StoredEvent[] {
  const datas: JsonObject[] = Array.from({ length: 7 }, () => randomData(random) as JsonObject);
  datas.push(...TEXTS.map((title) => ({ title })));
  const near = intOf(random, EARLIEST, LATEST - 1);
  const timeOf = (): number =>
    random() < 0.5 ? intOf(random, EARLIEST, LATEST - 1) : Math.min(near + intOf(random, 0, 9e9), LATEST - 1);
  const times = Array.from({ length: count }, timeOf).sort((a, b) => a - b);
  return times.map((timestamp, at) => ({
    id: random() < 0.1 ? Number.MAX_SAFE_INTEGER - at : intOf(random, 1, 10 ** intOf(random, 1, 15)),
    timestamp,
    duration: random() < 0.5 ? intOf(random, 0, 4e9) : (LENGTHS[intOf(random, 0, LENGTHS.length - 1)] as number),
    data: datas[intOf(random, 0, datas.length - 1)] as JsonObject,
  }));
}

/** A batch as an engine keeps it, with its data in UTF-8. */
function keptBatch(events: readonly StoredEvent[]): EventBatch {
  const texts = [...new Set(events.map(({ data }) => JSON.stringify(data)))];
  const starts = [0];
  for (const text of texts) starts.push((starts.at(-1) as number) + Buffer.byteLength(text));
  const { timestamps, durations, ids } = EventBatch.from(events);
  return EventBatch.withTable(
    {
      ...{ timestamps, durations, ids },
      refs: Uint16Array.from(events, ({ data }) => texts.indexOf(JSON.stringify(data))),
      table: {
        size: texts.length,
        valueAt: (ref) => JSON.parse(texts[ref] as string) as JsonObject,
        textAt: (ref) => texts[ref] as string,
        utf8: { bytes: Buffer.from(texts.join("")), starts },
      },
    },
    true,
  );
}

async function* given(batches: readonly EventBatch[]): AsyncGenerator<EventBatch> {
  yield* batches;
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

const responseOf = (batches: AsyncIterable<EventBatch>, serializer: EventSerializer): Promise<string> =>
  textOf(serializeMembers(batches, (batch) => serializer.serialize(batch)));
const exportOf = (batches: AsyncIterable<EventBatch>): Promise<string> =>
  textOf(serializeMembers(batches, (batch) => serializeEvents(batch, { withIds: false })));

test("a kept batch reads like its events, whole or in part, in both orders, with ids and without", async () => {
  const random = randomOf(1);
  for (let round = 0; round < 60; round++) {
    const events = randomEvents(random, intOf(random, 1, 200));
    const batch = keptBatch(events);
    const serializer = new EventSerializer();
    for (let time = 0; time < 6; time++) {
      const isReversed = random() < 0.7;
      const from = intOf(random, 0, events.length - 1);
      const to = intOf(random, from + 1, events.length);
      const texts = (isReversed ? [...events].reverse() : events).slice(from, to).map(serializeEvent);
      const part = (isReversed ? batch.reversed() : batch).slice(from, to);
      assert.is(await responseOf(given([part]), serializer), texts.join(","));
      assert.is(await exportOf(given([part])), texts.map((text) => text.replace(/^\{"id":\d+,/, "{")).join(","));
    }
  }
});

test("batches stand behind each other, with a comma between them", async () => {
  const events = randomEvents(randomOf(2), 40);
  const batch = keptBatch(events);
  const batches = [
    batch.slice(30).reversed(),
    EventBatch.from(events.slice(20, 30).reverse()),
    batch.slice(5, 20).reversed(),
    batch.slice(0, 5).reversed(),
  ];
  const text = await responseOf(given(batches), new EventSerializer());
  assert.is(text, events.map(serializeEvent).reverse().join(","));
  assert.is(await responseOf(given([]), new EventSerializer()), "");
});

test("a large batch comes in chunks of moderate size", async () => {
  const data = { title: "x".repeat(50_000) };
  const events = Array.from({ length: 400 }, (_, at) => ({ id: at + 1, timestamp: at, duration: 1, data }));
  const serializer = new EventSerializer();
  const batch = keptBatch(events);
  for (let time = 0; time < 3; time++) {
    const sizes = Array.from(serializer.serialize(batch), ({ length }) => length);
    assert.ok(Math.max(...sizes) < 256 * 1024 && sizes.length > 100, `${sizes.length}, up to ${Math.max(...sizes)}`);
  }
});

test("a batch is cut to a range like its events one by one", async () => {
  const random = randomOf(3);
  for (let round = 0; round < 200; round++) {
    const events = Array.from({ length: intOf(random, 1, 30) }, (_, at) => ({
      id: at + 1,
      timestamp: at * 10,
      duration: random() < 0.2 ? intOf(random, -50, 300) : intOf(random, 0, 10),
      data: {},
    }));
    const start = random() < 0.3 ? undefined : intOf(random, -10, 200);
    const end = random() < 0.3 ? undefined : intOf(random, 0, 310);
    const range = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
    const isReversed = random() < 0.5;
    const batch = isReversed ? keptBatch(events).reversed() : keptBatch(events);
    const wanted = (isReversed ? [...events].reverse() : events).map((event) => {
      const from = Math.max(event.timestamp, start ?? Number.NEGATIVE_INFINITY);
      const to = Math.min(event.timestamp + event.duration, end ?? Number.POSITIVE_INFINITY);
      return serializeEvent({ ...event, timestamp: from, duration: to - from });
    });
    assert.is(await responseOf(clipBatches(given([batch]), range), new EventSerializer()), wanted.join(","));
  }
});

test.run();
