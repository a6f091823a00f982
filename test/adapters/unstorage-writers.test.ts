// long: 600 s
import { createStorage } from "unstorage";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unstorage } from "../../adapters/unstorage/index.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf, intOf, randomOf, read } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { type Process, SharedKeys } from "./racing-storage.js";
import { fsLiteGround, memoryGround } from "./unstorage-grounds.js";
import { codeOf, expectTakeover } from "./unstorage-takeover.js";

const test = suite("unstorage: writers");

/** `RACE_SEED=7 node --import tsx test/adapters/unstorage-writers.test.ts` repeats one run. */
const SEEDS =
  process.env.RACE_SEED === undefined
    ? Array.from({ length: sizeOf("RACES", { short: 40, long: 300 }) }, (_, index) => index + 1)
    : [];
if (process.env.RACE_SEED !== undefined) SEEDS.push(Number(process.env.RACE_SEED));

for (const ground of [memoryGround(), fsLiteGround()]) {
  test(`${ground.driver}: a second opening takes over what was acknowledged, and shuts the first writer out`, async () => {
    try {
      await expectTakeover(await ground.newPlace());
    } finally {
      await ground.finish();
    }
  });
}

async function openAs(process: Process): Promise<Storage> {
  const storage = unstorage({ storage: process, cacheBytes: 0 });
  await storage.ready();
  return storage;
}

test("a writer that crashed blocks nobody", async () => {
  const shared = createStorage();
  const crashed = unstorage({ storage: shared });
  await crashed.createBucket(bucketOf("window"));
  const second = unstorage({ storage: shared });
  assert.is((await second.listBuckets()).length, 1);
  await second.close();
});

