import type { EventDraft } from "../../src/domain/event.js";
import { finish, open, put } from "./beside.js";
import { bucketOf, draftOf, drain, idsOf, read, type Scenario, type Stage } from "./case.js";
import { holds, rejects, same, sameBucket, sameEvent, sameEvents, sameValue } from "./check.js";
import { both, type PlainChange, run, transact } from "./transacting.js";

const needs = "transact";

/** What a transaction sees, and what shows of it. */
export const transactionViews: readonly Scenario[] = [
  { name: "transaction: what it sees are its buckets as they are", needs, play: playView },
  { name: "transaction: its reads go on while changes are made", needs, play: playReads },
  { name: "transaction: ids are never given out twice", needs, play: playIds },
  { name: "transaction: versions follow", needs, play: playVersions },
];

async function playView(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(stage, reference, run(2_400, 0, 10, "window"));
  const { storage } = stage;
  await storage.createBucket(bucketOf("empty"));
  await storage.records("journal").compareAndSet("a", undefined, [1]);
  const beat = await storage.heartbeat("window", draftOf(3, 1, "late"), 0);
  reference.heartbeat("window", draftOf(3, 1, "late"), 0, beat.id);
  await transact(storage, ["window", "unknown", "empty"], async (view) => {
    sameBucket("transactView", await view.getBucket("window"), bucketOf("window"), "a bucket");
    same("transactView", await view.getBucket("unknown"), undefined, "an unknown bucket");
    const expected = reference.sorted("window");
    const { batches } = await view.read("window", { order: "oldest" });
    sameEvents("transactView", await drain(batches), expected, "all events");
    const some = await view.read("window", { start: 500, end: 900, limit: 7 });
    const range = { start: 500, end: 900, limit: 7 };
    sameEvents("transactView", await drain(some.batches), reference.read("window", range), "some events");
    same("transactView", await view.countEvents("window"), 2_401, "count");
    const third = expected[2] ?? beat;
    sameEvent("transactView", await view.getEvent("window", third.id), third, "an event");
    same("transactView", await view.getEvent("window", 1_000_000), undefined, "an unknown event");
    sameEvent("transactView", await view.mergeTarget("window"), beat, "the merge target");
    same("transactView", await view.mergeTarget("empty"), undefined, "the merge target of an empty bucket");
    holds("transactNextId", (await view.nextEventId("window")) > beat.id, "the next id is one in use");
    sameValue("transactView", await view.getRecord("journal", "a"), [1], "a record");
    same("transactView", await view.getRecord("journal", "b"), undefined, "an unknown record");
    await rejects("noSuchBucket", "NO_SUCH_BUCKET", "a read of none", () => view.read("unknown"));
    await rejects("transactRefuses", "INVALID_INPUT", "another bucket", () => view.getBucket("other"));
    return [];
  });
}

async function playReads(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(stage, reference, run(6_000, 0, 10, "window"));
  const { storage } = stage;
  const before = [...reference.sorted("window")];
  const shifted: EventDraft[] = [];
  await transact(storage, ["window", "copy"], async (view) => {
    const { batches } = await view.read("window", { order: "oldest" });
    async function* doubled(): AsyncGenerator<EventDraft[]> {
      for await (const batch of batches) {
        const [first] = batch.events();
        if (first !== undefined) sameEvent("transactReads", await view.getEvent("window", first.id), first, "an event");
        const drafts = batch
          .events()
          .map(({ timestamp, duration, data }) => ({ timestamp, duration: duration + 5, data }));
        shifted.push(...drafts);
        yield drafts;
      }
    }
    return [
      { kind: "create", bucket: bucketOf("copy") },
      { kind: "deleteEvents", bucketId: "window", eventIds: idsOf(before.slice(3_000, 5_000)) },
      { kind: "putEvents", bucketId: "window", drafts: doubled() },
    ];
  });
  same("transactReads", shifted.length, before.length, "events that the read gave");
  reference.createBucket(bucketOf("copy"));
  reference.deleteEvents("window", idsOf(before.slice(3_000, 5_000)));
  const known = new Set(idsOf(before));
  const given = idsOf(await read(storage, "window")).filter((id) => !known.has(id));
  reference.putEvents(
    "window",
    shifted,
    given.sort((a, b) => a - b),
  );
  await finish(stage, reference, "events twice");
}

async function playIds(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(stage, reference, run(5, 0, 10, "window"));
  for (let round = 0; round < 4; round++) {
    const newest = idsOf(reference.sorted("window"))
      .sort((a, b) => b - a)
      .slice(0, 3);
    await both(
      stage.storage,
      reference,
      ["window"],
      [
        { kind: "putEvents", bucketId: "window", drafts: [{ ...draftOf(50, 1, "high"), id: 900 + round * 50 }] },
        { kind: "deleteEvents", bucketId: "window", eventIds: [...newest, 900 + round * 50] },
        { kind: "putEvents", bucketId: "window", drafts: run(2, 70, 10, "new") },
      ],
    );
    await finish(stage, reference, `round ${round}`);
  }
  let next = 0;
  await transact(stage.storage, ["window"], async (view) => {
    next = await view.nextEventId("window");
    return [{ kind: "putEvents", bucketId: "window", drafts: [{ ...draftOf(90, 1, "mine"), id: next }, draftOf(91)] }];
  });
  const [last, mine] = await read(stage.storage, "window", { limit: 2 });
  same("transactNextId", mine?.id, next, "an id that the plan chose");
  holds("ids", (last?.id ?? 0) > next, "an id behind one that was chosen does not grow");
  const high = (last?.id ?? 0) + 100;
  async function* batches(): AsyncGenerator<EventDraft[]> {
    yield [draftOf(92), { ...draftOf(93), id: high }];
    yield [{ ...draftOf(94), id: high + 50 }, draftOf(95)];
  }
  await transact(stage.storage, ["window"], () => [{ kind: "putEvents", bucketId: "window", drafts: batches() }]);
  const given = idsOf(await read(stage.storage, "window", { limit: 4, order: "newest" })).reverse();
  same("transactDrafts", given, [high + 1, high, high + 50, high + 51], "ids of two batches");
}

async function playVersions(stage: Stage): Promise<void> {
  await open(stage);
  const { storage } = stage;
  if (storage.versions === undefined) return;
  const seen = new Set<unknown>();
  const lists = new Set<unknown>();
  const rename = (from: string, to: string): PlainChange => ({ kind: "rename", bucketId: from, newId: to });
  const steps: readonly PlainChange[][] = [
    [{ kind: "putEvents", bucketId: "window", drafts: run(3, 0, 10, "a") }],
    [rename("window", "other"), { kind: "create", bucket: bucketOf("window"), drafts: run(3, 0, 10, "b") }],
    [{ kind: "delete", bucketId: "window" }, rename("other", "window")],
    [{ kind: "putEvents", bucketId: "window", drafts: [draftOf(2)] }],
    [
      { kind: "delete", bucketId: "window" },
      { kind: "create", bucket: bucketOf("window") },
    ],
  ];
  for (const [index, changes] of steps.entries()) {
    same("transact", await transact(storage, ["window", "other"], () => changes), true, "answer");
    const [version, list] = await storage.versions(["window", null]);
    holds("version", typeof version === "string" && !seen.has(version), `version behind step ${index} is ${version}`);
    if (index !== 0 && index !== 3) holds("version", !lists.has(list), `the list's behind step ${index} is ${list}`);
    seen.add(version);
    lists.add(list);
  }
}
