import type { Bucket, BucketPatch } from "../../src/domain/bucket.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read, type Scenario, type Stage } from "./case.js";
import { holds, same, sameBucket, sameBuckets, sameEvents, show } from "./check.js";
import { DATA, TEXTS } from "./values.js";

export const buckets: readonly Scenario[] = [
  { name: "a new storage has no buckets", play: playEmpty },
  { name: "a bucket comes back field by field as it was created", play: playCreate },
  { name: "bucket fields hold any text and any data", play: playFields },
  { name: "creating a taken id answers undefined and changes nothing", play: playTaken },
  { name: "of many creations of one id at once one succeeds", play: playCreationRace },
  { name: "buckets are listed in the order of their creation", play: playOrder },
  { name: "an update changes the given fields only", play: playUpdate },
  { name: "an update of an unknown bucket answers false and creates nothing", play: playUpdateUnknown },
  { name: "an update leaves the events as they are", play: playUpdateEvents },
  { name: "a deleted bucket is gone with its events, its neighbours stay", play: playDelete },
  { name: "a bucket created again starts empty", play: playRecreate },
  { name: "a bucket created, deleted and created again without waiting starts empty", play: playRecreateAtOnce },
  { name: "the same with thousands of events and slower writes before it", play: playRecreateBehind },
  { name: "bucket ids of any text are never confused", play: playIds },
  { name: "three hundred buckets keep their events apart", play: playMany },
];

async function playEmpty(stage: Stage): Promise<void> {
  await stage.alsoReopened(async (storage) => {
    same("listBuckets", (await storage.listBuckets()).length, 0, "buckets of a new storage");
    same("getBucket", await storage.getBucket("window"), undefined, "an unknown bucket");
    same("deleteBucket", await storage.deleteBucket("window"), false, "deletion of an unknown bucket");
  });
}

async function playCreate(stage: Stage): Promise<void> {
  const bucket = bucketOf("window", { name: "my name", created: -1_234_567, data: { a: [1, { b: null }] } });
  same("createBucket", (await stage.storage.createBucket(bucket))?.length, 0, "events of a free id");
  await stage.alsoReopened(async (storage) => {
    sameBucket("lossless", await storage.getBucket("window"), bucket, "getBucket");
    sameBuckets("lossless", await storage.listBuckets(), [bucket], "listBuckets");
  });
}

async function playFields(stage: Stage): Promise<void> {
  const expected: Bucket[] = [];
  for (const [index, text] of TEXTS.entries()) {
    const fields = {
      type: text,
      client: `${text}\u0000`,
      hostname: `/${text}`,
      name: text,
      created: index - 8 * 10 ** 15,
    };
    const bucket = bucketOf(`bucket ${index}`, { ...fields, data: DATA[index % DATA.length] ?? {} });
    await stage.storage.createBucket(bucket);
    expected.push(bucket);
  }
  await stage.alsoReopened(async (storage) => {
    sameBuckets("lossless", await storage.listBuckets(), expected, "buckets with odd fields");
  });
}

async function playTaken(stage: Stage): Promise<void> {
  const { storage } = stage;
  const bucket = bucketOf("window", { name: "first", data: { first: true } });
  await storage.createBucket(bucket);
  const events = await storage.putEvents("window", [draftOf(5, 2), draftOf(9)]);
  const second = bucketOf("window", { type: "other", name: "second", created: 1, data: { second: true } });
  same("createTaken", await storage.createBucket(second), undefined, "a taken id");
  await stage.alsoReopened(async (reopened) => {
    sameBucket("createTaken", await reopened.getBucket("window"), bucket, "the first bucket");
    sameEvents("createTaken", await read(reopened, "window", { order: "oldest" }), events, "events of the first");
  });
}

