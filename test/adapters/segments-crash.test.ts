// The segment engine on a store that fails, and through kills and power cuts at any call of it: what an opening finds is
// the state of one moment, and none before the last one that was promised to survive.
// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createKeySource } from "../../adapters/segments/encryption.js";
import { createSegmentStorage } from "../../adapters/segments/index.js";
import { newRing, wrapRing } from "../../adapters/segments/key-ring.js";
import { sealedStore } from "../../adapters/segments/sealed-store.js";
import type { SegmentStore } from "../../adapters/segments/store.js";
import { Vault } from "../../adapters/segments/vault.js";
import type { EventBatch } from "../../src/domain/batch.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import { silentLogger } from "../../src/logger.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, drain, intOf, randomOf, read } from "../contract/case.js";
import { streamOf, transact } from "../contract/transacting.js";
import { sizeOf } from "../faults/sizes.js";
import { type Fate, SimulatedDisk, SimulatedStore } from "./simulated-store.js";

const test = suite("segment engine: failures and crashes");

/** Runs on a store that works, and on one that fails. */
const SOUND = sizeOf("SOUND_SEEDS", { short: 1, long: 8 });
const FAILING = sizeOf("FAILING_SEEDS", { short: 1, long: 12 });
/** How often the process of a run ends. */
const LIVES = sizeOf("CRASH_LIVES", { short: 2, long: 4 });

/** A store whose log failed is not asked again for so long. */
const RETRY_MILLIS = 250;

/** How far the clock of the engine is ahead, so that nobody waits for it. */
let ahead = 0;

