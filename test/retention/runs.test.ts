import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";
import { silentLogger } from "../../src/logger.js";
import { BucketAccessRules } from "../../src/service/access/bucket-access.js";
import { Retention } from "../../src/service/retention/retention.js";
import { TrustedClock } from "../../src/service/trusted-clock.js";
import type { EventRead, Storage } from "../../src/storage/storage.js";

const test = suite("runs of retention");

const NOW = Date.parse("2024-06-01T12:00:00Z");
const DAY = 86_400_000;
/** A run with this share pauses for minutes after its first transaction. */
const VERY_SLOW = 1e-4;

interface Scene {
  readonly retention: Retention;
  readonly storage: Storage;
  /** Pauses for minutes after its first transaction. */
  runSlowly(): ReturnType<Retention["run"]>;
  /** Adds a bucket with events, by default for two transactions, all older than a year. */
  add(bucketId: string, count?: number, gapMillis?: number): Promise<void>;
  keepAYear(...buckets: readonly string[]): Promise<void>;
  /** Resolves when events were deleted. */
  deleted(): Promise<unknown>;
}

function createScene(storage: Storage = memory()): Scene {
  const logger = silentLogger;
  const clock = (): number => NOW;
  let wake = (_bucketId: string): void => undefined;
  const ages = new TrustedClock({ storage, clock, logger });
  const access = new BucketAccessRules(storage);
  const retention = new Retention({ storage, access, logger, clock, ages });
  return {
    retention,
    runSlowly: () => retention.run(VERY_SLOW, (bucketId) => wake(bucketId)),
    storage,
    async add(id, count = 1200, gapMillis = 600_000) {
      await storage.createBucket({ id, type: "t", client: "c", hostname: "h", name: null, created: 0, data: {} });
      const timestamp = (index: number): number => (NOW - 400 * DAY + (index + 1) * gapMillis) * 1000;
      const drafts = Array.from({ length: count }, (_, index) => ({
        timestamp: timestamp(index),
        duration: 1,
        data: {},
      }));
      await storage.putEvents(id, drafts);
    },
    keepAYear: (...buckets) =>
      storage.settings.put(
        "retention_rules",
        buckets.map((bucket) => ({ buckets: bucket, keepDays: 365 })),
      ),
    deleted: () => new Promise((resolve) => (wake = resolve)),
  };
}

test("what the owner asks for does not wait for a slow run, and goes by the rules of now", async () => {
  const { retention, runSlowly, storage, add, keepAYear, deleted } = createScene();
  await add("a");
  await add("b");
  await keepAYear("a");
  const slow = runSlowly();
  await deleted();
  await keepAYear("b");
  const { buckets } = await retention.runNow();
  assert.equal(buckets, [{ bucketId: "b", expired: 1200, short: 0, summarized: 0, summaries: 0 }]);
  const left = await storage.countEvents("a");
  assert.equal(await slow, {
    time: NOW * 1000,
    buckets: [{ bucketId: "a", expired: 1200 - left, short: 0, summarized: 0, summaries: 0 }],
  });
  assert.ok(left > 0);
});

test("two runs that the owner asks for come one after the other", async () => {
  const { retention, add, keepAYear } = createScene();
  await add("a");
  await keepAYear("a");
  const runs = await Promise.all([retention.runNow(), retention.runNow()]);
  assert.equal(
    runs.map(({ buckets }) => buckets.map(({ expired }) => expired)),
    [[1200], []],
  );
});

test("a slow run that waits its turn makes way for what the owner asks for", async () => {
  const { retention, runSlowly, add, keepAYear } = createScene();
  await add("a");
  await keepAYear("a");
  const first = retention.runNow();
  const slow = runSlowly();
  await add("b");
  await keepAYear("a", "b");
  await Promise.all([first, slow, retention.runNow()]);
  assert.equal(await retention.preview(), []);
});

test("closing ends a run that pauses", async () => {
  const { retention, runSlowly, storage, add, keepAYear, deleted } = createScene();
  await add("a");
  await keepAYear("a");
  const slow = runSlowly();
  await deleted();
  await retention.close();
  assert.is((await slow).buckets.length, 1);
  assert.ok((await storage.countEvents("a")) > 0);
});

test("a server that closes ends a run that the owner asked for after its current transaction", async () => {
  const storage = memory();
  const { add, keepAYear } = createScene(storage);
  for (const id of ["a", "b", "c"]) await add(id);
  await keepAYear("*");
  let transactions = 0;
  let closing: Promise<void> | undefined;
  const server = createActivityServer({
    storage: {
      ...storage,
      transact(...args) {
        transactions++;
        // Closing waits for it.
        closing ??= server.close();
        return storage.transact?.(...args) ?? Promise.resolve(false);
      },
    },
    clock: () => NOW,
  });
  const { buckets } = await server.retention.run();
  assert.equal([transactions, buckets.length], [1, 1]);
  await closing;
});

test("closing while a run reads lets it change nothing more", async () => {
  const storage = memory();
  let pulls = 0;
  const { retention, add, keepAYear } = createScene({
    ...storage,
    async read(id, range) {
      const { version, batches } = await storage.read(id, range);
      async function* closing(): typeof batches {
        for await (const batch of batches) {
          if (++pulls === 2) void retention.close();
          yield batch;
        }
      }
      return { version, batches: closing() };
    },
  });
  // All but a few in one hour.
  await add("a", 1024, 1000);
  await add("a", 10, 7_200_000);
  await keepAYear("a");
  assert.equal((await retention.run()).buckets, []);
  assert.is(pulls, 2);
  assert.is(await storage.countEvents("a"), 1034);
});

test("closing ends a run that finds nothing to do in a bucket without end", async () => {
  const storage = memory();
  let batches = 0;
  let begun: () => void = () => undefined;
  const reading = new Promise<void>((resolve) => {
    begun = resolve;
  });
  async function* withoutEnd(batch: unknown): AsyncGenerator<unknown> {
    for (;;) {
      batches++;
      begun();
      // Others run in between.
      await new Promise((resolve) => setImmediate(resolve));
      yield batch;
    }
  }
  const proxy = new Proxy(storage, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "read") return value.bind(target);
      return async (id: string): Promise<EventRead> => {
        const read = await target.read(id, {});
        for await (const batch of read.batches) return { ...read, batches: withoutEnd(batch) as EventRead["batches"] };
        return read;
      };
    },
  });
  const { retention, add } = createScene(proxy);
  await add("a");
  // None is shorter.
  await storage.settings.put("retention_rules", [{ buckets: "a", dropShorterThan: 0.000001 }]);
  const running = retention.run();
  await reading;
  await retention.close();
  const taken = batches;
  assert.equal((await running).buckets, []);
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(batches, taken);
});

test.run();