async function playCreationRace({ storage }: Stage): Promise<void> {
  const attempts = Array.from({ length: 15 }, (_, index) => bucketOf("window", { client: `client ${index}` }));
  const answers = await Promise.all(attempts.map((bucket) => storage.createBucket(bucket)));
  same("atomic", answers.filter((answer) => answer !== undefined).length, 1, "successful creations of one id");
  const winner = attempts[answers.findIndex((answer) => answer !== undefined)];
  same("createTaken", (await storage.getBucket("window"))?.client, winner?.client, "client of the winner");
}

async function playOrder(stage: Stage): Promise<void> {
  const { storage } = stage;
  const ids = ["m", "z", "a", "10", "9", "", "Z", "\u0000", "__proto__", "é"];
  for (const id of ids) await storage.createBucket(bucketOf(id, { created: 1_000 - ids.indexOf(id) }));
  await storage.updateBucket("z", { client: "updated" });
  await storage.putEvents("a", [draftOf(1)]);
  await storage.deleteBucket("m");
  await storage.deleteBucket("9");
  await storage.createBucket(bucketOf("m"));
  await Promise.all(["q", "p"].map((id) => storage.createBucket(bucketOf(id))));
  const expected = ["z", "a", "10", "", "Z", "\u0000", "__proto__", "é", "m"];
  await stage.alsoReopened(async (reopened) => {
    const listed = (await reopened.listBuckets()).map((bucket) => bucket.id);
    // Of two creations at once either may come first.
    same("listBuckets", listed.slice(0, -2), expected, "order of the buckets");
    same("listBuckets", listed.slice(-2).sort(), ["p", "q"], "buckets created last");
  });
}

async function playUpdate(stage: Stage): Promise<void> {
  const { storage } = stage;
  let bucket = bucketOf("window", { data: { old: 1, both: 1 } });
  await storage.createBucket(bucket);
  const patches: BucketPatch[] = [
    { type: "new type" },
    { client: "" },
    { hostname: "\u0000" },
    { name: "named" },
    { data: { both: 2 } },
    {},
    { type: "a", client: "b", hostname: "c", name: "d", data: DATA[1] ?? {} },
  ];
  for (const patch of patches) {
    same("updateBucket", await storage.updateBucket("window", patch), true, "update of a known bucket");
    bucket = { ...bucket, ...patch };
    sameBucket("patch", await storage.getBucket("window"), bucket, "after an update");
  }
  await stage.alsoReopened(async (reopened) => {
    sameBuckets("patch", await reopened.listBuckets(), [bucket], "after all updates");
  });
}

async function playUpdateUnknown(stage: Stage): Promise<void> {
  same("updateBucket", await stage.storage.updateBucket("window", { name: "x" }), false, "update of an unknown bucket");
  await stage.alsoReopened(async (storage) => {
    same("updateBucket", (await storage.listBuckets()).length, 0, "buckets after the refused update");
  });
}

async function playUpdateEvents(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("window"));
  const events = await storage.putEvents("window", [draftOf(3, 8), draftOf(7)]);
  await storage.updateBucket("window", { name: "new", data: { a: 1 } });
  const expected = bucketOf("window", { name: "new", data: { a: 1 } });
  await stage.alsoReopened(async (reopened) => {
    sameBucket("patch", await reopened.getBucket("window"), expected, "after an update");
    sameEvents("patch", await read(reopened, "window", { order: "oldest" }), events, "events after an update");
  });
}

