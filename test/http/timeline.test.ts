// The route of timelines against a naive computation, over a storage of either adapter.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { seededRandom } from "../../bench/data.js";
import { activityEvents } from "../../src/domain/activity-event.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { EARLIEST, type Micros, microsToSeconds, parseTimestamp, serializeTimestamp } from "../../src/domain/time.js";
import type { Storage } from "../../src/index.js";
import { type Send, withServer } from "../harness.js";
import { ADAPTERS, json, refusal } from "./client.js";

const test = suite("timeline");

interface Drawn {
  readonly start: string | null;
  readonly end: string | null;
  readonly count: number;
  readonly events?: readonly object[];
  readonly bin_duration?: number;
  readonly bins?: readonly { index: number; count: number; covered: number; data: number }[];
  readonly data?: readonly object[];
}

const DAY = parseTimestamp("2024-03-01") as Micros;
const SECOND = 1_000_000;

function serve(storage: Storage, events: readonly EventDraft[], body: (draw: Draw, send: Send) => Promise<void>) {
  return withServer({ storage, buckets: ["b"] }, async ({ send, server }) => {
    await server.events.insert("b", activityEvents(events));
    await body(async (search) => json(await send("GET", `/api/0/buckets/b/timeline?${search}`)) as Drawn, send);
  });
}

type Draw = (search: string) => Promise<Drawn>;

function search(start: Micros, end: Micros, bins: number): string {
  const query = { start: serializeTimestamp(start), end: serializeTimestamp(end), bins: String(bins) };
  return new URLSearchParams(query).toString();
}

/** An event of a number of seconds after midnight. */
function span(from: number, seconds: number, app: string): EventDraft {
  return { timestamp: DAY + from * SECOND, duration: seconds * SECOND, data: { app } };
}

/** What the bins of a range should be: every bin looks at every event. */
function naiveBins(all: readonly StoredEvent[], start: Micros, end: Micros, most: number): Drawn {
  const touching = all
    .filter(({ timestamp, duration }) => timestamp <= end && timestamp + duration >= start)
    .sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
    .map(({ timestamp, duration, data }) => {
      const from = Math.max(timestamp, start);
      return { from, to: Math.max(from, Math.min(timestamp + duration, end)), text: JSON.stringify(data) };
    });
  const length = Math.max(1, Math.ceil((end - start) / most));
  const bins = [];
  const data: string[] = [];
  const last = Math.max(1, Math.ceil((end - start) / length)) - 1;
  for (let index = 0; index <= last; index++) {
    const low = start + index * length;
    const high = low + length;
    const touches = touching.filter(({ from, to }) =>
      from === to ? from >= low && (from < high || index === last) : from < high && to > low,
    );
    if (touches.length === 0) continue;
    const edges = new Set([low, high]);
    for (const { from, to } of touches) for (const edge of [from, to]) if (edge > low && edge < high) edges.add(edge);
    const points = [...edges].sort((a, b) => a - b);
    const weights = new Map<string, number>();
    for (const [at, from] of points.entries()) {
      const to = points[at + 1] ?? from;
      const newest = touches.filter((event) => event.from <= from && event.to >= to && event.to > event.from).at(-1);
      if (newest !== undefined && to > from) weights.set(newest.text, (weights.get(newest.text) ?? 0) + to - from);
    }
    const covered = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    const longest = Math.max(...weights.values());
    const text = [...weights].find(([, weight]) => weight === longest)?.[0] ?? (touches.at(-1)?.text as string);
    if (!data.includes(text)) data.push(text);
    bins.push({ index, count: touches.length, covered: microsToSeconds(covered), data: data.indexOf(text) });
  }
  return {
    start: serializeTimestamp(start),
    end: serializeTimestamp(end),
    count: touching.length,
    bin_duration: microsToSeconds(length),
    bins,
    data: data.map((text) => JSON.parse(text) as object),
  };
}

/** Short and long, nested, of no or a negative length, several at once, the same again. */
function randomEvents(count: number, random: () => number): EventDraft[] {
  const lengths = [0, -5_000_000, 1, 999_999, 20_000_000, 400_000_000, 90_000_000_000];
  return Array.from({ length: count }, () => ({
    timestamp: DAY + Math.floor(random() * 600) * 10_000_000 + (random() < 0.5 ? Math.floor(random() * 1e6) : 0),
    duration: Math.floor((lengths[Math.floor(random() ** 2 * lengths.length)] as number) * (0.5 + random())),
    data: { app: `app ${Math.floor(random() * 6)}` },
  }));
}

