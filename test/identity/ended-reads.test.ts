// Reads that a merging, an undo or a restoration begins end with it, whatever fails on the way: one that stays open holds
// files that a permanent deletion waits for.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { ActivityServer } from "../../src/index.js";
import type { EventRead, Storage } from "../../src/storage/storage.js";
import { transactOn } from "../../src/storage/transaction.js";
import { type ServedOptions, withServer } from "../harness.js";
import { BUCKET } from "../trash/grounds.js";

const test = suite("reads that end");

const NOON = Date.parse("2024-03-01T12:00:00Z");

/** Counts the reads that are open, and fails at the n-th step of reading. */
class Counted {
  open = 0;
  readonly storage: Storage;
  #left = 0;

  constructor(storage: Storage) {
    this.storage = {
      ...storage,
      settings: storage.settings,
      read: async (...args) => this.#counted(await storage.read(...args)),
      transact: (bucketIds, plan) =>
        transactOn(storage, bucketIds, async (view) => {
          const changes = await plan(this.#wrapped(view));
          this.#step();
          return changes;
        }),
    };
  }

  failAt(nth: number): void {
    this.#left = nth;
  }

  /** @returns whether it did not fail */
  end(): boolean {
    const isWhole = this.#left > 0;
    this.#left = 0;
    return isWhole;
  }

  #step(): void {
    if (this.#left > 0 && --this.#left === 0) throw new Error("failed on purpose");
  }

  #wrapped<View extends object>(view: View): View {
    return new Proxy(view, {
      get:
        (_, name) =>
        async (...args: unknown[]) => {
          this.#step();
          const result: unknown = await (view[name as keyof View] as (...given: unknown[]) => unknown)(...args);
          return name === "read" ? this.#counted(result as EventRead) : result;
        },
    });
  }

  #counted({ version, batches }: EventRead): EventRead {
    this.open++;
    let isOpen = true;
    const end = (): void => {
      if (isOpen) this.open--;
      isOpen = false;
    };
    const pulls = (): AsyncIterator<typeof batches extends AsyncIterable<infer Batch> ? Batch : never> => {
      const iterator = batches[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            this.#step();
            const next = await iterator.next();
            if (next.done === true) end();
            return next;
          } catch (cause) {
            end();
            throw cause;
          }
        },
        return: async () => {
          end();
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    };
    return { version, batches: { [Symbol.asyncIterator]: pulls } };
  }
}

function drafts(count: number, app: string, offset = 0) {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(NOON + 60_000 * index + offset),
    duration: { seconds: 60 },
    data: { app },
  }));
}

/** Does some work with a failure at each step in turn, until it is done. */
async function atEachStep(
  options: ServedOptions,
  prepare: (server: ActivityServer) => Promise<(server: ActivityServer) => Promise<unknown>>,
): Promise<void> {
  const held = memory();
  const counted = new Counted(held);
  await withServer({ door: "process", storage: counted.storage, ...options }, async ({ server }) => {
    const work = await prepare(server);
    assert.is(counted.open, 0, "at first");
    for (let nth = 1; ; nth++) {
      counted.failAt(nth);
      const message = await work(server).then(
        () => "done",
        (thrown: Error) => thrown.message,
      );
      const isWhole = counted.end();
      assert.is(counted.open, 0, `step ${nth}: ${message}`);
      if (!isWhole) continue;
      assert.is(message, "done");
      break;
    }
  });
}

async function makeTwo(server: ActivityServer): Promise<void> {
  await server.buckets.create("into", BUCKET, drafts(2500, "a"));
  await server.buckets.create("from", BUCKET, drafts(2500, "b", 30_000));
}

const MERGE = { overlaps: "cut-older" } as const;

for (const trashDays of [30, 0]) {
  test(`those of a merging, with a trash of ${trashDays} days`, () =>
    atEachStep({ trashDays }, async (server) => {
      await makeTwo(server);
      return () => server.identity.merge("into", { from: ["from"], ...MERGE });
    }));
}

test("those of a preview", () =>
  atEachStep({}, async (server) => {
    await makeTwo(server);
    return () => server.identity.merge("into", { from: ["from"], ...MERGE, preview: true });
  }));

test("those of a preview with a bucket that is not there", () =>
  atEachStep({}, async (server) => {
    await makeTwo(server);
    return () =>
      server.identity.merge("into", { from: ["from", "none"], ...MERGE, preview: true }).catch(() => undefined);
  }));

test("those of an undo", () =>
  atEachStep({}, async (server) => {
    await makeTwo(server);
    const { undo } = await server.identity.merge("into", { from: ["from"], ...MERGE });
    const events = await server.events.read("into", { order: "oldest", limit: 10 }).toArray();
    const merged = events.find(({ data }) => data["app"] === "b");
    await server.buckets.create("third", BUCKET);
    await server.events.move("into", merged?.id as number, "third");
    return () => server.identity.undo(undo as string);
  }));

test("those of a restoration, also one that is refused for its second bucket", async () => {
  for (const isRefused of [false, true]) {
    await atEachStep({}, async (server) => {
      await makeTwo(server);
      const merged = await server.identity.merge("into", { from: ["from"], ...MERGE });
      const [entry] = await server.trash.list();
      assert.is(entry?.buckets.length, 2);
      assert.ok(merged.undo);
      if (isRefused) await server.buckets.create("from", BUCKET);
      return async () => {
        const work = server.trash.restore(entry?.id as string);
        await (isRefused ? work.catch((thrown: Error) => assert.match(thrown.message, /again|purpose/)) : work);
      };
    });
  }
});

test("those of privacy rules over what is stored", () =>
  atEachStep({}, async (server) => {
    await makeTwo(server);
    const rules = [{ when: { key: "app", equals: "a" }, then: { redact: { keys: ["app"] } } }] as const;
    return () => server.privacy.apply({ rules });
  }));

test.run();
