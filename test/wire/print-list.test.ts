import { suite } from "uvu";
import * as assert from "uvu/assert";
import { printed, type StoredEvent } from "../../src/domain/event.js";
import { printEvent } from "../../src/wire/print.js";
import { printList } from "../../src/wire/print-list.js";

const test = suite("printing of lists of events");

const textOf = (events: readonly StoredEvent[]): string => Buffer.concat(printList(events)).toString();
const expected = (events: readonly StoredEvent[]): string =>
  `[${events.map((event) => printEvent(printed(event))).join(",")}]`;

test("a list reads like its events", () => {
  const titles = ["a", "", "é", "日本語", "😀", "a\u0000b", 'quote " and \\', "\ud800 alone", "ascii then ü and more"];
  const events = titles.flatMap((title, index) =>
    [0, 1.5e15, -62135596800e6, 1_700_000_000_123_456].map((timestamp, step) => ({
      id: index * 10 + step,
      timestamp,
      duration: [0, 1, 2_500_000, 3e15][step] as number,
      data: { title, nested: { list: [1, null, true] } },
    })),
  );
  for (let count = 0; count <= events.length; count++) {
    assert.is(textOf(events.slice(0, count)), expected(events.slice(0, count)));
  }
});

test("a long list comes in pieces of moderate size, and so does one of large data", () => {
  for (const [count, size] of [
    [20_000, 20],
    [30, 100_000],
  ] as const) {
    const data = { title: "ü".repeat(size) };
    const events = Array.from({ length: count }, (_, id) => ({ id, timestamp: id, duration: 1, data }));
    assert.is(textOf(events), expected(events));
    for (const piece of printList(events)) assert.ok(piece.length < 512 * 1024);
  }
});

test.run();