async function withOwnClock(body: () => Promise<void>): Promise<void> {
  const now = performance.now.bind(performance);
  performance.now = () => now() + ahead;
  try {
    await body();
  } finally {
    Reflect.deleteProperty(performance, "now");
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

type Mode = "process-crash" | "power-loss";
/** A call that does the same to every storage of equal content, whatever ids that gives. */
type Step = (storage: Storage) => Promise<unknown>;

const BUCKETS = ["a", "b", "c"];

/** What buckets held when they were looked at last, by the version of the read. */
type Known = Map<string, { readonly version: string | undefined; readonly text: string }>;

/**
 * Everything but ids, which are not given out twice and so depend on what was lost.
 *
 * @param known of the reference, whose versions are believed; the storage under test is read
 */
async function contentOf(storage: Storage, known?: Known): Promise<string> {
  const buckets: unknown[] = [];
  for (const { id } of (await storage.listBuckets()).sort((x, y) => (x.id < y.id ? -1 : 1))) {
    const { version, batches } = await storage.read(id, { order: "oldest" });
    const last = known?.get(id);
    const isKnown = last !== undefined && version !== undefined && last.version === version;
    const text = isKnown ? last.text : await textOf(batches);
    known?.set(id, { version, text });
    buckets.push([id, text]);
  }
  const moves = (await storage.records("moves").get("count")) ?? 0;
  return JSON.stringify([buckets, [...(await storage.settings.list())].sort(), moves]);
}

async function textOf(batches: AsyncIterable<EventBatch>): Promise<string> {
  const rows: string[] = [];
  for await (const batch of batches) {
    for (let at = 0; at < batch.length; at++) {
      rows.push(`${batch.timestamps[at]} ${batch.durations[at]} ${batch.textAt(at)}`);
    }
  }
  return rows.sort().join("\n");
}

/** Events in an order that does not depend on ids. */
async function sortedEvents(storage: Storage, bucketId: string): Promise<StoredEvent[]> {
  const events = await read(storage, bucketId, { order: "oldest" });
  const key = ({ timestamp, duration, data }: StoredEvent): string => JSON.stringify([timestamp, duration, data]);
  return events.sort((x, y) => x.timestamp - y.timestamp || (key(x) < key(y) ? -1 : 1));
}

/** Each draft has a time of its own, so that equal content means equal order. */
class Steps {
  readonly #random: () => number;
  #now = 0;
  #label = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  #drafts(count: number): EventDraft[] {
    const isLate = this.#random() < 0.3;
    return Array.from({ length: count }, () => {
      this.#now += 7;
      const timestamp = isLate ? intOf(this.#random, 0, this.#now) * 7 + 3 + (this.#label % 4) : this.#now * 7;
      return draftOf(timestamp, 1, this.#label++);
    });
  }

  next(): Step {
    const random = this.#random;
    const bucketId = BUCKETS[intOf(random, 0, BUCKETS.length - 1)] as string;
    const kind = random();
    const [first, count] = [random(), intOf(random, 1, 9)];
    if (kind < 0.06) return (storage) => storage.createBucket(bucketOf(bucketId));
    if (kind < 0.08) return (storage) => storage.deleteBucket(bucketId);
    if (kind < 0.11) return (storage) => storage.settings.put(bucketId, first);
    if (kind < 0.13) {
      const to = first < 0.3 ? "d" : (BUCKETS.find((id) => id !== bucketId) as string);
      return (storage) => move(storage, bucketId, to);
    }
    if (kind < 0.2) {
      const drafts = this.#drafts(random() < 0.4 ? intOf(random, 520, 900) : intOf(random, 1, 200));
      return (storage) => storage.putEvents(bucketId, drafts);
    }
    if (kind < 0.3) {
      return async (storage) => {
        const events = await sortedEvents(storage, bucketId);
        const from = Math.floor(first * events.length);
        const ids = events.slice(from, from + count).map(({ id }) => id);
        return storage.deleteEvents(bucketId, ids);
      };
    }
    if (kind < 0.38) {
      return async (storage) => {
        const events = await sortedEvents(storage, bucketId);
        const from = Math.floor(first * events.length);
        const edits = events.slice(from, from + count).map((event) => ({ ...event, duration: event.duration + 2 }));
        return storage.putEvents(bucketId, edits);
      };
    }
    this.#now += 3;
    const beat = draftOf(this.#now * 7, 0, first < 0.5 ? "steady" : this.#label++);
    return (storage) => storage.heartbeat(bucketId, beat, 1000);
  }
}

/** Renames a bucket, or puts its events into the one that is there; a record counts it. */
async function move(storage: Storage, from: string, to: string): Promise<boolean> {
  return transact(storage, [to, from], async (view) => {
    if ((await view.getBucket(from)) === undefined) return [];
    const count = await view.getRecord("moves", "count");
    const counted = { kind: "record", recordKind: "moves", key: "count", expected: count } as const;
    const changes = [{ ...counted, value: Number(count ?? 0) + 1 }];
    if ((await view.getBucket(to)) === undefined) return [...changes, { kind: "rename", bucketId: from, newId: to }];
    const { batches } = await view.read(from, { order: "oldest" });
    const events = (await drain(batches)).map(({ timestamp, duration, data }) => ({ timestamp, duration, data }));
    return [
      { kind: "delete", bucketId: from },
      { kind: "putEvents", bucketId: to, drafts: streamOf(events, 300) },
      ...changes,
    ];
  });
}

/** Carries a step out; a bucket that is not there is an answer like any other. */
async function outcome(step: Step, storage: Storage): Promise<"done" | "refused" | "doubtful"> {
  try {
    await step(storage);
    return "done";
  } catch (thrown) {
    if (ActivityError.is(thrown) && thrown.code === "NO_SUCH_BUCKET") return "done";
    if (ActivityError.is(thrown) && (thrown.code === "STORAGE_FAILED" || thrown.code === "STORAGE_FULL")) {
      return /may be/.test(thrown.message) ? "doubtful" : "refused";
    }
    throw thrown;
  }
}

/** What stands between the engine and the store. */
type Wrap = (store: SegmentStore) => SegmentStore | Promise<SegmentStore>;

const plain: Wrap = (store) => store;

const KEY = new Uint8Array(32).fill(5);
const RING = wrapRing(newRing(), KEY);

const sealed: Wrap = async (store) => {
  const vault = new Vault(createKeySource({ key: KEY }));
  await vault.pass(RING, { name: store.name, isNew: false });
  return sealedStore(store, vault);
};

const FAILURES: readonly Fate[] = ["fails", "fails, but counts"];
const DEATHS: readonly Fate[] = ["dies before", "dies behind"];

interface Life {
  readonly mode: Mode;
  readonly seed: number;
  readonly failureRate: number;
  readonly wrap?: Wrap;
}

interface Tally {
  crashes: number;
  failures: number;
}

async function play({ mode, seed, failureRate, wrap = plain }: Life, tally: Tally): Promise<void> {
  const random = randomOf(seed);
  const steps = new Steps(random);
  let disk = new SimulatedDisk();
  let history: Step[] = [];
  for (let life = 0; life < LIVES; life++) {
    const shadow = memory();
    const known: Known = new Map();
    for (const step of history) await outcome(step, shadow);
    const states = [await contentOf(shadow, known)];
    let callsToLive = intOf(random, 5, 160);
    let die: (result: "dead") => void = () => undefined;
    const death = new Promise<"dead">((resolve) => {
      die = resolve;
    });
    const store = new SimulatedStore(disk, mode === "power-loss", (call) => {
      if (--callsToLive === 0) {
        // What is answered all the same is answered by then.
        setTimeout(die, 5, "dead");
        return DEATHS[intOf(random, 0, 1)] as Fate;
      }
      if (call !== "recover" && random() >= failureRate) return "works";
      if (call === "recover" && random() < 0.7) return "works";
      tally.failures++;
      return FAILURES[intOf(random, 0, 1)] as Fate;
    });
    const storage = createSegmentStorage({
      openStore: () => wrap(store),
      traits: { adapter: "simulated", durability: mode, snapshotReads: true, multiProcess: false },
      cacheBytes: 1e6,
      logger: silentLogger,
    });
    await storage.ready();
    const what = `${mode}, seed ${seed}, life ${life}`;
    assert.is(await contentOf(storage), states[0], `${what}: opened as it was found`);
    /** The earliest state that a power cut may bring back. */
    let promised = 0;
    const lived: Step[] = [];
    for (;;) {
      const step = steps.next();
      const result = await Promise.race([outcome(step, storage), death]);
      while (result === "doubtful" && (await storage.health?.())?.state === "read-only" && callsToLive > 0)
        await pause();
      if (result === "dead" || (result === "doubtful" && callsToLive <= 0)) {
        // It may have been done, or not.
        lived.push(step);
        await outcome(step, shadow);
        states.push(await contentOf(shadow, known));
        break;
      }
      if (result === "refused") {
        assert.is(await contentOf(storage), states.at(-1), `${what}: a refused step changes nothing`);
        ahead += RETRY_MILLIS;
        await pause();
        continue;
      }
      if (result === "doubtful" && (await contentOf(storage)) === states.at(-1)) continue;
      lived.push(step);
      await outcome(step, shadow);
      states.push(await contentOf(shadow, known));
      if (lived.length % 5 === 0) assert.is(await contentOf(storage), states.at(-1), `${what}: as the reference`);
      if (mode === "power-loss" || disk.forced === disk.log.length) promised = states.length - 1;
    }
    tally.crashes++;
    const event = random() < 0.5 ? "kill" : "power cut";
    if (event === "kill") promised = states.length - 2;
    store.die();
    disk = disk.after(event, random);
    const found = await openedContent(disk.after("kill", random), mode, wrap);
    const at = states.indexOf(found, promised);
    assert.ok(at >= 0, `${what}, ${event}: not a state since the promised one (${promised} of ${states.length})`);
    history = [...history, ...lived.slice(0, at)];
  }
}

/** @param disk a copy of its own: an open storage cleans up in the background */
async function openedContent(disk: SimulatedDisk, mode: Mode, wrap: Wrap): Promise<string> {
  const storage = createSegmentStorage({
    openStore: () => wrap(new SimulatedStore(disk, true, () => "works")),
    traits: { adapter: "simulated", durability: mode, snapshotReads: true, multiProcess: false },
    cacheBytes: 1e6,
    logger: silentLogger,
  });
  const content = await contentOf(storage);
  assert.equal((await storage.verify()).problems, []);
  await storage.close();
  return content;
}

for (const mode of ["process-crash", "power-loss"] as const) {
  test(`${mode}: a store that works, kills and power cuts`, async () => {
    const tally = { crashes: 0, failures: 0 };
    for (let seed = 1; seed <= SOUND; seed++) await withOwnClock(() => play({ mode, seed, failureRate: 0 }, tally));
    assert.is(tally.crashes, SOUND * LIVES);
  });

  test(`${mode}: a store whose calls fail every now and then, kills and power cuts`, async () => {
    const tally = { crashes: 0, failures: 0 };
    for (let seed = 1; seed <= FAILING; seed++)
      await withOwnClock(() => play({ mode, seed, failureRate: 0.05 }, tally));
    // How many calls there are depends on what runs in the background.
    assert.ok(tally.failures >= FAILING, `${tally.failures} failures`);
  });

  test(`${mode}: the same where everything is encrypted`, async () => {
    const tally = { crashes: 0, failures: 0 };
    for (let seed = 1; seed <= FAILING; seed++) {
      await withOwnClock(() => play({ mode, seed: 100 + seed, failureRate: 0.05, wrap: sealed }, tally));
    }
    assert.ok(tally.failures >= FAILING, `${tally.failures} failures`);
  });
}

test.run();