for (const [adapter, withStorage] of Object.entries(ADAPTERS)) {
  test(`bins of random events are what a naive computation makes of them, with ${adapter}`, () =>
    withStorage(async (storage) => {
      const random = seededRandom(7);
      const events = randomEvents(1500, random);
      await serve(storage, events, async (draw) => {
        const stored: StoredEvent[] = [];
        for await (const batch of (await storage.read("b")).batches) stored.push(...batch.events());
        let binned = 0;
        for (let round = 0; round < 60; round++) {
          const start = DAY + Math.floor((random() * 1.4 - 0.2) * 6_000 * SECOND);
          const length = Math.floor(random() ** 4 * 7_000 * SECOND);
          const bins = 1 + Math.floor(random() ** 3 * 300);
          const expected = naiveBins(stored, start, start + length, bins);
          const drawn = await draw(search(start, start + length, bins));
          assert.is(drawn.count, expected.count);
          assert.is(drawn.bins === undefined, expected.count <= bins, `${expected.count} events, ${bins} bins`);
          if (drawn.bins === undefined) continue;
          binned++;
          assert.equal(drawn, expected, search(start, start + length, bins));
        }
        assert.ok(binned > 20, String(binned));
      });
    }));

  test(`what is second in every part of the storage may be first in all, with ${adapter}`, () =>
    withStorage((storage) => {
      const kinds = (part: number, at: number): string => {
        if (at < 300) return `own of ${part}`;
        return at < 550 ? "shared" : `rest ${at % 20}`;
      };
      const events = Array.from({ length: 5000 }, (_, at) => span(at, 1, kinds(Math.floor(at / 1000), at % 1000)));
      return serve(storage, events, async (draw) => {
        const { bins, data } = await draw(search(DAY, DAY + 5000 * SECOND, 1));
        assert.equal([bins, data], [[{ index: 0, count: 5000, covered: 5000, data: 0 }], [{ app: "shared" }]]);
        const halves = await draw(search(DAY, DAY + 1100 * SECOND, 2));
        assert.equal(halves.data, [{ app: "own of 0" }, { app: "own of 1" }]);
      });
    }));

  test(`few events come one by one, as on their own route but the other way round, with ${adapter}`, () =>
    withStorage((storage) =>
      serve(storage, randomEvents(300, seededRandom(8)), async (draw, send) => {
        const range = search(DAY + 100 * SECOND, DAY + 900 * SECOND, 10_000);
        const listed = json(await send("GET", `/api/0/buckets/b/events?${range}`)) as object[];
        const { events, count, bins } = await draw(range);
        assert.equal(events, listed.toReversed());
        assert.is(count, listed.length);
        assert.ok(count > 20 && bins === undefined);
      }),
    ));
}

async function withMemory(events: readonly EventDraft[], body: (draw: Draw, send: Send) => Promise<void>) {
  await ADAPTERS["memory"]?.((storage) => serve(storage, events, body));
}

test("as many events as bins still come one by one; with one more they are put into bins", () =>
  withMemory([span(0, 10, "a"), span(20, 10, "b"), span(40, 10, "b")], async (draw) => {
    const { events, bins } = await draw(search(DAY, DAY + 60 * SECOND, 3));
    assert.equal([events?.length, bins], [3, undefined]);
    assert.equal(await draw(search(DAY, DAY + 60 * SECOND, 2)), {
      start: "2024-03-01T00:00:00+00:00",
      end: "2024-03-01T00:01:00+00:00",
      count: 3,
      bin_duration: 30,
      bins: [
        { index: 0, count: 2, covered: 20, data: 0 },
        { index: 1, count: 1, covered: 10, data: 1 },
      ],
      data: [{ app: "a" }, { app: "b" }],
    });
  }));

type Bin = readonly [count: number, covered: number, app: string];

const HALVES: Readonly<Record<string, readonly [events: EventDraft[], seconds: number, first: Bin, second: Bin]>> = {
  "at each moment the newest event counts, and the longest below it comes back": [
    [span(-100, 1000, "long"), span(10, 10, "a"), span(12, 4, "b")],
    ...([20, [1, 10, "long"], [3, 10, "a"]] as const),
  ],
  "what has no length or a negative one is shown where nothing lasts": [
    [span(1, 0, "a"), span(2, -1, "b"), span(11, 1, "c"), span(12, 0, "d")],
    ...([20, [2, 0, "b"], [2, 1, "c"]] as const),
  ],
  "an event that ends where the range begins, or begins where it ends, touches its first or last bin": [
    [span(-5, 5, "a"), span(30, 5, "b"), span(30, 0, "c")],
    ...([30, [1, 0, "a"], [2, 0, "c"]] as const),
  ],
};

