import { finish, open, put } from "./beside.js";
import { bucketOf, draftOf, idsOf, type Scenario, type Stage } from "./case.js";
import { rejects, same, sameEvent, sameValue } from "./check.js";
import { both, type PlainChange, run, transact } from "./transacting.js";
import { TEXTS } from "./values.js";

const needs = "transact";

/** What a transaction changes. */
export const transactions: readonly Scenario[] = [
  { name: "transaction: a renamed bucket keeps events, ids, merge target and place", needs, play: playRename },
  { name: "transaction: ids of any text can be given and taken", needs, play: playTexts },
  { name: "transaction: several buckets change at once, in the order of the list", needs, play: playSeveral },
  { name: "transaction: two buckets change their names", needs, play: playSwap },
  { name: "transaction: thousands of events of one bucket move into another", needs, play: playMerge },
  { name: "transaction: events are replaced and deleted wherever they are", needs, play: playEdits },
  { name: "transaction: records change with the buckets, or nothing does", needs, play: playRecords },
];

async function playRename(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const { storage } = stage;
  for (const id of ["first", "last"]) {
    await storage.createBucket(bucketOf(id));
    reference.createBucket(bucketOf(id));
  }
  await put(stage, reference, run(2_500, 0, 10, "old"), "first");
  const late = await storage.heartbeat("first", draftOf(5, 1, "late"), 0);
  reference.heartbeat("first", draftOf(5, 1, "late"), 0, late.id);
  await both(storage, reference, ["first", "renamed"], [{ kind: "rename", bucketId: "first", newId: "renamed" }]);
  await rejects("transactWaits", "NO_SUCH_BUCKET", "the old id", () => storage.read("first"));
  await finish(stage, reference, "a renamed bucket");
  const next = await stage.storage.heartbeat("renamed", draftOf(7, 1, "late"), 3);
  sameEvent("transactRename", next, reference.heartbeat("renamed", draftOf(7, 1, "late"), 3, late.id), "a heartbeat");
  await both(stage.storage, reference, ["first", "renamed"], [{ kind: "rename", bucketId: "renamed", newId: "first" }]);
  await put(stage, reference, [draftOf(1), draftOf(99_999)], "first");
  await finish(stage, reference, "a bucket renamed back");
}

async function playTexts(stage: Stage): Promise<void> {
  const reference = await open(stage);
  let bucketId = "window";
  for (const newId of TEXTS) {
    if (newId === bucketId) continue;
    await both(stage.storage, reference, [newId, bucketId], [{ kind: "rename", bucketId, newId }]);
    bucketId = newId;
  }
  await finish(stage, reference, "a bucket of many names");
}

async function playSeveral(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const { storage } = stage;
  await put(stage, reference, run(20, 0, 10, "window"));
  const afk = bucketOf("afk", { created: 5, name: "named" });
  await both(
    storage,
    reference,
    ["window", "afk", "gone", "elsewhere"],
    [
      { kind: "create", bucket: afk, drafts: run(30, 5, 10, "afk") },
      { kind: "update", bucketId: "afk", patch: { hostname: "other", data: { a: 1 } } },
      { kind: "create", bucket: bucketOf("gone"), drafts: run(5, 5, 10, "gone") },
      { kind: "putEvents", bucketId: "gone", drafts: run(5, 5, 10, "gone") },
      { kind: "delete", bucketId: "gone" },
      { kind: "rename", bucketId: "window", newId: "gone" },
      { kind: "putEvents", bucketId: "gone", drafts: [draftOf(3, 1, "new"), { ...draftOf(4, 1, "given"), id: 7_000 }] },
      { kind: "update", bucketId: "gone", patch: { client: "new", name: "name" } },
      { kind: "create", bucket: bucketOf("window") },
      { kind: "rename", bucketId: "afk", newId: "elsewhere" },
    ],
  );
  const ids = (await storage.listBuckets()).map(({ id }) => id);
  same("transactOrder", ids, ["gone", "elsewhere", "window"], "buckets in the end");
  await finish(stage, reference, "several changes");
  await both(stage.storage, reference, [], []);
  await both(stage.storage, reference, ["window"], [{ kind: "delete", bucketId: "window" }]);
  await finish(stage, reference, "a deletion");
}

async function playSwap(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await stage.storage.createBucket(bucketOf("afk"));
  reference.createBucket(bucketOf("afk"));
  await put(stage, reference, run(1_500, 0, 10, "window"));
  await put(stage, reference, run(3, 0, 10, "afk"), "afk");
  for (let round = 0; round < 3; round++) {
    await both(
      stage.storage,
      reference,
      ["window", "afk", "between"],
      [
        { kind: "rename", bucketId: "window", newId: "between" },
        { kind: "rename", bucketId: "afk", newId: "window" },
        { kind: "rename", bucketId: "between", newId: "afk" },
      ],
    );
    await put(stage, reference, [draftOf(round, 1, "later")]);
  }
  await finish(stage, reference, "buckets that changed their names");
}

