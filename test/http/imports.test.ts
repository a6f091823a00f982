// What an import writes: merging, twins, twice the same, in JSON and as a form.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Storage } from "../../src/index.js";
import { BUCKET, type Send, type Served, withServer } from "../harness.js";
import { ADAPTERS, event, json, present } from "./client.js";

const test = suite("imports");

const NONE = {
  ...{ buckets_created: 0, buckets_merged: 0, events_imported: 0, events_already_there: 0, events_invalid: 0 },
};

async function importing(send: Send, document: unknown): Promise<typeof NONE> {
  return json(await send("POST", "/api/0/import", document)) as typeof NONE;
}

const bucket = (events: readonly unknown[], more: object = {}): object => ({ ...BUCKET, ...more, events });

/** Registers a test for each adapter. */
function eachAdapter(name: string, body: (served: Served) => Promise<void>): void {
  for (const [adapter, withStorage] of Object.entries(ADAPTERS)) {
    test(`${name}, in ${adapter}`, () => withStorage((storage: Storage) => withServer({ storage }, body)));
  }
}

eachAdapter("twins in one import are both stored, and a second import adds nothing", async ({ send, storage }) => {
  const events = [event(0), event(0), event(0, { app: "b" }), event(0, { app: "a" }, 1), event(1), event(0)];
  const document = { buckets: { b: bucket(events) } };
  assert.equal(await importing(send, document), { ...NONE, buckets_created: 1, events_imported: 6 });
  const after = (await send("GET", "/api/0/export")).body.toString();
  for (let time = 0; time < 3; time++) {
    assert.equal(await importing(send, document), { ...NONE, buckets_merged: 1, events_already_there: 6 });
  }
  assert.is((await send("GET", "/api/0/export")).body.toString(), after);
  assert.is(await storage.countEvents("b"), 6);
});

eachAdapter("an export can be imported again and again, and elsewhere", async ({ send, storage }) => {
  const events = Array.from({ length: 2500 }, (_, index) =>
    event(index % 700, { app: "ä\u0000\ud800", n: index % 3, __proto__: 1, "\ud83d": [1.5e-7] }, (index % 5) - 2),
  );
  assert.is(
    (await importing(send, { buckets: { b: bucket(events, { data: { x: [] }, name: "n" }) } })).events_imported,
    2500,
  );
  const exported = await send("GET", "/api/0/export");
  const again = await importing(send, exported.body);
  assert.equal(again, { ...NONE, buckets_merged: 1, events_already_there: 2500 });
  assert.is(await storage.countEvents("b"), 2500);
  await withServer({}, async (other) => {
    assert.is((await importing(other.send, exported.body)).events_imported, 2500);
    const back = await other.send("GET", "/api/0/export");
    assert.equal(sorted(back.body), sorted(exported.body));
    assert.is((await importing(send, back.body)).events_already_there, 2500);
  });
});

eachAdapter("into a bucket with events at the same instants only the others are imported", async ({ send }) => {
  json(await send("POST", "/api/0/buckets/b", { ...BUCKET, client: "first" }));
  const [kept] = json(await send("POST", "/api/0/buckets/b/events", [event(0, { x: 1, y: [2] }, 5)])) as {
    id: number;
  }[];
  const reordered = { ...event(0, { y: [2], x: 1.0 }, 5), id: kept?.id };
  const others = [event(0, { x: 1, y: [2] }, 5.000001), event(0, { x: true, y: [2] }, 5), event(0, { x: 1 }, 5)];
  const counts = await importing(send, { buckets: { b: bucket([reordered, ...others], { client: "second" }) } });
  assert.equal(counts, { ...NONE, buckets_merged: 1, events_imported: 3, events_already_there: 1 });
  assert.is((json(await send("GET", "/api/0/buckets/b")) as { client: string }).client, "first");
  const events = json(await send("GET", "/api/0/buckets/b/events")) as { id: number; data: unknown }[];
  assert.is(events.length, 4);
  assert.equal(events.find(({ id }) => id === kept?.id)?.data, { x: 1, y: [2] });
});

eachAdapter("buckets are named by their inner id, and several of one name become one", async ({ send, storage }) => {
  const buckets = { key: bucket([event(0)], { id: "b" }), b: bucket([event(0), event(1)], { client: "later" }) };
  assert.equal(await importing(send, { buckets }), { ...NONE, buckets_created: 1, events_imported: 3 });
  assert.is(await storage.countEvents("b"), 3);
  assert.is((await storage.getBucket("b"))?.client, "test");
});

for (const [adapter, withStorage] of Object.entries(ADAPTERS)) {
  test(`a new import that is sent twice at once is stored once, in ${adapter}`, () =>
    withStorage(async (inner) => {
      // As on a busy machine: other work comes in before each write.
      const storage: Storage = {
        ...inner,
        async putEvents(bucketId, drafts) {
          await new Promise((resolve) => setImmediate(resolve));
          return inner.putEvents(bucketId, drafts);
        },
      };
      await withServer({ storage }, async ({ send }) => {
        const document = { buckets: { b: bucket(Array.from({ length: 5000 }, (_, minute) => event(minute))) } };
        await Promise.all([importing(send, document), importing(send, document)]);
        assert.is(await inner.countEvents("b"), 5000);
      });
    }));
}

eachAdapter("20,000 events are imported while heartbeats go on", async ({ send, storage }) => {
  const document = JSON.stringify({
    buckets: {
      history: bucket(Array.from({ length: 20_000 }, (_, minute) => event(minute, { title: `title ${minute % 50}` }))),
      shared: bucket(Array.from({ length: 1000 }, (_, minute) => event(minute))),
    },
  });
  for (const id of ["live", "shared"]) json(await send("POST", `/api/0/buckets/${id}`, BUCKET));
  let imported = false;
  const importRun = importing(send, document).finally(() => {
    imported = true;
  });
  const beats: unknown[] = [];
  for (let beat = 0; !imported || beat < 10; beat++) {
    // In time order, each new: as many events as beats.
    for (const id of ["live", "shared"]) {
      beats.push(
        json(await send("POST", `/api/0/buckets/${id}/heartbeat?pulsetime=0`, event(100_000 + beat, { beat }))),
      );
    }
  }
  assert.equal(await importRun, { ...NONE, buckets_created: 1, buckets_merged: 1, events_imported: 21_000 });
  assert.is(await storage.countEvents("history"), 20_000);
  assert.is((await storage.countEvents("live")) + (await storage.countEvents("shared")), 1000 + beats.length);
  assert.is(new Set(beats.map((beat) => (beat as { id: number }).id)).size, beats.length);
});

test("!local means nothing in an import, and no created means now", () =>
  withServer({ clock: () => Date.UTC(2025, 0, 1) }, async ({ send, storage }) => {
    await importing(send, {
      buckets: { b: bucket([], { hostname: "!local", created: null, data: null, name: null }) },
    });
    const { hostname, created, data, name } = present(await storage.getBucket("b"), "the bucket");
    assert.equal([hostname, created, data, name], ["!local", Date.UTC(2025, 0, 1) * 1000, {}, null]);
  }));

function sorted(exported: Buffer): unknown {
  const { buckets } = JSON.parse(exported.toString()) as { buckets: Record<string, { events: object[] }> };
  const { events, ...record } = present(buckets["b"], "the bucket");
  return { record, events: events.map((held) => JSON.stringify(held)).sort() };
}

test.run();
