// Encryption at rest: a large commit is sealed over many turns of the event loop, and counts as a whole all the same.
import { randomBytes } from "node:crypto";
import { createStorage } from "unstorage";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createKeySource } from "../../adapters/segments/encryption.js";
import { createStore } from "../../adapters/segments/sealed-store.js";
import type { OpenedStore, SegmentStore } from "../../adapters/segments/store.js";
import type { KeyGate } from "../../adapters/segments/vault.js";
import { createBlobStore } from "../../adapters/unstorage/blob-store.js";
import { BlobSegmentStore } from "../../adapters/unstorage/store.js";
import { commitOf, emptyContent } from "./segment-store.js";
import { SimulatedDisk, SimulatedStore } from "./simulated-store.js";

const test = suite("encryption: turns");

const keys = createKeySource({ key: randomBytes(32) });
const SEGMENTS = 40;

/** Runs a body with a clock that goes on by a millisecond whenever it is read. */
async function withClock(body: () => Promise<void>): Promise<void> {
  const { now } = performance;
  let millis = 1_000;
  performance.now = () => millis++;
  try {
    await body();
  } finally {
    performance.now = now;
  }
}

/** Calls back in each turn of the event loop until some work is over. @returns how many there were */
async function turnsOf(work: Promise<unknown>, look: () => void = () => undefined): Promise<number> {
  let turns = 0;
  let isOver = false;
  const end = work.finally(() => {
    isOver = true;
  });
  const turn = (): void => {
    if (isOver) return;
    turns++;
    look();
    setImmediate(turn);
  };
  setImmediate(turn);
  await end;
  return turns;
}

/** Commits many segments and reads them back. @param look called in each turn meanwhile @returns how many turns there were */
async function commitMany(store: SegmentStore, look?: () => void): Promise<number> {
  await store.open();
  const names = Array.from({ length: SEGMENTS }, (_, index) => `1/${index}`);
  const put = Object.fromEntries(names.map((name) => [name, `content of ${name}`]));
  const { commit } = commitOf(1, emptyContent(), { put });
  const turns = await turnsOf(store.commit(commit), look);
  for (const { bytes, ...name } of commit.putSegments) {
    assert.equal(Uint8Array.from((await store.readSegment(name)) ?? []), bytes);
  }
  return turns;
}

/** A simulated store behind the gate of encryption. */
class GatedStore extends SimulatedStore {
  readonly #gate: KeyGate | undefined;

  constructor(disk: SimulatedDisk, gate: KeyGate | undefined) {
    super(disk, true, () => "works");
    this.#gate = gate;
  }

  override async open(): Promise<OpenedStore> {
    await this.#gate?.pass(undefined, { name: this.name, isNew: true });
    return super.open();
  }
}

test("other work runs while a commit is sealed, and finds nothing of it below before it finds all", () =>
  withClock(async () => {
    const disk = new SimulatedDisk();
    const seen = new Set<number>();
    const store = createStore(keys, (gate) => new GatedStore(disk, gate));
    const turns = await commitMany(store, () => seen.add(disk.committed.segments.size));
    assert.ok(turns >= SEGMENTS / 4, `${turns} turns`);
    assert.equal([...seen], [0]);
    assert.is(disk.committed.segments.size, SEGMENTS);
  }));

test("with unstorage other work also runs while all entries of a bucket are sealed anew", () =>
  withClock(async () => {
    const [plain, sealed] = [undefined, keys].map((source) =>
      createStore(
        source,
        (gate) => new BlobSegmentStore(createBlobStore(createStorage(), "activity"), undefined, gate),
      ),
    ) as [SegmentStore, SegmentStore];
    const [few, many] = [await commitMany(plain), await commitMany(sealed)];
    assert.ok(few >= SEGMENTS / 4, `${few} turns`);
    assert.ok(many >= few + SEGMENTS / 4, `${many} turns, ${few} without encryption`);
  }));

test.run();