async function playDelete(stage: Stage): Promise<void> {
  const { storage } = stage;
  for (const id of ["left", "window", "right"]) await storage.createBucket(bucketOf(id));
  const left = await storage.putEvents("left", [draftOf(1), draftOf(2)]);
  const many = Array.from({ length: 3_000 }, (_, index) => draftOf(index, 5, index % 7));
  await storage.putEvents("window", [...many, { ...draftOf(1), id: 5_000_000 }]);
  const right = await storage.putEvents("right", [draftOf(1), draftOf(2)]);
  same("deleteBucket", await storage.deleteBucket("window"), true, "deletion of a known bucket");
  same("deleteBucket", await storage.deleteBucket("window"), false, "second deletion");
  await stage.alsoReopened(async (reopened) => {
    same("deleteBucket", await reopened.getBucket("window"), undefined, "a deleted bucket");
    const listed = (await reopened.listBuckets()).map((bucket) => bucket.id);
    same("deleteBucket", listed, ["left", "right"], "buckets that are left");
    sameEvents("deleteBucket", await read(reopened, "left", { order: "oldest" }), left, "events of a neighbour");
    sameEvents("deleteBucket", await read(reopened, "right", { order: "oldest" }), right, "events of a neighbour");
    same("deleteBucket", await reopened.getEvent("left", 5_000_000), undefined, "an event of a deleted bucket");
  });
}

async function playRecreate(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("window", { name: "old" }));
  const old = await storage.putEvents(
    "window",
    Array.from({ length: 2_500 }, (_, index) => draftOf(index, 1)),
  );
  await storage.heartbeat("window", draftOf(10_000), 1);
  await storage.deleteBucket("window");
  await storage.createBucket(bucketOf("window", { name: "new" }));
  const bucket = bucketOf("window", { name: "new" });
  const summary = { ...bucket, start: null, end: null };
  const oldIds = [old[0]?.id ?? 0, old.at(-1)?.id ?? 0];
  await stage.alsoReopened(async (reopened) => {
    sameBucket("deleteBucket", await reopened.getBucket("window"), bucket, "a bucket created again");
    sameBuckets("deleteBucket", await reopened.summaries(), [summary], "summary of a bucket created again");
    await expectEmpty(reopened, "window", oldIds);
  });
  await stage.storage.putEvents("window", [draftOf(7, 3)]);
  await stage.alsoReopened(async (reopened) => {
    const expected = [{ ...summary, start: 7, end: 10 }];
    sameBuckets("deleteBucket", await reopened.summaries(), expected, "with a new event");
    same("deleteBucket", await reopened.countEvents("window"), 1, "count of a bucket created again");
  });
}

async function expectEmpty(storage: Storage, bucketId: string, ids: readonly number[]): Promise<void> {
  same("deleteBucket", (await read(storage, bucketId)).length, 0, "events of a bucket created again");
  same("deleteBucket", await storage.countEvents(bucketId), 0, "count of a bucket created again");
  same("deleteBucket", await storage.countEvents(bucketId, { start: 0 }), 0, "count of a range of it");
  for (const id of ids) same("deleteBucket", await storage.getEvent(bucketId, id), undefined, `old event ${id}`);
  same("deleteBucket", await storage.deleteEvents(bucketId, ids), 0, "deletion of old events");
}

async function playRecreateAtOnce(stage: Stage): Promise<void> {
  const { storage } = stage;
  const calls: Promise<unknown>[] = [];
  for (let round = 0; round < 10; round++) {
    calls.push(storage.createBucket(bucketOf("window", { client: `round ${round}` })));
    calls.push(storage.putEvents("window", [draftOf(round, 0, `round ${round}`)]));
    calls.push(storage.heartbeat("window", draftOf(round + 5, 0, "beat"), 10));
    if (round < 9) calls.push(storage.deleteBucket("window"));
  }
  const outcomes = await Promise.allSettled(calls);
  same("callOrder", outcomes.filter((each) => each.status === "rejected").length, 0, "refused calls");
  const [put, beat] = (await Promise.all(calls.slice(-2))) as [{ id: number }[], { id: number }];
  await stage.alsoReopened(async (reopened) => {
    same("callOrder", (await reopened.getBucket("window"))?.client, "round 9", "client of the last round");
    const ids = (await read(reopened, "window", { order: "oldest" })).map((event) => event.id);
    same("callOrder", ids, [put[0]?.id ?? 0, beat.id], "events of the last round");
  });
}

