import type { EventBatch } from "../../src/domain/batch.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { EventRange, Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, drain, eventsOf, idsOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, rejects, same, sameEvents } from "./check.js";
import { Reader } from "./reader.js";
import { awaitedLater } from "./watch.js";

export const reads: readonly Scenario[] = [
  { name: "no batch is empty, and an empty answer has no batch", play: playBatches },
  { name: "an unknown bucket rejects the read", play: playUnknown },
  { name: "a read that nobody iterates leaves a storage that works and closes", stuck: "readStops", play: playUnused },
  { name: "a reader that stops early leaves a storage that works and closes", stuck: "readStops", play: playStops },
  { name: "return ends a read before, between and after its batches", stuck: "readStops", play: playReturn },
  { name: "two readers in turn see their own orders and ranges", play: playInterleaved },
  { name: "forty readers at once get whole answers", play: playManyReaders },
  { name: "a batch is the same after every kind of write", play: playStays },
  { name: "a read shows the bucket as it was when the read resolved", needs: "snapshotReads", play: playSnapshot },
  { name: "a read outlives the deletion of its bucket", needs: "snapshotReads", play: playDeletedBucket },
  { name: "a read is not disturbed by a storm of writes", needs: "snapshotReads", play: playStorm },
  { name: "a write at the moment of a read is seen as a whole or not at all", play: playRace },
  { name: "a resolved write is seen by the next read, count and lookup", play: playVisible },
];

async function fill(storage: Storage, count: number): Promise<StoredEvent[]> {
  return storage.putEvents(
    "window",
    Array.from({ length: count }, (_, index) => draftOf(index * 10, 5, index % 13)),
  );
}

async function playBatches(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const ranges: EventRange[] = [{}, { limit: 5 }, { limit: 0 }, { start: 0 }, { end: -1 }, { order: "oldest" }];
  for (const range of ranges) {
    same("batches", await (await Reader.of(storage, range)).pull(), false, "a first batch of an empty bucket");
  }
  const stored = await fill(storage, 4_321);
  await stage.alsoReopened(async (reopened) => {
    sameEvents("read", await read(reopened, "window", { order: "oldest" }), stored, "all batches");
    sameEvents("read", await read(reopened, "window"), [...stored].reverse(), "all batches, newest first");
    const nothing: EventRange[] = [{ limit: 0 }, { start: 43_206 }, { end: -1 }, { start: 106, end: 109 }];
    for (const range of nothing) {
      same("batches", await (await Reader.of(reopened, range)).pull(), false, `a batch of ${JSON.stringify(range)}`);
    }
  });
}

async function playUnknown({ storage }: Stage): Promise<void> {
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "read", () => storage.read("window"));
  const ranges: EventRange[] = [{ limit: 0 }, { start: 5, end: 5 }, { order: "oldest" }];
  for (const range of ranges) {
    await rejects("noSuchBucket", "NO_SUCH_BUCKET", JSON.stringify(range), () => storage.read("window", range));
  }
}

async function playUnused(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await fill(storage, 4_000);
  for (let round = 0; round < 25; round++) await storage.read("window", { limit: 10 * round });
  await storage.putEvents("window", [draftOf(1_000_000)]);
  await stage.alsoReopened(async (reopened) => {
    same("readStops", await reopened.countEvents("window"), 4_001, "events after reads that nobody iterated");
  });
}

async function playStops(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 4_000);
  for (let round = 0; round < 25; round++) {
    const { batches } = await storage.read("window", { order: round % 2 === 0 ? "newest" : "oldest" });
    for await (const batch of batches) {
      holds("batches", batch.length > 0, "a batch holds no event");
      break;
    }
  }
  const failure = new Error("the consumer failed");
  try {
    for await (const _ of (await storage.read("window")).batches) throw failure;
  } catch (error) {
    holds("readStops", error === failure, `the consumer's error became ${error}`);
  }
  await storage.putEvents("window", [draftOf(1_000_000)]);
  await storage.deleteEvents("window", idsOf(stored).slice(1));
  await stage.alsoReopened(async (reopened) => {
    same("readStops", await reopened.countEvents("window"), 2, "events after readers that stopped");
  });
}

