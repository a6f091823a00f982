import { finish, open, put } from "./beside.js";
import { bucketOf, draftOf, read, type Scenario, type Stage } from "./case.js";
import { broken, rejects, same, sameEvent, show } from "./check.js";
import { transact } from "./transacting.js";
import { awaitedLater } from "./watch.js";

const needs = "transact";

/** How a transaction stands to calls beside it. */
export const transactionTurns: readonly Scenario[] = [
  { name: "transaction: it sees what was written before it was called", needs, play: playBefore },
  { name: "transaction: writes that come meanwhile wait, and find what it left", needs, play: playWaiting },
  { name: "transaction: a bucket that is created meanwhile waits as well", needs, play: playCreated },
  { name: "transaction: of many in all orders each is carried out", needs, play: playCircle },
  { name: "transaction: reads see all of it or none", needs, play: playWhole },
  { name: "transaction: counting by records loses no step", needs, play: playCount },
  { name: "transaction: other buckets do not wait for it", needs, play: playOthers },
];

/** Resolves for whoever waits, when it is told to. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

async function playBefore(stage: Stage): Promise<void> {
  const { storage } = stage;
  const counts: number[] = [];
  const calls = [
    storage.createBucket(bucketOf("window"), [draftOf(1), draftOf(2)]),
    storage.putEvents(
      "window",
      Array.from({ length: 900 }, (_, index) => draftOf(index, 1, "many")),
    ),
    storage.heartbeat("window", draftOf(5_000), 0),
    transact(storage, ["window", "other"], async (view) => {
      counts.push(await view.countEvents("window"));
      return [{ kind: "rename", bucketId: "window", newId: "other" }];
    }),
    storage.createBucket(bucketOf("window"), [draftOf(7)]),
    storage.putEvents("other", [draftOf(6_000)]),
  ] as const;
  await Promise.all(calls);
  same("callOrder", counts, [903], "events that it saw");
  await stage.alsoReopened(async (reopened) => {
    same("callOrder", await reopened.countEvents("window"), 1, "events of the new bucket");
    same("callOrder", await reopened.countEvents("other"), 904, "events of the renamed one");
  });
}

async function playWaiting(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(stage, reference, [draftOf(1, 1, "first")]);
  const { storage } = stage;
  const beat = await storage.heartbeat("window", draftOf(100, 1, "beat"), 0);
  reference.heartbeat("window", draftOf(100, 1, "beat"), 0, beat.id);
  const { passed, open: letGo } = gate();
  const begun = gate();
  const ended: string[] = [];
  const call = <T>(what: string, promise: Promise<T>): Promise<T> =>
    awaitedLater(
      promise.finally(() => {
        ended.push(what);
      }),
    );
  const renaming = transact(storage, ["window", "renamed"], async () => {
    begun.open();
    await passed;
    ended.push("plan");
    return [{ kind: "rename", bucketId: "window", newId: "renamed" }];
  });
  await begun.passed;
  const toOld = call("beat", storage.heartbeat("window", draftOf(103, 1, "beat"), 5));
  const toNew = call("new", storage.heartbeat("renamed", draftOf(104, 1, "beat"), 5));
  const others = [
    call("put", storage.putEvents("window", [draftOf(1)])),
    call("merge", storage.mergeEvents("window", [draftOf(1)])),
    call("deletion", storage.deleteEvents("window", [beat.id])),
  ];
  same("transactWhole", await storage.countEvents("window"), 2, "events that a read sees meanwhile");
  letGo();
  same("transact", await renaming, true, "answer");
  await rejects("transactWaits", "NO_SUCH_BUCKET", "a heartbeat to the old id", () => toOld);
  for (const each of others) await rejects("transactWaits", "NO_SUCH_BUCKET", "a write to the old id", () => each);
  const extended = await toNew;
  same("transactWaits", ended[0], "plan", "what came first");
  reference.renameBucket("window", "renamed");
  const expected = reference.heartbeat("renamed", draftOf(104, 1, "beat"), 5, extended.id);
  sameEvent("transactWaits", extended, expected, "a heartbeat to the new id");
  await finish(stage, reference, "heartbeats that waited");
}

async function playCreated(stage: Stage): Promise<void> {
  const { storage } = stage;
  const { passed, open: letGo } = gate();
  const begun = gate();
  const creating = transact(storage, ["window"], async (view) => {
    begun.open();
    await passed;
    same("transactView", await view.getBucket("window"), undefined, "a bucket that is created meanwhile");
    return [{ kind: "create", bucket: bucketOf("window"), drafts: [draftOf(1)] }];
  });
  await begun.passed;
  const other = awaitedLater(storage.createBucket(bucketOf("window", { client: "other" })));
  const updated = awaitedLater(storage.updateBucket("window", { hostname: "elsewhere" }));
  letGo();
  same("transact", await creating, true, "answer");
  same("transactWaits", await other, undefined, "answer of a creation behind it");
  same("transactWaits", await updated, true, "answer of an update behind it");
  same("transactWaits", (await storage.getBucket("window"))?.client, "contract", "client of the bucket");
  same("transactWaits", await storage.deleteBucket("window"), true, "answer of a deletion");
}

async function playCircle(stage: Stage): Promise<void> {
  const { storage } = stage;
  const ids = ["a", "b", "c"];
  for (const id of ids) await storage.createBucket(bucketOf(id));
  const orders = [0, 1, 2].flatMap((at) => [
    [ids[at] ?? "", ids[(at + 1) % 3] ?? ""],
    [ids[(at + 1) % 3] ?? "", ids[at] ?? ""],
  ]);
  const rounds = Array.from({ length: 8 }, (_, round) => orders.map((held) => ({ round, held }))).flat();
  const calls = rounds.map(({ round, held }) =>
    transact(storage, held, async (view) => {
      for (const id of held) await view.countEvents(id);
      return held.map((bucketId) => ({ kind: "putEvents", bucketId, drafts: [draftOf(round)] }) as const);
    }),
  );
  const beats = rounds.map(({ round, held: [id = ""] }) =>
    storage.heartbeat(id, draftOf(1_000 + round, 0, "beat"), -1),
  );
  const outcomes = await Promise.all(calls);
  await Promise.all(beats);
  same("transactCircle", outcomes.every(Boolean), true, "whether each was carried out");
  await stage.alsoReopened(async (reopened) => {
    for (const id of ids) same("transactCircle", await reopened.countEvents(id), 32 + 16, `events of ${id}`);
  });
}

async function playWhole(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("a"), [draftOf(1, 1, "moving")]);
  let isOver = false;
  const seen: string[] = [];
  const looking = (async () => {
    while (!isOver) {
      const buckets = await storage.listBuckets();
      seen.push(buckets.map(({ id }) => id).join());
      // Answers out of memory would let nobody else come to the turn.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  })();
  for (let round = 0; round < 20; round++) {
    const [from, to] = round % 2 === 0 ? ["a", "b"] : ["b", "a"];
    await transact(storage, ["a", "b"], () => [
      { kind: "create", bucket: bucketOf(to), drafts: [draftOf(1, 1, "moving")] },
      { kind: "delete", bucketId: from },
    ]);
  }
  isOver = true;
  await looking;
  const wrong = seen.find((each) => each !== "a" && each !== "b");
  if (wrong !== undefined) broken("transactWhole", `a list of buckets was ${show(wrong)}`);
}

async function playCount(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("window"));
  let done = 0;
  const steps = Array.from({ length: 12 }, async () => {
    for (let attempt = 0; attempt < 200; attempt++) {
      const isDone = await transact(storage, ["window"], async (view) => {
        const held = await view.getRecord("count", "n");
        const next = Number(held ?? 0) + 1;
        return [
          { kind: "record", recordKind: "count", key: "n", expected: held, value: next },
          { kind: "putEvents", bucketId: "window", drafts: [draftOf(next)] },
        ];
      });
      if (isDone) {
        done++;
        return;
      }
    }
  });
  const others = Array.from({ length: 12 }, async () => {
    const counts = storage.records("count");
    for (let attempt = 0; attempt < 200; attempt++) {
      const held = await counts.get("n");
      if (await counts.compareAndSet("n", held, Number(held ?? 0) + 1)) return;
    }
    broken("compareAndSet", "a step never succeeded");
  });
  await Promise.all([...steps, ...others]);
  same("transactRecords", done, 12, "steps that were done");
  await stage.alsoReopened(async (reopened) => {
    same("transactRecords", await reopened.records("count").get("n"), 24, "the count");
    const times = (await read(reopened, "window")).map(({ timestamp }) => timestamp);
    same("transactRecords", new Set(times).size, 12, "events of different steps");
  });
}

async function playOthers(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const { storage } = stage;
  await storage.createBucket(bucketOf("afk"));
  reference.createBucket(bucketOf("afk"));
  await transact(storage, ["window"], async () => {
    await put(stage, reference, [draftOf(1)], "afk");
    const beat = await storage.heartbeat("afk", draftOf(50), 0);
    reference.heartbeat("afk", draftOf(50), 0, beat.id);
    await storage.settings.put("a", 1);
    return [{ kind: "deleteEvents", bucketId: "window", eventIds: [1] }];
  });
  await finish(stage, reference, "another bucket");
}