/** Edits and deletions of old events may have to read first; what is called behind them must not overtake. */
async function playRecreateBehind(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("window", { client: "old" }));
  const old = await storage.putEvents(
    "window",
    Array.from({ length: 3_000 }, (_, index) => draftOf(index, 1)),
  );
  const calls: Promise<unknown>[] = [
    storage.deleteEvents("window", [old[5]?.id ?? 0]),
    storage.putEvents("window", [{ ...draftOf(7, 1, "edited"), id: old[700]?.id ?? 0 }]),
    storage.deleteBucket("window"),
    storage.createBucket(bucketOf("window", { client: "new" })),
    storage.updateBucket("window", { hostname: "updated" }),
  ];
  const beat = storage.heartbeat("window", draftOf(1, 1, "new"), 5);
  const put = storage.putEvents("window", [draftOf(9, 1, "new")]);
  const outcomes = await Promise.allSettled([...calls, beat, put]);
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  holds("callOrder", refused === undefined, `a call was refused: ${refused?.reason}`);
  const [isDeleted, created, isUpdated] = await Promise.all(calls.slice(2));
  same("callOrder", [isDeleted, isUpdated], [true, true], "answers of delete and update");
  holds("callOrder", Array.isArray(created), `answer of create: ${show(created)}`);
  const expected = [await beat, ...(await put)];
  await stage.alsoReopened(async (reopened) => {
    const bucket = await reopened.getBucket("window");
    same("callOrder", [bucket?.client, bucket?.hostname], ["new", "updated"], "client and hostname in the end");
    sameEvents("callOrder", await read(reopened, "window", { order: "oldest" }), expected, "events in the end");
  });
}

async function playIds(stage: Stage): Promise<void> {
  const { storage } = stage;
  for (const [index, id] of TEXTS.entries()) {
    same("createBucket", (await storage.createBucket(bucketOf(id)))?.length, 0, `creation of text ${index}`);
    await storage.putEvents(id, [draftOf(index, 1, index)]);
  }
  await stage.alsoReopened(async (reopened) => {
    same(
      "lossless",
      (await reopened.listBuckets()).map((bucket) => bucket.id),
      TEXTS,
      "ids of the buckets",
    );
    for (const [index, id] of TEXTS.entries()) {
      const [event, ...others] = await read(reopened, id);
      same("lossless", [event?.timestamp, others.length], [index, 0], `the one event of bucket ${JSON.stringify(id)}`);
    }
  });
  const removed = TEXTS.filter((_, index) => index % 2 === 0);
  const kept = TEXTS.filter((_, index) => index % 2 === 1);
  for (const id of removed) {
    same("deleteBucket", await stage.storage.deleteBucket(id), true, `deletion of ${JSON.stringify(id)}`);
  }
  await stage.alsoReopened(async (reopened) => {
    same(
      "deleteBucket",
      (await reopened.listBuckets()).map((bucket) => bucket.id),
      kept,
      "ids that are left",
    );
    for (const id of kept) same("deleteBucket", await reopened.countEvents(id), 1, `events of ${JSON.stringify(id)}`);
  });
}

async function playMany(stage: Stage): Promise<void> {
  const ids = Array.from({ length: 300 }, (_, index) => `bucket ${(index * 7) % 300}`);
  await Promise.all(ids.map((id) => stage.storage.createBucket(bucketOf(id))));
  await Promise.all(ids.map((id, index) => stage.storage.putEvents(id, [draftOf(index, 1, id), draftOf(index + 2)])));
  await Promise.all(ids.map((id, index) => stage.storage.heartbeat(id, draftOf(index + 9, 1, id), 3)));
  await stage.alsoReopened(async (storage) => {
    const listed = await storage.summaries();
    same("summaries", listed.length, 300, "number of buckets");
    for (const summary of listed) {
      const index = ids.indexOf(summary.id);
      same("callOrder", [summary.start, summary.end], [index, index + 10], `extremes of ${summary.id}`);
      same("callOrder", await storage.countEvents(summary.id), 3, `events of ${summary.id}`);
    }
  });
}
