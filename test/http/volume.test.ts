// Much of everything: buckets, bytes, refusals.
// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";
import { IS_LONG, sizeOf } from "../faults/sizes.js";
import { ADAPTERS, BUCKET, event, json, refusal, withServer } from "./client.js";

const test = suite("volume over HTTP");

/** In a folder; in memory they are fewer. */
const BUCKETS = sizeOf("BUCKETS", { short: 120, long: 4_000 });

/** Invalid requests, and how much the process may grow by them, in MiB. */
const REFUSALS = sizeOf("REFUSALS", { short: 500, long: 20_000 });
const MOST_GROWTH = 80;

const RESERVED =
  "__proto__ constructor prototype toString hasOwnProperty valueOf __defineGetter__ then length name".split(" ");

for (const [adapter, withStorage] of Object.entries(ADAPTERS)) {
  const many = adapter === "memory" ? BUCKETS / 4 : BUCKETS;
  test(`${many} buckets are created, listed and deleted one by one, in ${adapter}`, () =>
    withStorage((storage) =>
      withServer({ storage }, async ({ send }) => {
        const ids = Array.from({ length: many }, (_, index) => `bucket ${index}`);
        await inParallel(ids, 16, async (id) => {
          assert.is((await send("POST", pathOf(id), BUCKET)).status, 200);
        });
        const listed = json(await send("GET", "/api/0/buckets/")) as Record<string, { id: string }>;
        assert.equal(Object.keys(listed).sort(), [...ids].sort());
        assert.ok(Object.entries(listed).every(([id, bucket]) => bucket.id === id));
        assert.is((await send("POST", pathOf(`bucket ${many - 1}`), BUCKET)).status, 304);
        const exported = json(await send("GET", "/api/0/export")) as { buckets: Record<string, unknown> };
        assert.is(Object.keys(exported.buckets).length, many);
        await inParallel(ids.slice(1), 16, async (id) => {
          assert.is((await send("DELETE", `${pathOf(id)}?force=1`)).status, 200);
        });
        assert.equal(Object.keys(json(await send("GET", "/api/0/buckets")) as object), ["bucket 0"]);
      }),
    ));

  test(`names that JavaScript reserves are buckets and settings like any other, in ${adapter}`, () =>
    withStorage((storage) =>
      withServer({ storage }, async ({ send }) => {
        for (const name of RESERVED) {
          refusal(await send("GET", pathOf(name)), 404);
          refusal(await send("GET", `${pathOf(name)}/events`), 404);
          refusal(await send("POST", `${pathOf(name)}/heartbeat?pulsetime=1`, event(0)), 404);
          assert.is(json(await send("GET", `/api/0/settings/${name}`)), null);
        }
        for (const name of RESERVED) {
          assert.equal(json(await send("POST", pathOf(name), { ...BUCKET, client: name })), {});
          json(await send("POST", `${pathOf(name)}/heartbeat?pulsetime=1`, event(0, { [name]: name })));
          assert.is(json(await send("POST", `/api/0/settings/${name}`, JSON.stringify(name))), name);
        }
        const exported = await send("GET", "/api/0/export");
        const { buckets } = json(exported) as {
          buckets: Record<string, { client: string; events: { data: object }[] }>;
        };
        assert.equal(Object.keys(buckets).sort(), [...RESERVED].sort());
        assert.equal(Object.keys(json(await send("GET", "/api/0/buckets")) as object).sort(), [...RESERVED].sort());
        assert.equal(Object.keys(json(await send("GET", "/api/0/settings")) as object).sort(), [...RESERVED].sort());
        for (const [name, { client, events }] of Object.entries(buckets)) {
          assert.is(client, name);
          assert.equal(Object.entries(events[0]?.data ?? {}), [[name, name]]);
          assert.is(json(await send("GET", `/api/0/settings/${name}`)), name);
          assert.equal(json(await send("DELETE", `${pathOf(name)}?force=1`)), {});
          assert.equal(json(await send("DELETE", `/api/0/settings/${name}`)), {});
        }
        const counts = json(await send("POST", "/api/0/import", exported.body)) as Record<string, number>;
        assert.is(counts["buckets_created"], RESERVED.length);
        assert.equal((await send("GET", "/api/0/export")).body.toString(), exported.body.toString());
      }),
    ));

  if (adapter === "memory" && !IS_LONG) continue;
  test(`an event of 5 MB comes back as it was, by every way, in ${adapter}`, () =>
    withStorage((storage) =>
      withServer({ storage }, async ({ send }) => {
        json(await send("POST", "/api/0/buckets/b", BUCKET));
        const title = Array.from({ length: 5_000 }, (_, index) => `${index}`.padStart(1000, "ü-")).join("");
        const big = { title, list: [title.slice(0, 100)] };
        assert.ok(Buffer.byteLength(JSON.stringify(big)) > 5_000_000);
        const [inserted] = json(await send("POST", "/api/0/buckets/b/events", [event(0, big)])) as [Stored];
        assert.ok(sameText(inserted.data, big), "the answer to the insertion");
        refusal(await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=60", event(1, big)), 413);
        const single = json(await send("GET", `/api/0/buckets/b/events/${inserted.id}`)) as Stored;
        assert.ok(sameText(single.data, big), "the single event");
        const [read] = json(await send("GET", "/api/0/buckets/b/events?limit=1")) as [Stored];
        assert.ok(sameText(read.data, big), "the list");
        const exported = await send("GET", "/api/0/export");
        const counts = json(await send("POST", "/api/0/import", exported.body)) as Record<string, number>;
        assert.is(counts["events_already_there"], 1);
        assert.is(counts["events_imported"], 0);
      }),
    ));
}

interface Stored {
  readonly id: number;
  readonly duration: number;
  readonly data: unknown;
}

const EVENTS = sizeOf("EVENTS", { short: 40_000, long: 200_000 });

test(`a request with ${EVENTS} events lets others run while it is read, and while it is answered`, async () => {
  const server = createActivityServer({ storage: memory() });
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
  await server.close();
});

test("a bucket id of 1,023 bytes is an id, by every route", () =>
  withServer({}, async ({ send }) => {
    const id = `${"ü".repeat(511)}!`;
    assert.is(Buffer.byteLength(id), 1023);
    json(await send("POST", pathOf(id), BUCKET));
    json(await send("POST", `${pathOf(id)}/heartbeat?pulsetime=1`, event(0)));
    assert.is((json(await send("GET", pathOf(id))) as { id: string }).id, id);
    assert.is((json(await send("GET", `${pathOf(id)}/events`)) as unknown[]).length, 1);
    assert.ok(String((await send("GET", `${pathOf(id)}/export`)).headers["content-disposition"]).length > 1000);
    json(await send("DELETE", `${pathOf(id)}?force=1`));
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
  withServer({}, async ({ send, storage }) => {
    json(await send("POST", "/api/0/buckets/b", BUCKET));
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
    assert.ok(grown < MOST_GROWTH, `grew by ${grown.toFixed(0)} MiB`);
    assert.is((await storage.listBuckets()).length, 1);
    assert.is((await storage.settings.list()).size, 0);
  }));

function pathOf(bucketId: string): string {
  return `/api/0/buckets/${encodeURIComponent(bucketId)}`;
}

function sameText(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Calls the body for every item, so many at a time. */
async function inParallel<T>(items: readonly T[], width: number, body: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await body(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

test.run();
