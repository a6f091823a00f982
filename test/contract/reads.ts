import type { StoredEvent } from "../../src/domain/event.js";
import type { EventRange, Storage } from "../../src/storage.js";
import { bucketOf, draftOf, idsOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { broken, holds, rejects, same, sameEvents, show } from "./check.js";
import { awaitedLater } from "./watch.js";

export const reads: readonly Scenario[] = [
  { name: "no chunk is empty, and an empty answer has no chunk", play: playChunks },
  { name: "an unknown bucket rejects the first pull, not the call", play: playUnknown },
  { name: "a bucket made after the call and before the first pull is read", play: playFirstPull },
  { name: "a reader that stops early leaves a storage that works and closes", stuck: "readStops", play: playStops },
  { name: "return ends a read before, between and after its chunks", stuck: "readStops", play: playReturn },
  { name: "two readers in turn see their own orders and ranges", play: playInterleaved },
  { name: "forty readers at once get whole answers", play: playManyReaders },
  { name: "a read shows the bucket as it was at its first pull", needs: "snapshotReads", play: playSnapshot },
  { name: "a read outlives the deletion of its bucket", needs: "snapshotReads", play: playDeletedBucket },
  { name: "a read is not disturbed by a storm of writes", needs: "snapshotReads", play: playStorm },
  { name: "a write at the moment of the first pull is seen as a whole or not at all", play: playRace },
  { name: "a resolved write is seen by the next read, count and lookup", play: playVisible },
];

async function fill(storage: Storage, count: number): Promise<StoredEvent[]> {
  return storage.putEvents(
    "window",
    Array.from({ length: count }, (_, index) => draftOf(index * 10, 5, index % 13)),
  );
}

/** Pulls what is left of a read, chunk by chunk. */
async function drain(reader: AsyncIterator<readonly StoredEvent[]>, into: StoredEvent[] = []): Promise<StoredEvent[]> {
  for (;;) {
    const { done, value } = await reader.next();
    if (done === true) return into;
    holds("readEvents", value.length > 0, "a chunk holds no event");
    into.push(...value);
  }
}

function readerOf(storage: Storage, range?: EventRange): AsyncIterator<readonly StoredEvent[]> {
  return storage.readEvents("window", range)[Symbol.asyncIterator]();
}

async function playChunks(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const ranges: EventRange[] = [{}, { limit: 5 }, { limit: 0 }, { start: 0 }, { end: -1 }, { order: "oldest" }];
  for (const range of ranges) {
    same("readEvents", (await readerOf(storage, range).next()).done, true, `first pull of an empty bucket`);
  }
  const stored = await fill(storage, 4_321);
  await stage.alsoReopened(async (reopened) => {
    sameEvents("readEvents", await read(reopened, "window", { order: "oldest" }), stored, "all chunks");
    sameEvents("readEvents", await read(reopened, "window"), [...stored].reverse(), "all chunks, newest first");
    const nothing: EventRange[] = [{ limit: 0 }, { start: 43_206 }, { end: -1 }, { start: 106, end: 109 }];
    for (const range of nothing) {
      same("readEvents", (await readerOf(reopened, range).next()).done, true, `pull of ${JSON.stringify(range)}`);
    }
  });
}

async function playUnknown({ storage }: Stage): Promise<void> {
  const reader = laterRejecting(() => readerOf(storage));
  await rejects("readUnknown", "NO_SUCH_BUCKET", "first pull", () => reader.next());
  same("readUnknown", (await reader.next()).done, true, "the pull behind the rejection");
}

/** Demands that a call which cannot succeed does not throw before the first pull. */
function laterRejecting<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    broken("readUnknown", `readEvents threw before the first pull: ${show(error)}`);
  }
}

async function playFirstPull({ storage }: Stage): Promise<void> {
  const reader = readerOf(storage);
  await storage.createBucket(bucketOf("window"));
  const stored = await fill(storage, 3);
  if (!storage.traits.snapshotReads) return;
  sameEvents("snapshot", await drain(reader), stored.reverse(), "what was there at the first pull");
}

async function playStops(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 4_000);
  for (let round = 0; round < 25; round++) {
    for await (const chunk of storage.readEvents("window", { order: round % 2 === 0 ? "newest" : "oldest" })) {
      holds("readEvents", chunk.length > 0, "a chunk holds no event");
      break;
    }
  }
  const failure = new Error("the consumer failed");
  try {
    for await (const _ of storage.readEvents("window")) throw failure;
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
  const early = readerOf(storage);
  await early.return?.();
  same("readStops", (await early.next()).done, true, "a pull behind a return before the first pull");
  const between = readerOf(storage);
  await between.next();
  await between.return?.();
  await between.return?.();
  same("readStops", (await between.next()).done, true, "a pull behind a return between chunks");
  const late = readerOf(storage);
  await drain(late);
  await late.return?.();
  same("readStops", (await late.next()).done, true, "a pull behind the end");
}

