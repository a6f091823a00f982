// Records in memory: how old they may be when they decide about a request.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../src/domain/json.js";
import { RecordCache, RecordCaches } from "../../src/service/access/record-cache.js";
import type { RecordStore } from "../../src/storage/records.js";

const test = suite("records in memory");

interface Scene {
  readonly memory: RecordCaches;
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
  const memory = new RecordCaches(() => scene.now);
  const cache = new RecordCache<JsonValue>(
    () => store,
    (value) => value,
    memory,
  );
  const scene: Scene = { memory, cache, stored, now: 10_000, reads: 0, failure: undefined };
  return scene;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("a change of another process is seen by the first request after a long pause", async () => {
  const scene = inScene();
  await scene.memory.ready();
  assert.is(scene.cache.all.get("a"), 1);
  scene.stored.delete("a");
  scene.now += 3001;
  const [first, second] = [scene.memory.ready(), scene.memory.ready()];
  assert.is(first, second, "all wait for the same reading");
  await first;
  assert.not(scene.cache.all.has("a"));
  assert.is(scene.reads, 2);
});

test("records are read again in the background while they are not old", async () => {
  const scene = inScene();
  await scene.memory.ready();
  scene.stored.set("b", 2);
  scene.now += 1000;
  assert.is(scene.memory.ready(), undefined);
  assert.is(scene.reads, 1);
  scene.now += 1;
  assert.is(scene.memory.ready(), undefined);
  assert.not(scene.cache.all.has("b"));
  await turn();
  assert.is(scene.cache.all.get("b"), 2);
  assert.is(scene.reads, 2);
});

test("old records that cannot be read again decide nothing", async () => {
  const scene = inScene();
  await scene.memory.ready();
  scene.failure = new Error("out of reach");
  scene.now += 2000;
  assert.is(scene.memory.ready(), undefined);
  await turn();
  scene.now += 2000;
  const reason = await scene.memory.ready()?.then(
    () => "none",
    (error: Error) => error.message,
  );
  assert.is(reason, "out of reach");
  scene.failure = undefined;
  await scene.memory.ready();
  assert.is(scene.cache.all.get("a"), 1);
});

test("a lookup before anything is read is a mistake, not an empty result", () => {
  assert.throws(() => inScene().cache.all, /before they are read/);
});

test("if one kind of several was changed past its cache, the next request waits for it, and reads no other", async () => {
  const scene = inScene();
  let reads = 0;
  const store = { list: async () => new Map<string, JsonValue>([["n", ++reads]]) } as unknown as RecordStore;
  const other = new RecordCache<JsonValue>(
    () => store,
    (value) => value,
    scene.memory,
  );
  await scene.memory.ready();
  assert.equal([scene.reads, other.all.get("n")], [1, 1]);
  other.forget();
  await scene.memory.ready();
  assert.equal([scene.reads, other.all.get("n")], [1, 2]);
  assert.is(scene.memory.ready(), undefined);
});

test("a kind that was changed past its cache during a reading is read once more before anybody continues", async () => {
  const scene = inScene();
  const first = scene.memory.ready();
  scene.stored.set("b", 2);
  scene.cache.forget();
  await first;
  assert.is(scene.reads, 2);
  assert.ok(scene.cache.all.has("b"));
});

test("a call that finds the records in memory does not overtake those that have waited for them", async () => {
  const scene = inScene();
  const order: string[] = [];
  const call = (name: string): void => {
    const waiting = scene.memory.ready();
    if (waiting === undefined) order.push(name);
    else void waiting.then(() => order.push(name));
  };
  call("first");
  // At each step that the reading takes.
  for (let step = 0; step < 12; step++) {
    call(`${step}`);
    await undefined;
  }
  await turn();
  assert.equal(order, ["first", ...Array.from({ length: 12 }, (_, step) => `${step}`)]);
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
  const memory = new RecordCaches(() => 0);
  const cache = new RecordCache<JsonValue>(
    () => store,
    (value) => value,
    memory,
  );
  return { memory, cache, stored, outcomes };
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
    const { memory, cache, outcomes } = scene;
    await memory.ready();
    const touching = cache.change("a", () => 2);
    await turn();
    await end(scene);
    outcomes[0]?.();
    await touching;
    await memory.ready();
    assert.not(cache.all.has("a"));
  });
}

test.run();