async function playReturn(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await fill(storage, 4_000);
  const early = await Reader.of(storage);
  await early.stop();
  same("readStops", await early.pull(), false, "a pull behind a return before the first pull");
  const between = await Reader.of(storage);
  await between.pull();
  await between.stop();
  await between.stop();
  same("readStops", await between.pull(), false, "a pull behind a return between batches");
  const late = await Reader.of(storage);
  await late.all();
  await late.stop();
  same("readStops", await late.pull(), false, "a pull behind the end");
}

async function playInterleaved(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 5_000);
  const oldest = await Reader.of(storage, { order: "oldest" });
  const newest = await Reader.of(storage, { start: 9_995, limit: 3_000 });
  for (let isOpen = true; isOpen; ) {
    const pulled = [await oldest.pull(), await newest.pull()];
    isOpen = pulled.includes(true);
  }
  sameEvents("read", oldest.events, stored, "the reader that began with the oldest");
  sameEvents("read", newest.events, stored.slice(2_000).reverse(), "the reader that began with the newest");
}

async function playManyReaders(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 2_200);
  const expected = [...stored].reverse();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => read(storage, "window", { end: index * 500 })),
  );
  for (const [index, answer] of answers.entries()) {
    const wanted = expected.filter((event) => event.timestamp <= index * 500);
    sameEvents("read", answer, wanted, `reader ${index} of forty`);
  }
}

/** Edits, deletions and additions among 5,000 events and two heartbeats. */
async function change(storage: Storage, stored: readonly StoredEvent[]): Promise<void> {
  await storage.heartbeat("window", draftOf(60_050, 10, "beat"), 100);
  await storage.heartbeat("window", draftOf(90_000, 10, "other"), 100);
  await storage.deleteEvents("window", idsOf(stored.filter((_, index) => index % 3 === 0)));
  const edits = stored
    .filter((_, index) => index % 3 === 1)
    .map((event) => ({ ...event, timestamp: event.timestamp + 4_000 }));
  await storage.putEvents("window", edits);
  const late = stored.map((_, index) => draftOf(index * 10 + 3, 1, "late"));
  await storage.putEvents("window", late.slice(0, 2_500));
  await storage.mergeEvents("window", late);
}

async function playStays(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 5_000);
  await storage.heartbeat("window", draftOf(60_000, 0, "beat"), 100);
  const held: { readonly batch: EventBatch; readonly events: StoredEvent[] }[] = [];
  for (const order of ["oldest", "newest"] as const) {
    // The data are looked at before the writes in half of the batches only: the others must find them later.
    for await (const batch of (await storage.read("window", { order })).batches) {
      const events = order === "oldest" ? eventsOf(batch) : [];
      held.push({ batch, events: events.map((event) => ({ ...event })) });
    }
  }
  const newest = held.filter(({ events }) => events.length === 0);
  const times = newest.map(({ batch }) => [...batch.timestamps]);
  await change(storage, stored);
  await storage.deleteBucket("window");
  for (const { batch, events } of held) {
    if (events.length > 0) sameEvents("batchStays", eventsOf(batch), events, "a batch after many writes");
  }
  for (const [index, { batch }] of newest.entries()) {
    same("batchStays", [...batch.timestamps], times[index], "timestamps of a batch after many writes");
  }
  const before = held.flatMap(({ events }) => events);
  const later = newest.flatMap(({ batch }) => eventsOf(batch));
  sameEvents("batchStays", later.reverse(), before, "batches that are looked at after the writes");
}

