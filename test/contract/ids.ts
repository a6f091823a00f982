import type { StoredEvent } from "../../src/domain/event.js";
import { bucketOf, draftOf, idsOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, same, sameEvent, sameEvents, show } from "./check.js";

export const ids: readonly Scenario[] = [
  { name: "ids grow within each bucket, whatever happens in others", play: playGrowing },
  { name: "the id of a deleted event is not given out again", play: playDeleted },
  { name: "ids deleted before a reopening are not given out after it", needs: "reopen", play: playReopened },
  { name: "events of a merge get ids like all others", play: playMerged },
  { name: "an unknown id is kept and moves the counter above itself", play: playGiven },
  { name: "a given id moves the counter for good, also when its event is deleted", play: playGivenDeleted },
  { name: "a low unknown id is kept and leaves the counter alone", play: playLow },
  { name: "a new id is never one that the same call brings", play: playMixed },
  { name: "ids are never given twice when all buckets write at once", play: playParallel },
  { name: "the last ids are kept and leave the counter alone", play: playGreatest },
];

/** Demands integers from 1 that grow. */
function expectGrowing(given: readonly number[], what: string): void {
  const isGrowing = given.every((id, index) => Number.isSafeInteger(id) && id > (given[index - 1] ?? 0));
  holds("ids", isGrowing, `${what}: ids ${show(given)} do not grow`);
}

async function playGrowing(stage: Stage): Promise<void> {
  const given = new Map<string, number[]>([
    ["window", []],
    ["afk", []],
  ]);
  for (const id of given.keys()) await stage.storage.createBucket(bucketOf(id));
  for (let round = 0; round < 3; round++) {
    for (const [id, own] of given) {
      const at = round * 1_000;
      own.push(...idsOf(await stage.storage.putEvents(id, [draftOf(at + 9), draftOf(at + 5)])));
      const beat = await stage.storage.heartbeat(id, draftOf(at + 100, 0, `beat ${round}`), 1);
      own.push(beat.id);
      const merged = await stage.storage.heartbeat(id, draftOf(at + 101, 0, `beat ${round}`), 1);
      same("ids", merged.id, beat.id, "id of an event that a beat extends");
    }
    if (stage.keeps) await stage.reopen();
  }
  for (const [id, own] of given) expectGrowing(own, `bucket ${id}`);
}

async function playDeleted(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const given = idsOf(await storage.putEvents("window", [draftOf(1), draftOf(2), draftOf(3)]));
  await storage.deleteEvents("window", given.slice(2));
  given.push(...idsOf(await storage.putEvents("window", [draftOf(4)])));
  await storage.deleteEvents("window", given);
  given.push((await storage.heartbeat("window", draftOf(5), 0)).id);
  expectGrowing(given, "with deletions between");
}

async function playReopened(stage: Stage): Promise<void> {
  let storage = await withBucket(stage);
  let greatest = 0;
  for (let round = 0; round < 4; round++) {
    const stored = await storage.putEvents("window", [draftOf(round * 10), draftOf(round * 10 + 1)]);
    const beat = await storage.heartbeat("window", draftOf(round * 10 + 2, 0, "beat"), 0);
    const given = [...idsOf(stored), beat.id];
    holds(
      "ids",
      Math.min(...given) > greatest,
      `round ${round}: ids ${given} were given out, ${greatest} was used before`,
    );
    greatest = Math.max(...given);
    await storage.deleteEvents("window", given);
    storage = await stage.reopen();
  }
}

async function playMerged(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.putEvents("window", [{ ...draftOf(1), id: 500 }]);
  await storage.mergeEvents("window", [draftOf(2), draftOf(3)]);
  const [second, third] = await read(storage, "window", { start: 2, order: "oldest" });
  const given = [500, ...[second?.id ?? 0, third?.id ?? 0].sort((a, b) => a - b)];
  await storage.deleteEvents("window", given);
  if (stage.keeps) await stage.reopen();
  given.push(...idsOf(await stage.storage.putEvents("window", [draftOf(4)])));
  expectGrowing(given, "merged and deleted");
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
  await storage.putEvents("window", [{ ...draftOf(5), id: 700 }]);
  await storage.deleteEvents("window", [700]);
  let least = 700;
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
  const calls = new Map<string, Promise<number[]>[]>(names.map((name) => [name, []]));
  for (let round = 0; round < 20; round++) {
    for (const [name, own] of calls) {
      own.push(stage.storage.putEvents(name, [draftOf(round), draftOf(round + 1)]).then(idsOf));
      own.push(stage.storage.heartbeat(name, draftOf(round + 500, 0, round), 0).then(({ id }) => [id]));
    }
  }
  const given = new Map<string, number[]>();
  for (const [name, own] of calls) given.set(name, (await Promise.all(own)).flat());
  for (const [name, own] of given) expectGrowing(own, name);
  await stage.alsoReopened(async (storage) => {
    for (const [name, own] of given) {
      const found = idsOf(await read(storage, name)).sort((a, b) => a - b);
      same("ids", found, own, `ids of ${name}`);
    }
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
