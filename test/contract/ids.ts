import type { StoredEvent } from "../../src/domain/event.js";
import { bucketOf, draftOf, idsOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, same, sameEvent, sameEvents, show } from "./check.js";

export const ids: readonly Scenario[] = [
  { name: "one counter numbers the events of all buckets from 1", play: playCounter },
  { name: "the id of a deleted event is not given out again", play: playDeleted },
  { name: "the ids of a deleted bucket are not given out again", play: playDeletedBucket },
  { name: "ids deleted before a reopening are not given out after it", needs: "reopen", play: playReopened },
  { name: "an unknown id is kept and moves the counter above itself", play: playGiven },
  { name: "a given id moves the counter for good, also when its event is deleted", play: playGivenDeleted },
  { name: "a low unknown id is kept and leaves the counter alone", play: playLow },
  { name: "a new id is never one that the same call brings", play: playMixed },
  { name: "ids are never given twice when all buckets write at once", play: playParallel },
  { name: "the last ids are kept and leave the counter alone", play: playGreatest },
];

async function playCounter(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.createBucket(bucketOf("afk"));
  const given = [
    ...idsOf(await storage.putEvents("window", [draftOf(9), draftOf(5)])),
    ...idsOf(await storage.putEvents("afk", [draftOf(1)])),
    (await storage.heartbeat("window", draftOf(100, 0, "beat"), 1)).id,
    (await storage.heartbeat("window", draftOf(101, 0, "beat"), 1)).id,
    (await storage.heartbeat("afk", draftOf(100, 0, "beat"), 1)).id,
    ...idsOf(await storage.putEvents("window", [draftOf(1), draftOf(1)])),
  ];
  same("ids", given, [1, 2, 3, 4, 4, 5, 6, 7], "ids in the order of the calls (a merge takes none)");
  if (!stage.keeps) return;
  const [event] = await (await stage.reopen()).putEvents("afk", [draftOf(2)]);
  holds("ids", (event?.id ?? 0) > 7, `after a reopening id ${event?.id} was given out again`);
}

async function playDeleted(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const given = idsOf(await storage.putEvents("window", [draftOf(1), draftOf(2), draftOf(3)]));
  await storage.deleteEvents("window", [3]);
  given.push(...idsOf(await storage.putEvents("window", [draftOf(4)])));
  await storage.deleteEvents("window", given);
  given.push((await storage.heartbeat("window", draftOf(5), 0)).id);
  same("ids", given, [1, 2, 3, 4, 5], "ids with deletions between");
}

async function playDeletedBucket(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const given = new Set<number>();
  for (let round = 1; round <= 3; round++) {
    const stored = await storage.putEvents("window", [draftOf(1), draftOf(2)]);
    for (const id of idsOf(stored)) given.add(id);
    await storage.deleteBucket("window");
    await storage.createBucket(bucketOf("window"));
    same("ids", given.size, round * 2, "different ids");
  }
}

async function playReopened(stage: Stage): Promise<void> {
  let storage = await withBucket(stage);
  await storage.createBucket(bucketOf("afk"));
  let greatest = 0;
  for (let round = 0; round < 4; round++) {
    const bucketId = round % 2 === 0 ? "window" : "afk";
    const stored = await storage.putEvents(bucketId, [draftOf(round * 10), draftOf(round * 10 + 1)]);
    const beat = await storage.heartbeat(bucketId, draftOf(round * 10 + 2, 0, "beat"), 0);
    const given = [...idsOf(stored), beat.id];
    holds(
      "ids",
      Math.min(...given) > greatest,
      `round ${round}: ids ${given} were given out, ${greatest} was used before`,
    );
    greatest = Math.max(...given);
    if (round < 2) await storage.deleteEvents(bucketId, given);
    else await storage.deleteBucket(bucketId);
    storage = await stage.reopen();
  }
}

async function playGiven(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const draft = { ...draftOf(5), id: 1_000 };
  sameEvents("putUnknownId", await storage.putEvents("window", [draft]), [draft], "answer of putEvents");
  const [next] = await storage.putEvents("window", [draftOf(6)]);
  holds("givenIds", (next?.id ?? 0) > 1_000, `id ${next?.id} was given out behind 1000`);
  const beat = await storage.heartbeat("window", draftOf(50, 0, "beat"), 0);
  holds("ids", beat.id > (next?.id ?? 0), `id ${beat.id} was given out behind ${next?.id}`);
  await stage.alsoReopened(async (reopened) => {
    sameEvent("putUnknownId", await reopened.getEvent("window", 1_000), draft, "the event with the given id");
  });
  const [later] = await stage.storage.putEvents("window", [draftOf(7)]);
  holds("givenIds", (later?.id ?? 0) > beat.id, `id ${later?.id} was given out later, behind ${beat.id}`);
}

