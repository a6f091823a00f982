// Calls of a storage that is opened by the first of them, and one opening for several storages.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../adapters/memory.js";
import {
  ActivityError,
  type ActivityServer,
  createActivityServer,
  type Storage,
  type StorageSource,
} from "../src/index.js";
import { type LazyStorageOptions, lazyStorage } from "../src/storage/lazy-storage.js";

const test = suite("lazy storage");

const { traits } = memory();
const OPTIONS = { own: { traits }, unknown: {} } satisfies Record<string, LazyStorageOptions>;

for (const [name, options] of Object.entries(OPTIONS)) {
  test(`${name} traits: calls keep their order while the storage opens`, async () => {
    const order: number[] = [];
    const inner: Storage = { ...memory(), countEvents: async (bucketId) => order.push(Number(bucketId)) };
    const storage = lazyStorage(async () => inner, options);
    const calls: Promise<number>[] = [];
    for (let turn = 0; turn < 20; turn++) {
      calls.push(storage.countEvents(String(turn)));
      await Promise.resolve();
    }
    await Promise.all(calls);
    assert.equal(
      order,
      Array.from({ length: 20 }, (_, turn) => turn),
    );
    await storage.close();
  });
}

/** Storages that share one opening, which notes what happens to it. */
function sharing(): { readonly notes: string[]; readonly make: (options?: string) => Storage } {
  const notes: string[] = [];
  const key = `test ${Math.random()}`;
  const make = (options = ""): Storage =>
    lazyStorage(
      () => {
        notes.push("open");
        const close = async (): Promise<void> => {
          notes.push("closing");
          await new Promise((resolve) => setImmediate(resolve));
          notes.push("closed");
        };
        return { ...memory(), close };
      },
      {
        traits,
        shared: { key: () => key, options, refusal: () => new ActivityError("STORAGE_LOCKED", "other options") },
      },
    );
  return { notes, make };
}

test("storages share an opening until the last one has closed it, and the next one waits for that", async () => {
  const { notes, make } = sharing();
  const [one, two, next] = [make(), make(), make()];
  await Promise.all([one.ready(), two.ready()]);
  await one.close();
  assert.equal(await two.listBuckets(), []);
  assert.equal(notes, ["open"]);
  const closing = two.close();
  await next.ready();
  assert.equal(notes, ["open", "closing", "closed", "open"]);
  await closing;
  await next.close();
});

/** Every way to give servers one storage. */
const WAYS: Readonly<Record<string, (storage: Storage) => StorageSource>> = {
  "a storage": (storage) => storage,
  "a promise": (storage) => Promise.resolve(storage),
  "a function": (storage) => () => storage,
};

for (const [way, give] of Object.entries(WAYS)) {
  test(`${way}: the last of several servers closes their storage, and a closed one serves nothing of it`, async () => {
    let closed = 0;
    const kept = memory();
    const storage = { ...kept, close: () => kept.close().then(() => void closed++) };
    const servers = Array.from({ length: 3 }, () => createActivityServer({ storage: give(storage) }));
    for (const server of servers) await server.buckets.list();
    const [one, two, three] = servers as [ActivityServer, ActivityServer, ActivityServer];
    await one.buckets.create("b", { type: "t", client: "c", hostname: "h" });
    assert.is((await one.fetch("/api/0/buckets/b/events")).status, 200);
    await Promise.all([one.close(), one.close()]);
    await two.heartbeat("b", { timestamp: "2024-03-01", data: {} }, "1s");
    for (const path of ["buckets", "buckets/b/events", "export"]) {
      assert.is((await one.fetch(`/api/0/${path}`)).status, 503, path);
    }
    const failure: unknown = await one.buckets.list().catch((thrown: unknown) => thrown);
    assert.ok(ActivityError.is(failure) && failure.code === "STORAGE_CLOSED");
    await two.close();
    assert.is(await three.events.count("b"), 1);
    assert.is(closed, 0);
    await three.close();
    assert.is(closed, 1);
  });
}

test("a storage that nobody used is closed without being opened, and so is one with other options", async () => {
  const { notes, make } = sharing();
  await make().close();
  const [one, other] = [make(), make("other")];
  await one.ready();
  const failure: unknown = await other.ready().catch((thrown: unknown) => thrown);
  assert.ok(ActivityError.is(failure) && failure.code === "STORAGE_LOCKED");
  await other.close();
  await one.close();
  assert.equal(notes, ["open", "closing", "closed"]);
});

test("closing waits for a storage that never comes only so long; one that comes later is closed then", async () => {
  let give: (storage: Storage) => void = () => {};
  const storage = lazyStorage(() => new Promise<Storage>((resolve) => (give = resolve)), { graceMillis: 1 });
  const ready = storage.ready();
  await storage.close();
  const closed = new Promise<void>((resolve) => give({ ...memory(), close: async () => resolve() }));
  await ready;
  await closed;
});

test.run();