async function playSnapshot(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 5_000);
  await storage.heartbeat("window", draftOf(60_000, 0, "beat"), 100);
  const before = await read(storage, "window", { order: "oldest" });
  const readers = [
    await Reader.of(storage, { order: "oldest" }),
    await Reader.of(storage, { order: "newest" }),
    await Reader.of(storage, { order: "oldest" }),
  ];
  // The last one is not pulled before the writes.
  for (const reader of readers.slice(0, 2)) await reader.pull();
  await change(storage, stored);
  for (const [index, reader] of readers.entries()) {
    const expected = index === 1 ? [...before].reverse() : before;
    sameEvents("snapshot", await reader.all(), expected, "what was there when the read resolved");
  }
  same("visible", await storage.countEvents("window"), 5_000 + 5_002 - 1_667, "events afterwards");
}

async function playDeletedBucket(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 4_000);
  const reader = await Reader.of(storage, { order: "oldest" });
  await reader.pull();
  const unpulled = await Reader.of(storage, { order: "oldest" });
  await storage.deleteBucket("window");
  await storage.createBucket(bucketOf("window"), [draftOf(1, 1, "after")]);
  sameEvents("snapshot", await reader.all(), stored, "what was there when the read resolved");
  sameEvents("snapshot", await unpulled.all(), stored, "the same without a pull before the deletion");
  same("deleteBucket", (await read(storage, "window")).length, 1, "events of the bucket created again");
}

async function playStorm(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 3_000);
  let reading = true;
  const rage = async (): Promise<void> => {
    for (let round = 0; reading; round++) {
      await Promise.all([
        storage.putEvents(
          "window",
          Array.from({ length: 150 }, (_, index) => draftOf(index * 200 + round, 3, round)),
        ),
        storage.heartbeat("window", draftOf(100_000 + round * 10, 0, round % 2), 50),
        storage.deleteEvents("window", [stored[(round * 37) % 3_000]?.id ?? 0]),
      ]);
      // A storage in memory would never give the reader its turn.
      await new Promise(setImmediate);
    }
  };
  const storm = awaitedLater(rage());
  const reader = await Reader.of(storage, { order: "oldest" });
  // Writers get turns between the batches.
  const slowly = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  const found = await reader.all(slowly).finally(() => {
    reading = false;
  });
  await storm;
  const sorted = [...found].sort((a, b) => a.timestamp - b.timestamp || a.id - b.id);
  sameEvents("eventOrder", found, sorted, "order of what was read");
  same("snapshot", new Set(idsOf(found)).size, found.length, "different ids in what was read");
  const old = new Set(idsOf(stored));
  const puts = found.filter((event) => !old.has(event.id) && event.timestamp < 100_000).length;
  same("snapshot", puts % 150, 0, "puts that were read in part");
}

async function playRace(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  if (!storage.traits.snapshotReads) return;
  await fill(storage, 100);
  for (let round = 1; round <= 10; round++) {
    const reading = storage.read("window");
    const put = storage.putEvents(
      "window",
      Array.from({ length: 50 }, (_, index) => draftOf(index * 7, 1, round)),
    );
    const count = (await drain((await reading).batches)).length;
    await put;
    holds(
      "atomic",
      count === 50 + round * 50 || count === 100 + round * 50,
      `${count} events were read in round ${round}`,
    );
  }
}

async function playVisible(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  for (let round = 0; round < 40; round++) {
    const [event] = (await storage.putEvents("window", [draftOf(round * 10, 1, round)])) as [StoredEvent];
    sameEvents("visible", await read(storage, "window", { limit: 1 }), [event], "the event that was put");
    same("visible", await storage.countEvents("window"), round + 1, "count after a put");
    const beat = await storage.heartbeat("window", draftOf(round * 10 + 2, 3, round), 5);
    sameEvents("visible", await read(storage, "window", { limit: 1 }), [beat], "the event of a heartbeat");
    same("visible", (await storage.summaries(["window"]))[0]?.end, round * 10 + 5, "end after a heartbeat");
  }
}