test("a reader of a writer that was shut out is told so, not that its data are damaged", async () => {
  const shared = createStorage();
  const first = unstorage({ storage: shared, cacheBytes: 0 });
  await first.createBucket(bucketOf("window"));
  await first.putEvents(
    "window",
    Array.from({ length: 8_000 }, (_, index) => draftOf(index)),
  );
  const { batches } = await first.read("window", { order: "oldest" });
  const reader = batches[Symbol.asyncIterator]();
  await reader.next();
  const second = unstorage({ storage: shared });
  await second.deleteBucket("window");
  while ((await shared.getKeys()).some((key) => key.includes("segment"))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await second.close();
  const rest = async (): Promise<void> => {
    while ((await reader.next()).done !== true);
  };
  assert.is(await codeOf(rest()), "STORAGE_LOCKED");
  await first.close();
});

test("two that open at the same moment do not both become the writer", async () => {
  for (let round = 0; round < 20; round++) {
    const keys = new SharedKeys(randomOf(round));
    const openings = await Promise.allSettled([1, 2, 3].map(() => openAs(keys.newProcess())));
    const opened = openings.flatMap((opening) => (opening.status === "fulfilled" ? [opening.value] : []));
    for (const { reason } of openings.filter((opening) => opening.status === "rejected")) {
      assert.ok(ActivityError.is(reason) && reason.code === "STORAGE_LOCKED", `round ${round}: ${reason}`);
    }
    const writers = await Promise.all(opened.map((storage) => codeOf(storage.settings.put("key", 1))));
    assert.ok(writers.filter((code) => code === "accepted").length <= 1, `round ${round}: ${writers}`);
    await Promise.all(opened.map((storage) => storage.close()));
  }
});

/** What was acknowledged by anybody, and so must be found by whoever opens afterwards. */
interface Ledger {
  readonly labels: Set<string>;
  readonly deleted: Set<string>;
  /** In doubt: they may be there or not. */
  readonly refused: Set<string>;
  readonly ids: Set<number>;
}

async function labelsIn(storage: Storage): Promise<Set<string>> {
  const labels = new Set<string>();
  for (const { id } of await storage.listBuckets()) {
    for (const { data } of await read(storage, id)) labels.add(String(data.label));
  }
  for (const key of (await storage.settings.list()).keys()) labels.add(key);
  return labels;
}

/** Demands what `before` says, as far as `ledger` has not moved on since. */
function expectAll(found: ReadonlySet<string>, before: Ledger, ledger: Ledger, when: string): void {
  for (const label of before.labels) {
    assert.ok(found.has(label) || !ledger.labels.has(label), `${when}: ${label} was acknowledged and is lost`);
  }
  for (const label of before.deleted) assert.not.ok(found.has(label), `${when}: ${label} was deleted and is back`);
  for (const label of found) {
    const isKnown = [ledger.labels, ledger.refused, ledger.deleted].some((labels) => labels.has(label));
    assert.ok(isKnown, `${when}: ${label} came from nowhere`);
  }
}

/** One process: opens, looks, writes until it is refused or dies. */
async function live(process: Process, ledger: Ledger, random: () => number, name: string): Promise<void> {
  const before: Ledger = { ...ledger, labels: new Set(ledger.labels), deleted: new Set(ledger.deleted) };
  let storage: Storage;
  try {
    storage = await openAs(process);
  } catch (thrown) {
    if (ActivityError.is(thrown) && thrown.code === "STORAGE_LOCKED") return;
    throw thrown;
  }
  const found = await labelsIn(storage).catch((thrown: unknown) => {
    assert.ok(ActivityError.is(thrown) && thrown.code === "STORAGE_LOCKED", `${name} reads: ${thrown}`);
    return undefined;
  });
  for (let call = 0; call < 6; call++) {
    const calls = ["a", "b"].map((letter) => write(storage, ledger, random, `${name} call ${call}${letter}`));
    const accepted = await Promise.all(calls);
    // What it has read counts only if nobody took over meanwhile.
    if (call === 0 && accepted.includes(true) && found !== undefined) expectAll(found, before, ledger, name);
    if (accepted.includes(false)) break;
  }
  await storage.close();
}

async function write(storage: Storage, ledger: Ledger, random: () => number, label: string): Promise<boolean> {
  const bucketId = `bucket ${intOf(random, 1, 2)}`;
  const kind = random();
  const count = kind < 0.2 ? 300 : 1;
  const labels = kind > 0.9 ? [] : Array.from({ length: count }, (_, index) => `${label}.${index}`);
  const victims = kind > 0.9 ? [...ledger.labels].filter((known) => !known.includes("setting")).slice(0, 5) : [];
  for (const each of labels) ledger.refused.add(each);
  try {
    await storage.createBucket(bucketOf(bucketId));
    if (kind > 0.9) await remove(storage, ledger, bucketId, victims);
    else if (kind > 0.7) await storage.settings.put(labels[0] as string, 1);
    else {
      const drafts = labels.map((each) => draftOf(intOf(random, 0, 500), 1, each));
      const stored = count > 1 || kind < 0.4 ? await storage.putEvents(bucketId, drafts) : [];
      if (stored.length === 0) stored.push(await storage.heartbeat(bucketId, drafts[0] as (typeof drafts)[0], 0));
      for (const { id } of stored) {
        assert.not.ok(ledger.ids.has(id), `${label}: id ${id} was given out twice`);
        ledger.ids.add(id);
      }
    }
  } catch (thrown) {
    assert.ok(ActivityError.is(thrown) && thrown.code === "STORAGE_LOCKED", `${label}: ${thrown}`);
    return false;
  }
  for (const each of labels) {
    ledger.refused.delete(each);
    ledger.labels.add(each);
  }
  return true;
}

async function remove(storage: Storage, ledger: Ledger, bucketId: string, victims: readonly string[]): Promise<void> {
  const events = (await read(storage, bucketId)).filter(({ data }) => victims.includes(String(data.label)));
  // Until the deletion is acknowledged it is in doubt.
  for (const { data } of events) {
    ledger.labels.delete(String(data.label));
    ledger.refused.add(String(data.label));
  }
  await storage.deleteEvents(bucketId, idsOf(events));
  for (const { data } of events) {
    ledger.refused.delete(String(data.label));
    ledger.deleted.add(String(data.label));
  }
}

async function race(seed: number): Promise<void> {
  const random = randomOf(seed);
  const keys = new SharedKeys(random);
  const ledger: Ledger = { labels: new Set(), deleted: new Set(), refused: new Set(), ids: new Set() };
  const machine = async (number: number): Promise<void> => {
    for (let round = 0; round < 5; round++) {
      const process = keys.newProcess();
      const living = live(process, ledger, random, `machine ${number} round ${round}`);
      let turns = random() < 0.5 ? intOf(random, 1, 400) : Number.POSITIVE_INFINITY;
      let isOver = false;
      const over = living.finally(() => {
        isOver = true;
      });
      over.catch(() => undefined);
      for (; !isOver && turns > 0; turns--) await new Promise(setImmediate);
      // Half of the processes die in the middle of something.
      if (isOver) await over;
      else process.isDead = true;
    }
  };
  await Promise.all([1, 2, 3].map(machine));
  const last = await openAs(keys.newProcess());
  expectAll(await labelsIn(last), ledger, ledger, "in the end");
  await last.close();
}

for (const seed of SEEDS) {
  test(`seed ${seed}: writers that take over from each other and die lose nothing acknowledged`, () => race(seed));
}

test.run();
