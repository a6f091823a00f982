// What queries read out of a storage, and when they may take what was read before.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type DataTable, EventBatch } from "../../src/domain/batch.js";
import type { EventDraft } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import { ActivityError } from "../../src/errors.js";
import { ResultCache, recordReads } from "../../src/query/result-cache.js";
import type { EventSource } from "../../src/query/source.js";
import { createEventSource } from "../../src/service/event-source.js";
import type { EventRead, Storage } from "../../src/storage/storage.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("event source");

const ID = "window";
const ignore = (): void => {};

function draft(timestamp: number, duration: number, data: JsonObject): EventDraft {
  return { timestamp, duration, data };
}

async function filled(...drafts: readonly EventDraft[]): Promise<Storage> {
  const storage = memory();
  await storage.createBucket(
    { id: ID, name: null, type: "t", client: "c", hostname: "h", created: 0, data: {} },
    drafts,
  );
  return storage;
}

/** A storage whose reads are counted. */
function counted(inner: Storage): { readonly storage: Storage; reads(): number } {
  let reads = 0;
  const storage: Storage = {
    ...inner,
    async read(bucketId, range) {
      reads++;
      return inner.read(bucketId, range);
    },
  };
  return { storage, reads: () => reads };
}

/** One whose versions come from elsewhere, so that they have to be waited for. */
function distant(inner: Storage): Storage {
  return { ...inner, versions: async (ids) => (await inner.versions?.(ids)) ?? [] };
}

async function datesOf(source: EventSource, start: number, end: number): Promise<(readonly [number, number])[]> {
  const { events } = await source.readEvents(ID, start, end, ignore);
  return events.events().map(({ timestamp, duration }) => [timestamp, timestamp + duration]);
}

test("events come newest first, the greater id first, and each cut to the range", async () => {
  const a = { app: "a" };
  const source = createEventSource(await filled(draft(0, 10, a), draft(5, 5, a), draft(5, 0, a), draft(8, 40, a)));
  assert.equal(await datesOf(source, 5, 20), [
    [8, 20],
    [5, 5],
    [5, 10],
    [5, 10],
  ]);
  const { events } = await source.readEvents(ID, 5, 20, ignore);
  assert.equal(Array.from(events.ids ?? []), [4, 3, 2, 1]);
});

test("equal data is one object, whether it comes as values or out of tables", async () => {
  const inner = await filled();
  const texts = ['{"app":"a"}', '{"app":"b"}'];
  const tableOf = (): DataTable => ({
    size: 2,
    textAt: (ref) => texts[ref] as string,
    valueAt: (ref) => JSON.parse(texts[ref] as string) as JsonObject,
  });
  const inTable = (at: number, isKept: boolean): EventBatch =>
    EventBatch.withTable(
      {
        timestamps: Float64Array.of(at, at + 1, at + 2),
        durations: new Float64Array(3),
        ids: Float64Array.of(at, at + 1, at + 2),
        refs: Uint16Array.of(0, 1, 0),
        table: tableOf(),
      },
      isKept,
    );
  const alone = EventBatch.from([
    { id: 7, timestamp: 7, duration: 0, data: { app: "a" } },
    { id: 8, timestamp: 8, duration: 0, data: { app: "b" } },
  ]);
  const storage: Storage = {
    ...inner,
    async read(): Promise<EventRead> {
      async function* batches(): AsyncGenerator<EventBatch> {
        yield inTable(1, true);
        yield inTable(4, false);
        yield alone;
      }
      return { version: undefined, batches: batches() };
    },
  };
  const { events } = await createEventSource(storage).readEvents(ID, 0, 10, ignore);
  assert.equal(
    events.datas.map(({ app }) => app),
    ["b", "a", "a", "b", "a", "a", "b", "a"],
  );
  assert.is(new Set(events.datas).size, 2);
});

test("a batch is read once as long as the bucket stays as it was, also where versions take time", async () => {
  for (const change of [(each: Storage) => each, distant]) {
    const { storage, reads } = counted(change(await filled(draft(1, 1, {}))));
    const source = createEventSource(storage);
    const { events } = await source.readEvents(ID, 0, 10, ignore);
    assert.is((await source.readEvents(ID, 0, 10, ignore)).events, events);
    assert.is(reads(), 1);
    await storage.putEvents(ID, [draft(2, 1, {})]);
    const later = await source.readEvents(ID, 0, 10, ignore);
    assert.is(later.events.length, 2);
    assert.is.not(later.version, undefined);
    assert.is(reads(), 2);
  }
});

test("a part of what was read is what the storage would give for it", async () => {
  const random = randomOf(4);
  for (const shortest of [0, -3]) {
    const drafts = Array.from({ length: 300 }, () =>
      draft(intOf(random, 0, 400), intOf(random, shortest, random() < 0.1 ? 90 : 9), {
        app: `app ${intOf(random, 0, 9)}`,
      }),
    );
    const { storage, reads } = counted(await filled(...drafts));
    const source = createEventSource(storage);
    await source.readEvents(ID, 50, 350, ignore);
    for (let round = 0; round < 60; round++) {
      const start = intOf(random, 50, 350);
      const end = intOf(random, start, 350);
      const { events } = await source.readEvents(ID, start, end, ignore);
      const alone = await createEventSource(storage).readEvents(ID, start, end, ignore);
      assert.equal(events.events(), alone.events.events(), `${start} to ${end}`);
    }
    const own = reads() - 1 - 60;
    assert.ok(shortest < 0 ? own > 0 : own === 0, `${own} further reads with events from ${shortest} on`);
  }
});

