// Events that are printed from columns into bytes read like those that are printed one by one.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { clippedPrinted, type PrintedChunk, type PrintedList, type PrintedRun } from "../../src/domain/event.js";
import { EARLIEST, LATEST } from "../../src/domain/time.js";
import { answeredEvents, exportedEvents, printEvent } from "../../src/wire/print.js";
import { RunPrinter } from "../../src/wire/print-run.js";
import { intOf, randomOf } from "../contract/case.js";
import { randomData, TEXTS } from "../contract/values.js";

const test = suite("runs of events, printed");

interface Event {
  readonly id: number;
  readonly timestamp: number;
  readonly duration: number;
  readonly dataText: string;
}

type Random = () => number;

const LENGTHS = [
  0,
  1,
  999_999,
  1_000_000,
  1_500_000,
  10,
  86_400_000_000,
  999_999_999_999_999,
  1e15 + 1,
  -1,
  -2_500_000,
];

function randomTimes(random: Random, count: number): number[] {
  const near = intOf(random, EARLIEST, LATEST - 1);
  const timeOf = (): number =>
    random() < 0.5 ? intOf(random, EARLIEST, LATEST - 1) : Math.min(near + intOf(random, 0, 9e9), LATEST - 1);
  return Array.from({ length: count }, timeOf).sort((a, b) => a - b);
}

function randomEvents(random: Random, count: number): Event[] {
  const texts = Array.from({ length: 7 }, () => JSON.stringify(randomData(random)));
  texts.push(...TEXTS.map((text) => JSON.stringify({ title: text })));
  return randomTimes(random, count).map((timestamp, at) => ({
    id: random() < 0.1 ? Number.MAX_SAFE_INTEGER - at : intOf(random, 1, 10 ** intOf(random, 1, 15)),
    timestamp,
    duration: random() < 0.5 ? intOf(random, 0, 4e9) : (LENGTHS[intOf(random, 0, LENGTHS.length - 1)] as number),
    dataText: texts[intOf(random, 0, texts.length - 1)] as string,
  }));
}

function listOf(events: readonly Event[]): PrintedList {
  const texts = [...new Set(events.map(({ dataText }) => dataText))];
  const textStarts = [0];
  for (const text of texts) textStarts.push((textStarts.at(-1) as number) + Buffer.byteLength(text));
  return {
    length: events.length,
    timestamps: Float64Array.from(events, ({ timestamp }) => timestamp),
    durations: Float64Array.from(events, ({ duration }) => duration),
    ids: Float64Array.from(events, ({ id }) => id),
    texts: Buffer.from(texts.join("")),
    textStarts,
    refs: events.map(({ dataText }) => texts.indexOf(dataText)),
  };
}

async function* given(chunks: readonly PrintedChunk[]): AsyncGenerator<PrintedChunk> {
  yield* chunks;
}

async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(parts).toString();
}

function eventsOf(events: readonly Event[], { from, to, backwards }: PrintedRun): Event[] {
  const chosen = events.slice(from, to);
  return backwards ? chosen.reverse() : chosen;
}

function withoutId(text: string): string {
  return text.replace(/^\{"id":\d+,/, "{");
}

test("a run reads like its events, whole or in part, in both orders, with ids and without", async () => {
  const random = randomOf(1);
  for (let round = 0; round < 60; round++) {
    const events = randomEvents(random, intOf(random, 1, 200));
    const list = listOf(events);
    const printer = new RunPrinter();
    for (let time = 0; time < 6; time++) {
      const from = intOf(random, 0, events.length - 1);
      const run = { list, from, to: intOf(random, from + 1, events.length), backwards: random() < 0.7 };
      const texts = eventsOf(events, run).map(printEvent);
      assert.is(await textOf(answeredEvents(given([run]), printer)), texts.join(","));
      assert.is(await textOf(exportedEvents(given([run]))), texts.map(withoutId).join(","));
    }
  }
});

test("runs and single events stand behind each other, with a comma between them", async () => {
  const events = randomEvents(randomOf(2), 40);
  const list = listOf(events);
  const chunks = [
    { list, from: 30, to: 40, backwards: true },
    events.slice(20, 30).reverse(),
    { list, from: 5, to: 20, backwards: true },
    { list, from: 0, to: 5, backwards: true },
  ];
  const text = await textOf(answeredEvents(given(chunks), new RunPrinter()));
  assert.is(text, events.map(printEvent).reverse().join(","));
  assert.is(await textOf(answeredEvents(given([]), new RunPrinter())), "");
});

test("a large list comes in pieces of moderate size", async () => {
  const dataText = JSON.stringify({ title: "x".repeat(50_000) });
  const events = Array.from({ length: 400 }, (_, at) => ({ id: at + 1, timestamp: at, duration: 1, dataText }));
  const run = { list: listOf(events), from: 0, to: events.length, backwards: true };
  const sizes: number[] = [];
  for await (const piece of answeredEvents(given([run]), new RunPrinter())) sizes.push(piece.length);
  assert.ok(
    Math.max(...sizes) < 256 * 1024 && sizes.length > 100,
    `${sizes.length} pieces, up to ${Math.max(...sizes)}`,
  );
});

test("a run is cut to a range like its events one by one", async () => {
  const random = randomOf(3);
  for (let round = 0; round < 200; round++) {
    const events = Array.from({ length: intOf(random, 1, 30) }, (_, at) => ({
      id: at + 1,
      timestamp: at * 10,
      duration: random() < 0.2 ? intOf(random, -50, 300) : intOf(random, 0, 10),
      dataText: "{}",
    }));
    const run = { list: listOf(events), from: 0, to: events.length, backwards: random() < 0.5 };
    const start = random() < 0.3 ? undefined : intOf(random, -10, 200);
    const end = random() < 0.3 ? undefined : intOf(random, 0, 310);
    const singly = eventsOf(events, run);
    const cut = await textOf(answeredEvents(clippedPrinted(given([run]), start, end), new RunPrinter()));
    const wanted = await textOf(answeredEvents(clippedPrinted(given([singly]), start, end), new RunPrinter()));
    assert.is(cut, wanted);
  }
});

test.run();