async function playMerge(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await stage.storage.createBucket(bucketOf("afk"));
  reference.createBucket(bucketOf("afk"));
  await put(stage, reference, run(2_600, 0, 20, "window"));
  await put(stage, reference, run(2_600, 10, 20, "afk"), "afk");
  await both(
    stage.storage,
    reference,
    ["afk", "window"],
    [
      { kind: "putEvents", bucketId: "window", drafts: run(2_600, 10, 20, "afk") },
      { kind: "delete", bucketId: "afk" },
    ],
    true,
  );
  await put(stage, reference, run(10, 0, 20, "behind"));
  await finish(stage, reference, "two buckets in one");
  // And apart again, into a new one.
  const own = reference.sorted("window").filter(({ data }) => data.label === "afk");
  await both(
    stage.storage,
    reference,
    ["afk", "window"],
    [
      { kind: "create", bucket: bucketOf("afk"), drafts: own },
      { kind: "deleteEvents", bucketId: "window", eventIds: idsOf(own) },
    ],
  );
  await finish(stage, reference, "apart again");
}

async function playEdits(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(stage, reference, run(3_000, 0, 10, "window"));
  const events = reference.sorted("window");
  const moved = events.filter((_, index) => index % 97 === 0).map((event) => ({ ...event, timestamp: 31_000 }));
  const gone = idsOf(events.filter((_, index) => index % 89 === 1 || (index > 1_100 && index < 1_900)));
  const changes: readonly PlainChange[] = [
    { kind: "putEvents", bucketId: "window", drafts: moved },
    { kind: "putEvents", bucketId: "window", drafts: run(5, 15_000, 1, "new") },
    { kind: "deleteEvents", bucketId: "window", eventIds: [...gone, ...gone, 1_000_000] },
  ];
  await both(stage.storage, reference, ["window"], changes);
  await finish(stage, reference, "edits");
  await both(
    stage.storage,
    reference,
    ["window"],
    [{ kind: "deleteEvents", bucketId: "window", eventIds: idsOf(reference.sorted("window")) }],
  );
  await put(stage, reference, run(2, 0, 10, "anew"));
  await finish(stage, reference, "a bucket emptied");
}

async function playRecords(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const { storage } = stage;
  const kind = "record";
  const base = { kind, recordKind: "journal" } as const;
  const rename = { kind: "rename", bucketId: "window", newId: "other" } as const;
  await storage.records("journal").compareAndSet("a", undefined, { n: 1 });
  const wrong: readonly PlainChange[][] = [
    [rename, { ...base, key: "a", expected: { n: 2 }, value: 1 }],
    [{ ...base, key: "b", expected: undefined, value: 1 }, rename, { ...base, key: "a", expected: null, value: 1 }],
    [{ ...base, key: "a", expected: undefined, value: 1 }, rename],
    [
      { ...base, key: "a", expected: { n: 1 }, value: 2 },
      { ...base, key: "a", expected: { n: 1 }, value: 3 },
    ],
  ];
  for (const changes of wrong) {
    const isDone = await transact(storage, ["window", "other"], () => changes);
    same("transactRecords", isDone, false, "answer where a record is another");
  }
  await finish(stage, reference, "nothing changed");
  sameValue("transactRecords", await stage.storage.records("journal").get("a"), { n: 1 }, "the record");
  same("transactRecords", await stage.storage.records("journal").get("b"), undefined, "another record");
  const right: readonly PlainChange[] = [
    rename,
    { ...base, key: "a", expected: { n: 1 }, value: { n: 2 } },
    { ...base, key: "b", expected: undefined, value: null },
    { ...base, key: "a", expected: { n: 2 }, value: undefined },
    { ...base, key: "a", expected: undefined, value: [3] },
    { kind, recordKind: "other", key: "a", expected: undefined, value: 4 },
  ];
  await both(stage.storage, reference, ["window", "other"], right);
  reference.records.clear();
  await finish(stage, reference, "records beside a bucket");
  const journal = await stage.storage.records("journal").list();
  same("transactRecords", journal.size, 2, "number of records");
  sameValue("transactRecords", journal.get("a"), [3], "a record changed three times");
  sameValue("transactRecords", journal.get("b"), null, "a new record");
  sameValue("transactRecords", await stage.storage.records("other").get("a"), 4, "a record of another kind");
  const only = await transact(stage.storage, [], () => [{ ...base, key: "b", expected: null, value: undefined }]);
  same("transactRecords", only, true, "records alone");
  same("transactRecords", await stage.storage.records("journal").get("b"), undefined, "the deleted record");
}
