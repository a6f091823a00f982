// Records in memory: how old they may be when they decide about a request.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../src/domain/json.js";
import { RecordCache } from "../../src/service/access/record-cache.js";
import type { RecordStore } from "../../src/storage/records.js";

const test = suite("records in memory");

interface Scene {
  readonly cache: RecordCache<JsonValue>;
  readonly stored: Map<string, JsonValue>;
  now: number;
  reads: number;
  failure: Error | undefined;
}

function inScene(): Scene {
  const stored = new Map<string, JsonValue>([["a", 1]]);
  const store = {
    list: async () => {
      scene.reads++;
      if (scene.failure !== undefined) throw scene.failure;
      return new Map(stored);
    },
  } as unknown as RecordStore;
  const cache = new RecordCache(
    () => store,
    (value) => value,
    () => scene.now,
  );
  const scene: Scene = { cache, stored, now: 10_000, reads: 0, failure: undefined };
  return scene;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("a change of another process is seen by the first request after a long pause", async () => {
  const scene = inScene();
  assert.is((await scene.cache.all()).get("a"), 1);
  scene.stored.delete("a");
  scene.now += 3001;
  const [first, second] = [scene.cache.all(), scene.cache.all()];
  assert.is(first, second, "all wait for the same reading");
  assert.not((await first).has("a"));
  assert.is(scene.reads, 2);
});

test("records are read anew behind a request while they are not old", async () => {
  const scene = inScene();
  await scene.cache.all();
  scene.stored.set("b", 2);
  scene.now += 1000;
  assert.not("then" in scene.cache.all());
  assert.is(scene.reads, 1);
  scene.now += 1;
  const held = scene.cache.all();
  assert.not("then" in held || held.has("b"));
  await turn();
  assert.is((await scene.cache.all()).get("b"), 2);
  assert.is(scene.reads, 2);
});

test("old records that cannot be read again decide about nothing", async () => {
  const scene = inScene();
  await scene.cache.all();
  scene.failure = new Error("out of reach");
  scene.now += 2000;
  assert.not("then" in scene.cache.all());
  await turn();
  scene.now += 2000;
  const reason = await Promise.resolve(scene.cache.all()).then(
    () => "none",
    (error: Error) => error.message,
  );
  assert.is(reason, "out of reach");
  scene.failure = undefined;
  assert.is((await scene.cache.all()).get("a"), 1);
});

/** A store that tells the outcome of each change when it is asked to; it is stored at once. */
function withHeldOutcomes() {
  const stored = new Map<string, JsonValue>([["a", 1]]);
  const outcomes: (() => void)[] = [];
  const store = {
    list: async () => new Map(stored),
    get: async (key: string) => stored.get(key),
    compareAndSet: async (key: string, expected: JsonValue | undefined, value: JsonValue | undefined) => {
      const isExpected = stored.get(key) === expected;
      if (isExpected && value === undefined) stored.delete(key);
      else if (isExpected) stored.set(key, value as JsonValue);
      await new Promise<void>((resolve) => outcomes.push(resolve));
      return isExpected;
    },
  } as unknown as RecordStore;
  const cache = new RecordCache<JsonValue>(
    () => store,
    (value) => value,
    () => 0,
  );
  return { cache, stored, outcomes };
}

for (const [name, end] of Object.entries({
  "by a change here": async ({ cache, outcomes }: ReturnType<typeof withHeldOutcomes>) => {
    const ending = cache.change("a", () => undefined);
    await turn();
    outcomes[1]?.();
    await ending;
  },
  "past the cache": async ({ cache, stored }: ReturnType<typeof withHeldOutcomes>) => {
    stored.delete("a");
    cache.deleted("a");
  },
})) {
  test(`a record that was deleted ${name} does not come back when an earlier change of it is told later`, async () => {
    const scene = withHeldOutcomes();
    const { cache, outcomes } = scene;
    await cache.all();
    const touching = cache.change("a", () => 2);
    await turn();
    await end(scene);
    outcomes[0]?.();
    await touching;
    assert.not((await cache.all()).has("a"));
  });
}

test.run();
