// Calls of a storage that is opened by the first of them, and one opening for several storages.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../adapters/memory.js";
import { ActivityError, createActivityServer, type Storage } from "../src/index.js";
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

test("one storage of two servers is closed for both by the first of them", async () => {
  const storage = sharing().make();
  const [one, two] = [createActivityServer({ storage }), createActivityServer({ storage })];
  await Promise.all([one.buckets.list(), two.buckets.list()]);
  await one.close();
  const failure: unknown = await two.buckets.list().catch((thrown: unknown) => thrown);
  assert.ok(ActivityError.is(failure) && failure.code === "STORAGE_CLOSED");
  await two.close();
});

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