async function playGivenDeleted(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.createBucket(bucketOf("afk"));
  await storage.putEvents("window", [{ ...draftOf(5), id: 700 }]);
  await storage.deleteEvents("window", [700]);
  await storage.putEvents("afk", [{ ...draftOf(5), id: 900 }]);
  await storage.deleteBucket("afk");
  let least = 900;
  await stage.alsoReopened(async (reopened) => {
    const [event] = await reopened.putEvents("window", [draftOf(6)]);
    holds("givenIds", (event?.id ?? 0) > least, `id ${event?.id} was given out, ${least} was used before`);
    least = event?.id ?? 0;
  });
}

async function playLow(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.putEvents("window", [{ ...draftOf(1), id: 50 }]);
  await storage.putEvents("window", [
    { ...draftOf(2), id: 20 },
    { ...draftOf(3), id: 30 },
  ]);
  const [next] = await storage.putEvents("window", [draftOf(4)]);
  holds("givenIds", (next?.id ?? 0) > 50, `id ${next?.id} was given out, 50 was used before`);
  await stage.alsoReopened(async (reopened) => {
    const found = idsOf(await read(reopened, "window", { order: "oldest" }));
    same("putUnknownId", found, [50, 20, 30, next?.id ?? 0], "ids by time");
  });
}

async function playMixed(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const drafts = [draftOf(1, 0, "new"), { ...draftOf(2), id: 1 }, draftOf(3, 0, "new"), { ...draftOf(4), id: 2 }];
  const stored = await storage.putEvents("window", [...drafts, draftOf(5, 0, "new"), { ...draftOf(6), id: 4 }]);
  same("newId", new Set(idsOf(stored)).size, 6, `different ids among ${show(idsOf(stored))}`);
  same("putUnknownId", [stored[1]?.id, stored[3]?.id, stored[5]?.id], [1, 2, 4], "the given ids");
  await stage.alsoReopened(async (reopened) => {
    sameEvents("putNew", await read(reopened, "window", { order: "oldest" }), stored, "events as stored");
  });
}

async function playParallel(stage: Stage): Promise<void> {
  const names = Array.from({ length: 10 }, (_, index) => `bucket ${index}`);
  for (const name of names) await stage.storage.createBucket(bucketOf(name));
  const calls: Promise<number[]>[] = [];
  for (let round = 0; round < 20; round++) {
    for (const name of names) {
      calls.push(stage.storage.putEvents(name, [draftOf(round), draftOf(round + 1)]).then(idsOf));
      calls.push(stage.storage.heartbeat(name, draftOf(round + 500, 0, round), 0).then(({ id }) => [id]));
    }
  }
  const given = (await Promise.all(calls)).flat();
  same("ids", new Set(given).size, given.length, "different ids");
  holds("ids", given.every(Number.isSafeInteger), "an id is not an integer");
  await stage.alsoReopened(async (storage) => {
    const found: number[] = [];
    for (const name of names) found.push(...idsOf(await read(storage, name)));
    found.sort((a, b) => a - b);
    same(
      "ids",
      found,
      [...given].sort((a, b) => a - b),
      "ids of all events",
    );
  });
}

/** One mistaken id may not end all numbering: the last 2^32 leave the counter where it is. */
async function playGreatest(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const least = 2 ** 53 - 2 ** 32;
  const kept = [
    { ...draftOf(1), id: 1 },
    { ...draftOf(2), id: Number.MAX_SAFE_INTEGER },
    { ...draftOf(3), id: Number.MAX_SAFE_INTEGER - 1 },
    { ...draftOf(4), id: least + 1 },
  ];
  sameEvents("putUnknownId", await storage.putEvents("window", kept), kept, "answer of putEvents");
  const given = idsOf(kept);
  for (let attempt = 1; attempt <= 3; attempt++) {
    const added = [
      ...idsOf(await stage.storage.putEvents("window", [draftOf(attempt * 10)])),
      (await stage.storage.heartbeat("window", draftOf(attempt * 10 + 5, 0, attempt), 0)).id,
    ];
    holds(
      "lastIds",
      added.every((id) => id < least),
      `ids ${added} were given out behind the last ones`,
    );
    given.push(...added);
    same("ids", new Set(given).size, given.length, `different ids among ${given}`);
    if (attempt === 2) await stage.storage.deleteEvents("window", [Number.MAX_SAFE_INTEGER - 1]);
    if (stage.keeps) await stage.reopen();
  }
  const [first, last, , low] = kept as [StoredEvent, StoredEvent, StoredEvent, StoredEvent];
  await stage.alsoReopened(async (reopened) => {
    const found = await read(reopened, "window", { end: 4, order: "oldest" });
    sameEvents("lastIds", found, [first, last, low], "events with given ids");
    same("ids", await reopened.countEvents("window"), given.length - 1, "events in the end");
    for (const event of [first, last, low]) {
      sameEvent("getEvent", await reopened.getEvent("window", event.id), event, "getEvent");
    }
  });
}