test("reads of what is being read wait for it, but not for one that waits itself", async () => {
  const { storage, reads } = counted(await filled(draft(1, 1, {}), draft(5, 1, {})));
  const source = createEventSource(storage);
  const all = [
    [0, 10],
    [0, 10],
    [2, 6],
  ] as const;
  const lengths = (answers: readonly { readonly events: EventBatch }[]): number[] =>
    answers.map(({ events }) => events.length);
  assert.equal(
    lengths(await Promise.all(all.map(([start, end]) => source.readEvents(ID, start, end, ignore)))),
    [2, 2, 2],
  );
  assert.is(reads(), 1);
  await storage.putEvents(ID, [draft(9, 1, {})]);
  let goOn = (): void => {};
  const room = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // It waits once, and has room from then on, as a large query does.
  const held = source.readEvents(ID, 0, 20, () => room);
  assert.is((await source.readEvents(ID, 0, 10, ignore)).events.length, 3);
  goOn();
  assert.is((await held).events.length, 3);
  assert.is(reads(), 3);
});

test("a read that fails leaves those that waited for it to themselves", async () => {
  const { storage } = counted(await filled(draft(1, 1, {})));
  const source = createEventSource(storage);
  const failing = source.readEvents(ID, 0, 10, () => {
    throw new Error("enough");
  });
  const other = source.readEvents(ID, 0, 10, ignore);
  await failing.then(
    () => assert.unreachable(),
    () => undefined,
  );
  assert.is((await other).events.length, 1);
});

test("nothing is kept of a storage that does not notice changes", async () => {
  const { versions, ...inner } = await filled(draft(1, 1, {}));
  const { storage, reads } = counted(inner);
  const source = createEventSource(storage);
  await source.readEvents(ID, 0, 10, ignore);
  await source.readEvents(ID, 0, 10, ignore);
  assert.is(reads(), 2);
  assert.equal(await source.versions([null, ID]), [undefined, undefined]);
  assert.type(versions, "function");
});

test("a range that ends before it begins is empty, and refused for an unknown bucket", async () => {
  const { storage, reads } = counted(await filled(draft(1, 1, {})));
  const source = createEventSource(storage);
  assert.is((await source.readEvents(ID, 10, 0, ignore)).events.length, 0);
  assert.is(await source.countEvents(ID, 10, 0), 0);
  assert.is(reads(), 0);
  for (const ask of [source.readEvents("other", 10, 0, ignore), source.countEvents("other", 10, 0)]) {
    await ask.then(
      () => assert.unreachable(),
      (thrown) => assert.ok(ActivityError.is(thrown) && thrown.code === "NO_SUCH_BUCKET"),
    );
  }
});

test("a result is given again until something that it was made of has changed", async () => {
  for (const change of [(each: Storage) => each, distant]) {
    const storage = change(await filled(draft(1, 1, {})));
    const source = createEventSource(storage);
    const cache = new ResultCache();
    async function keep(use: (noted: EventSource) => Promise<unknown>): Promise<void> {
      const noted = recordReads(source);
      await use(noted.source);
      const reads = noted.reads();
      assert.ok(reads !== undefined);
      cache.put("key", 1, reads);
      assert.is(await cache.get("key", source), 1);
    }
    await keep((noted) => noted.readEvents(ID, 0, 10, ignore));
    await storage.putEvents(ID, [draft(2, 1, {})]);
    assert.is(await cache.get("key", source), undefined);
    await keep((noted) => noted.countEvents(ID, 0, 10));
    await storage.deleteEvents(ID, [1]);
    assert.is(await cache.get("key", source), undefined);
    await keep((noted) => noted.listBuckets());
    await storage.putEvents(ID, [draft(3, 1, {})]);
    assert.is(await cache.get("key", source), 1, "events do not change the list of buckets");
    await storage.updateBucket(ID, { hostname: "other" });
    assert.is(await cache.get("key", source), undefined);
  }
});

test("a run that saw two states of a bucket is not kept", async () => {
  const storage = await filled(draft(1, 1, {}));
  const noted = recordReads(createEventSource(storage));
  await noted.source.readEvents(ID, 0, 10, ignore);
  await storage.putEvents(ID, [draft(2, 1, {})]);
  await noted.source.readEvents(ID, 0, 20, ignore);
  assert.is(noted.reads(), undefined);
});

test("what a read tells counts, not what is asked for before it", async () => {
  const inner = await filled(draft(1, 1, {}));
  let isRacing = true;
  const storage: Storage = {
    ...inner,
    async read(bucketId, range) {
      const read = await inner.read(bucketId, range);
      if (isRacing) await inner.putEvents(ID, [draft(2, 1, {})]);
      isRacing = false;
      return read;
    },
  };
  const source = createEventSource(storage);
  const first = await source.readEvents(ID, 0, 10, ignore);
  const second = await source.readEvents(ID, 0, 10, ignore);
  assert.equal([first.events.length, second.events.length], [1, 2]);
});

test("whoever reads can end it while it reads", async () => {
  const { storage } = counted(await filled(draft(1, 1, {}), draft(2, 1, {})));
  const seen: number[] = [];
  const watch = (events: number): void => {
    seen.push(events);
    throw new Error("enough");
  };
  await createEventSource(storage)
    .readEvents(ID, 0, 10, watch)
    .then(
      () => assert.unreachable(),
      (thrown) => assert.is(thrown.message, "enough"),
    );
  assert.equal(seen, [2]);
});

test.run();
