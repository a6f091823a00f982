// Much of everything: events of a request, refusals.
// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sizeOf } from "../faults/sizes.js";
import { BUCKET, withServer } from "../harness.js";
import { event } from "./client.js";

const test = suite("volume over HTTP");

/** Invalid requests, and how much the process may grow by them, in MiB. */
const REFUSALS = sizeOf("REFUSALS", { short: 500, long: 20_000 });
const MAX_GROWTH = 80;

const EVENTS = sizeOf("EVENTS", { short: 40_000, long: 200_000 });

test(`a request with ${EVENTS} events lets others run while it is read, and while it is answered`, () =>
  withServer({ door: "process" }, async ({ server }) => {
    const events = Array.from({ length: EVENTS }, (_, minute) => event(minute, { title: `title ${minute % 100}` }));
    const body = JSON.stringify(events);
    await server.buckets.create("b", BUCKET);
    let turns = 0;
    let isAnswered = false;
    const count = (): void => {
      turns++;
      if (!isAnswered) setImmediate(count);
    };
    setImmediate(count);
    const headers = { "content-type": "application/json" };
    const request = new Request("http://localhost/api/0/buckets/b/events", { method: "POST", headers, body });
    const answer = await server.fetch(request);
    isAnswered = true;
    assert.is(answer.status, 200);
    assert.is(await server.events.count("b"), EVENTS);
    assert.ok(turns > (30 * EVENTS) / 200_000, `the event loop went round ${turns} times`);
  }));

/** Refusals of every kind. */
const INVALID: readonly (readonly [method: string, path: string, body?: unknown, type?: string])[] = [
  ["POST", "/api/0/buckets/b/heartbeat?pulsetime=1", '{"timestamp":'],
  ["POST", "/api/0/buckets/b/heartbeat", event(0)],
  ["POST", "/api/0/buckets/none/heartbeat?pulsetime=1", event(0)],
  ["POST", "/api/0/buckets/b/events", [event(0), {}]],
  ["POST", "/api/0/buckets/%ff", BUCKET],
  ["POST", "/api/0/settings/x", "x", "text/plain"],
  ["POST", "/api/0/import", '{"buckets":{"x":{"events":[{}]}}}'],
  ["POST", "/api/0/import", "--x", "multipart/form-data; boundary=x"],
  ["GET", "/api/0/buckets/b/events?limit=x"],
  ["GET", "/api/0/nothing"],
  ["PATCH", "/api/0/info"],
];

test(`${REFUSALS} invalid requests leave no memory behind`, () =>
  withServer({ buckets: ["b"] }, async ({ send, storage }) => {
    const wave = async (count: number, offset: number): Promise<void> => {
      const numbers = Array.from({ length: count }, (_, index) => offset + index);
      await inParallel(numbers, 16, async (number) => {
        const [method, path, body, type] = INVALID[number % INVALID.length] as (typeof INVALID)[number];
        // Each names something new, so that whatever remembered names would be seen.
        const answer = await send(method, path.replace("none", `none-${number}`), body, {
          "X-Request": String(number),
          ...(type && { "Content-Type": type }),
        });
        assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.status}`);
      });
      global.gc?.();
    };
    await wave(REFUSALS / 5, 0);
    const before = process.memoryUsage().rss;
    await wave(REFUSALS, REFUSALS / 5);
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
    // Nothing grows with the requests; the allowance is for what the collector leaves lying about.
    assert.ok(grown < MAX_GROWTH, `grew by ${grown.toFixed(0)} MiB`);
    assert.is((await storage.listBuckets()).length, 1);
    assert.is((await storage.settings.list()).size, 0);
  }));

/** Calls the body for every item, so many at a time. */
async function inParallel<T>(items: readonly T[], width: number, body: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await body(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

test.run();
