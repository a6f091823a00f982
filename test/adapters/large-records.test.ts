// Records of buckets and settings that no commit has yet: a heartbeat writes itself, and not all of them again.
// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createSegmentStorage, type LogBatch } from "../../adapters/segments/index.js";
import type { Storage } from "../../src/index.js";
import { sizeOf } from "../faults/sizes.js";
import { until } from "../http/client.js";
import { type Fate, SimulatedDisk, SimulatedStore } from "./simulated-store.js";

const test = suite("large records");

/** Counts what is written to the log. */
class CountingStore extends SimulatedStore {
  written = 0;

  override append(batch: LogBatch): Promise<void> {
    this.written += batch.text.length;
    return super.append(batch);
  }

  override beginLog(snapshot: LogBatch): Promise<void> {
    this.written += snapshot.text.length;
    return super.beginLog(snapshot);
  }
}

interface Opened {
  readonly storage: Storage;
  readonly store: CountingStore;
}

function opened(disk: SimulatedDisk, fateOf: (call: string) => Fate = () => "works"): Opened {
  const store = new CountingStore(disk, true, fateOf);
  const traits = { durability: "power-loss", isPersistent: true } as unknown as Storage["traits"];
  return { store, storage: createSegmentStorage({ openStore: () => store, traits }) };
}

function bucketOf(id: string, data: object = {}) {
  return { id, type: "t", client: "c", hostname: "h", name: null, created: 0, data: data as Record<string, string> };
}

const BEATS = 20;
/** Of so many calls a process dies at one. */
const STEP = sizeOf("EVERY_DEATH", { short: 3, long: 1 });
const ORDINARY_BUCKETS = sizeOf("ORDINARY_BUCKETS", { short: 10_000, long: 30_000 });

/** What heartbeats write, one after another. */
async function writtenByHeartbeats({ storage, store }: Opened): Promise<number> {
  const before = store.written;
  for (let beat = 0; beat < BEATS; beat++) {
    const draft = { timestamp: 1e15 + beat * 1e6, duration: 0, data: { app: `a${beat}` } };
    await storage.heartbeat("0", draft, 0);
  }
  return store.written - before;
}

const GROUNDS: Readonly<Record<string, (storage: Storage) => Promise<void>>> = {
  "24 buckets with 1 MB of data": async (storage) => {
    for (let at = 0; at < 24; at++) await storage.createBucket(bucketOf(String(at), { text: "x".repeat(1e6) }));
  },
  "8 MB of settings": async (storage) => {
    await storage.createBucket(bucketOf("0"));
    for (let at = 0; at < 8; at++) await storage.settings.put(`key${at}`, "x".repeat(1e6));
  },
  "buckets that were changed": async (storage) => {
    for (let at = 0; at < 8; at++) await storage.createBucket(bucketOf(String(at)));
    for (let at = 0; at < 8; at++) await storage.updateBucket(String(at), { data: { text: "x".repeat(1e6) } });
  },
  [`${ORDINARY_BUCKETS} ordinary buckets`]: async (storage) => {
    const ids = Array.from({ length: ORDINARY_BUCKETS }, (_, at) => String(at));
    await Promise.all(ids.map((id) => storage.createBucket(bucketOf(id, { text: "x".repeat(60) }))));
  },
};

for (const [name, fill] of Object.entries(GROUNDS)) {
  test(`a heartbeat beside ${name} writes itself, also after a restart`, async () => {
    const disk = new SimulatedDisk();
    const first = opened(disk);
    await fill(first.storage);
    const buckets = await first.storage.listBuckets();
    await writtenByHeartbeats(first);
    await until(() => disk.committed.number > 0, "a commit of the records");
    assert.ok((await writtenByHeartbeats(first)) < BEATS * 300, "before a restart");
    // A kill: what follows is read from the log and the commit.
    const second = opened(disk.after("kill", Math.random));
    assert.equal(await second.storage.listBuckets(), buckets);
    await writtenByHeartbeats(second);
    assert.ok((await writtenByHeartbeats(second)) < BEATS * 300, "after a restart");
    assert.ok(second.store.logBytes < 2 * 1024 * 1024, "the log that the next start reads");
    await first.storage.close();
    await second.storage.close();
  });
}

test("a heartbeat writes itself while commits fail, and a restart commits the records", async () => {
  const disk = new SimulatedDisk();
  const { storage, store } = opened(disk, (call) => (call === "commit" ? "fails" : "works"));
  await storage.createBucket(bucketOf("0"));
  for (let at = 0; at < 8; at++) await storage.settings.put(`key${at}`, "x".repeat(1e6));
  await writtenByHeartbeats({ storage, store });
  assert.ok((await writtenByHeartbeats({ storage, store })) < BEATS * 300);
  const after = disk.after("kill", Math.random);
  await storage.close();
  const next = opened(after);
  await next.storage.getBucket("0");
  await until(() => after.committed.records.size === 9, "a commit of the records");
  await next.storage.close();
});

test("a process that dies at any call while it commits records has all that was acknowledged", async () => {
  for (let last = 1; last <= 40; last += STEP) {
    const disk = new SimulatedDisk();
    let calls = 0;
    const { storage } = opened(disk, () =>
      ++calls < last ? "works" : calls % 2 === 0 ? "dies before" : "dies behind",
    );
    const acknowledged = new Map<string, string>();
    let isPlayed = false;
    const playing = (async () => {
      for (let at = 0; at < 12; at++) {
        const [key, value] = [`key${at % 3}`, `${at}`.repeat(3e5)];
        acknowledged.delete(key);
        await storage.settings.put(key, value);
        acknowledged.set(key, value);
        if (at % 4 !== 3) continue;
        acknowledged.delete("key0");
        await storage.settings.delete("key0");
      }
      isPlayed = true;
    })();
    // Nothing is left to wait for a death that does not come: the file would not end before that is given up.
    const dead = until(() => calls >= last || isPlayed, "the death").then(turns);
    await Promise.race([playing, dead]);
    const next = opened(disk.after("power cut", Math.random));
    const found = await next.storage.settings.list();
    for (const [key, value] of acknowledged) assert.ok(found.get(key) === value, `${key} after ${last} calls`);
    await next.storage.close();
  }
});

/** Lets go on whatever does not wait for a dead store. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test.run();