async function playInterleaved(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 5_000);
  const oldest = readerOf(storage, { order: "oldest" });
  const newest = readerOf(storage, { start: 9_995, limit: 3_000 });
  const found: [StoredEvent[], StoredEvent[]] = [[], []];
  for (let open = 2; open > 0; ) {
    open = 0;
    for (const [index, reader] of [oldest, newest].entries()) {
      const { done, value } = await reader.next();
      if (done === true) continue;
      found[index]?.push(...value);
      open++;
    }
  }
  sameEvents("readEvents", found[0], stored, "the reader that began with the oldest");
  sameEvents("readEvents", found[1], stored.slice(2_000).reverse(), "the reader that began with the newest");
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
    sameEvents("readEvents", answer, wanted, `reader ${index} of forty`);
  }
}

async function playSnapshot(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 5_000);
  await storage.heartbeat("window", draftOf(60_000, 0, "beat"), 100);
  const before = await read(storage, "window", { order: "oldest" });
  const readers = (["oldest", "newest"] as const).map((order) => readerOf(storage, { order }));
  const seen = await Promise.all(readers.map(async (reader) => [...((await reader.next()).value ?? [])]));
  await storage.heartbeat("window", draftOf(60_050, 10, "beat"), 100);
  await storage.heartbeat("window", draftOf(90_000, 10, "other"), 100);
  await storage.deleteEvents(
    "window",
    idsOf(stored).filter((id) => id % 3 === 0),
  );
  const edits = stored
    .filter(({ id }) => id % 3 === 1)
    .map((event) => ({ ...event, timestamp: event.timestamp + 4_000 }));
  await storage.putEvents("window", edits);
  await storage.putEvents(
    "window",
    stored.map((_, index) => draftOf(index * 10 + 3, 1, "late")),
  );
  for (const [index, reader] of readers.entries()) {
    const expected = index === 0 ? before : [...before].reverse();
    sameEvents("snapshot", await drain(reader, seen[index]), expected, "what was there at the first pull");
  }
  same("visible", await storage.countEvents("window"), 5_000 + 5_002 - 1_666, "events afterwards");
}

async function playDeletedBucket(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await fill(storage, 4_000);
  const reader = readerOf(storage, { order: "oldest" });
  const seen = [...((await reader.next()).value ?? [])];
  await storage.deleteBucket("window");
  await storage.createBucket(bucketOf("window"));
  await storage.putEvents("window", [draftOf(1, 1, "after")]);
  sameEvents("snapshot", await drain(reader, seen), stored, "what was there at the first pull");
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
        storage.deleteEvents("window", [(round * 37) % 3_000]),
      ]);
      // A storage in memory would never give the reader its turn.
      await new Promise(setImmediate);
    }
  };
  const storm = awaitedLater(rage());
  const reader = readerOf(storage, { order: "oldest" });
  const first = await drainSlowly(reader).finally(() => {
    reading = false;
  });
  await storm;
  const sorted = [...first].sort((a, b) => a.timestamp - b.timestamp || a.id - b.id);
  sameEvents("eventOrder", first, sorted, "order of what was read");
  same("snapshot", new Set(idsOf(first)).size, first.length, "different ids in what was read");
  const puts = first.filter((event) => event.id > stored.length && event.timestamp < 100_000).length;
  same("snapshot", puts % 150, 0, "puts that were read in part");
}

/** Gives writers a turn between the chunks. */
async function drainSlowly(reader: AsyncIterator<readonly StoredEvent[]>): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (;;) {
    const { done, value } = await reader.next();
    if (done === true) return found;
    found.push(...value);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  }
}

async function playRace(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  if (!storage.traits.snapshotReads) return;
  await fill(storage, 100);
  for (let round = 1; round <= 10; round++) {
    const reader = readerOf(storage);
    const first = reader.next();
    const put = storage.putEvents(
      "window",
      Array.from({ length: 50 }, (_, index) => draftOf(index * 7, 1, round)),
    );
    const seen = [...((await first).value ?? [])];
    const count = (await drain(reader, seen)).length;
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
    same("visible", (await storage.getBucket("window"))?.end, round * 10 + 5, "end after a heartbeat");
  }
}