for (const [name, [events, seconds, ...halves]] of Object.entries(HALVES)) {
  test(name, () =>
    withMemory(events, async (draw) => {
      const { bins, data } = await draw(search(DAY, DAY + seconds * SECOND, 2));
      const drawn = bins?.map((bin) => [bin.count, bin.covered, data?.[bin.data]]);
      assert.equal(
        drawn,
        halves.map(([count, covered, app]) => [count, covered, { app }]),
      );
    }),
  );
}

test("a range of one instant is one bin", () =>
  withMemory([span(0, 5, "a"), span(1, 5, "b")], async (draw) => {
    const { bins, bin_duration } = await draw(search(DAY + 2 * SECOND, DAY + 2 * SECOND, 1));
    assert.equal(bins, [{ index: 0, count: 2, covered: 0, data: 0 }]);
    assert.is(bin_duration, 0.000001);
  }));

test("events of the far past and of the future are put into the bins of centuries", () =>
  withMemory(
    [{ timestamp: EARLIEST, duration: 1, data: {} }, span(0, 1, "a"), span(6_000_000_000, 1, "b"), span(1, 1, "a")],
    async (draw) => {
      const { start, end, bins } = await draw("bins=3");
      assert.equal([start, end], ["1700-01-01T00:00:00+00:00", "2214-04-19T10:40:01+00:00"]);
      assert.equal(
        bins?.map(({ index, count }) => [index, count]),
        [
          [0, 1],
          [1, 2],
          [2, 1],
        ],
      );
    },
  ));

test("a missing end of the range is that of the bucket, or the given one where the bucket has nothing there", () =>
  withMemory([span(0, 10, "a"), span(50, 10, "b")], async (draw) => {
    const edges = async (text: string) => {
      const { start, end, count } = await draw(text);
      return [start?.slice(11, 19), end?.slice(11, 19), count];
    };
    assert.equal(await edges(""), ["00:00:00", "00:01:00", 2]);
    assert.equal(await edges("start=2024-03-01T00:00:30Z"), ["00:00:30", "00:01:00", 1]);
    assert.equal(await edges("end=2024-03-01T00:00:05Z"), ["00:00:00", "00:00:05", 1]);
    assert.equal(await edges("start=2024-03-01T02:00:00Z"), ["02:00:00", "02:00:00", 0]);
    assert.equal(await edges("end=2024-02-01T02:00:00Z"), ["02:00:00", "02:00:00", 0]);
  }));

test("an empty bucket has nothing to draw", () =>
  withMemory([], async (draw) => {
    assert.equal(await draw(""), { start: null, end: null, count: 0, events: [] });
    const { start, end, events } = await draw("start=2024-03-01");
    assert.equal([start, end, events], ["2024-03-01T00:00:00+00:00", "2024-03-01T00:00:00+00:00", []]);
  }));

test("odd data, and data that is equal but in the order of its keys, stand as they are", () =>
  withMemory(
    [
      { timestamp: DAY, duration: SECOND, data: JSON.parse('{"__proto__":{"a":1},"t":"</script>\\u0000\\ud800"}') },
      { timestamp: DAY + SECOND, duration: 2 * SECOND, data: { a: 1, b: 2 } },
      { timestamp: DAY + 3 * SECOND, duration: SECOND, data: { b: 2, a: 1 } },
      { timestamp: DAY + 4 * SECOND, duration: 4 * SECOND, data: { title: "ü".repeat(10_000) } },
    ],
    async (draw) => {
      const { data } = await draw(search(DAY, DAY + 9 * SECOND, 3));
      assert.equal(data, [{ a: 1, b: 2 }, { title: "ü".repeat(10_000) }]);
      const whole = await draw(search(DAY, DAY + 9 * SECOND, 4));
      assert.is(Object.keys(whole.events?.[0] ?? {}).join(), "id,timestamp,duration,data");
      assert.match(JSON.stringify(whole.events?.[0]), '{"__proto__":{"a":1},"t":"</script>');
    },
  ));

test("a change shows at once, however often the same was asked for", () =>
  withMemory([span(0, 10, "a"), span(20, 10, "b")], async (draw, send) => {
    const range = search(DAY, DAY + 60 * SECOND, 1);
    for (let round = 0; round < 3; round++) assert.is((await draw(range)).count, 2);
    await send("DELETE", "/api/0/buckets/b/events/1");
    for (let round = 0; round < 3; round++) assert.is((await draw(range)).count, 1);
  }));

test("a refusal names what is wrong", () =>
  withMemory([], async (_draw, send) => {
    const backward = await send("GET", "/api/0/buckets/b/timeline?start=2024-03-02&end=2024-03-01");
    assert.match(refusal(backward, 400), /end must not be before start/);
    assert.match(refusal(await send("GET", "/api/0/buckets/none/timeline"), 404), /no bucket named 'none'/);
  }));

test.run();
