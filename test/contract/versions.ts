import type { Storage, VersionToken } from "../../src/storage/storage.js";
import { bucketOf, draftOf, drain, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, same, show } from "./check.js";

/** What an adapter says of changes, where it says something: whoever keeps responses relies on it. */
export const versions: readonly Scenario[] = [
  { name: "version: another one after every change of events", needs: "versions", play: playChanges },
  { name: "version: a bucket that is made again has another one", needs: "versions", play: playAgain },
  { name: "version: that of the list of buckets follows their records", needs: "versions", play: playBuckets },
  { name: "version: one for each id, in their order", needs: "versions", play: playList },
  { name: "version: a read tells the one that it shows", needs: "versions", play: playRead },
  {
    name: "version: a read during a write never tells a version that it does not show",
    needs: "versions",
    play: playRace,
  },
  { name: "version: none is used again after a reopening", needs: "versions", play: playReopened },
  { name: "range versions: another one after every change in the range", needs: "versions", play: playRanges },
  { name: "version: nothing is known after close", needs: "versions", play: playClosed },
];

async function versionOf(storage: Storage, bucketId: string | null): Promise<VersionToken> {
  const [version] = (await storage.versions?.([bucketId])) ?? [];
  return version;
}

/** Makes a change and demands that it shows, and that no version is used twice. */
async function changes(
  storage: Storage,
  bucketId: string | null,
  steps: readonly (readonly [what: string, change: () => Promise<unknown>])[],
): Promise<void> {
  const seen = new Set<VersionToken>([await versionOf(storage, bucketId)]);
  for (const [what, change] of steps) {
    await change();
    const version = await versionOf(storage, bucketId);
    holds("version", typeof version === "string", `behind ${what}: expected a text, got ${show(version)}`);
    holds("version", !seen.has(version), `${what} led to ${show(version)}, which was used before`);
    seen.add(version);
  }
}

async function playChanges(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const many = Array.from({ length: 3000 }, (_, n) => draftOf(1000 + n, 1));
  let id = 0;
  await changes(storage, "window", [
    ["a put", () => storage.putEvents("window", [draftOf(10, 5), draftOf(30, 5)])],
    ["a late put", () => storage.putEvents("window", [draftOf(0, 1)])],
    ["a first heartbeat", () => storage.heartbeat("window", draftOf(100, 0), 5)],
    ["a heartbeat that merges", () => storage.heartbeat("window", draftOf(103, 0), 5)],
    [
      "another put",
      async () => {
        id = (await storage.putEvents("window", [draftOf(200, 1)]))[0]?.id ?? 0;
      },
    ],
    ["a replacement", () => storage.putEvents("window", [{ ...draftOf(200, 2), id }])],
    ["a deletion", () => storage.deleteEvents("window", [id])],
    ["a merge", () => storage.mergeEvents("window", [draftOf(10, 5), draftOf(300, 5)])],
    ["a large put", () => storage.putEvents("window", many)],
    [
      "a large merge",
      () => storage.mergeEvents("window", [...many, ...many.map((each) => ({ ...each, duration: 2 }))]),
    ],
  ]);
}

async function playAgain(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const put = (): Promise<unknown> => storage.putEvents("window", [draftOf(10, 5)]);
  async function again(): Promise<void> {
    await storage.deleteBucket("window");
    same("versions", await versionOf(storage, "window"), undefined, "version of a deleted bucket");
    await storage.createBucket(bucketOf("window"));
  }
  await changes(storage, "window", [
    ["a put", put],
    ["making it again", again],
    ["the same put", put],
    ["making it again", again],
    ["the same put", put],
  ]);
}

async function playBuckets(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await changes(storage, null, [
    ["a creation", () => storage.createBucket(bucketOf("other"))],
    ["an update", () => storage.updateBucket("other", { hostname: "elsewhere" })],
    ["an update back", () => storage.updateBucket("other", { hostname: "host" })],
    ["a deletion", () => storage.deleteBucket("other")],
    ["the same creation", () => storage.createBucket(bucketOf("other"), [draftOf(1)])],
  ]);
}

async function playList(stage: Stage): Promise<void> {
  const { storage } = stage;
  for (const id of ["window", "afk", ""]) await storage.createBucket(bucketOf(id), [draftOf(1)]);
  const ids = ["afk", null, "unknown", "window", "", "afk"];
  const all = (await storage.versions?.(ids)) ?? [];
  same("versions", all.length, ids.length, "number of versions");
  for (const [index, id] of ids.entries()) same("versions", all[index], await versionOf(storage, id), show(id));
  const known = [0, 1, 3, 4].map((index) => typeof all[index]);
  same("versions", known, ["string", "string", "string", "string"], "types of the versions");
  same("versions", all[2], undefined, "version of an unknown bucket");
  same("versions", (await storage.versions?.([]))?.length, 0, "versions of no bucket");
}

async function playRead(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.putEvents(
    "window",
    Array.from({ length: 2_500 }, (_, index) => draftOf(index, 1)),
  );
  for (let round = 0; round < 5; round++) {
    const before = await storage.read("window", { limit: 1_500 });
    same("readVersion", before.version, await versionOf(storage, "window"), "version told by a read");
    await storage.heartbeat("window", draftOf(10_000 + round, 1, "beat"), 5);
    await drain(before.batches);
    const after = await storage.read("window", { start: 5_000 });
    holds("readVersion", after.version !== before.version, `${show(before.version)} is told behind a write as well`);
    await drain(after.batches);
  }
}

async function playRace(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  if (!storage.traits.snapshotReads) return;
  for (let round = 0; round < 40; round++) {
    const put = storage.putEvents("window", [draftOf(round * 10, 1, round)]);
    for (let turn = 0; turn < round % 4; turn++) await new Promise(setImmediate);
    const { version, batches } = await storage.read("window");
    const count = (await drain(batches)).length;
    await put;
    // A response that is kept under this version would be sent as long as the version stays.
    if (version === undefined || version !== (await versionOf(storage, "window"))) continue;
    same("readVersion", count, round + 1, `events of a read with version ${version}`);
  }
}

async function playReopened(stage: Stage): Promise<void> {
  await withBucket(stage);
  const contentOf = new Map<VersionToken, string>();
  for (let round = 0; round < 4; round++) {
    for (let step = 0; step < 3; step++) {
      await stage.storage.putEvents("window", [draftOf(round * 100 + step)]);
      const version = await versionOf(stage.storage, "window");
      const content = show((await read(stage.storage, "window")).map(({ timestamp }) => timestamp));
      const other = contentOf.get(version);
      holds("version", other === undefined, `${show(version)} stands for ${other} and for ${content}`);
      contentOf.set(version, content);
    }
    if (stage.keeps) await stage.reopen();
  }
}

/** It may also reject, as every method. */
async function playRanges(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  if (storage.rangeVersions === undefined) return;
  const ranges = [
    { start: 0, end: 999 },
    { start: 1000, end: 5000 },
  ];
  const current = async () => (await storage.rangeVersions?.("window", ranges)) ?? [];
  const many = Array.from({ length: 3000 }, (_, n) => draftOf(1000 + n, 1));
  const [last] = (await storage.putEvents("window", many)).slice(-1);
  let before = await current();
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["a late put", () => storage.putEvents("window", [draftOf(2000, 2)])],
    [
      "a replacement of equal size",
      () => storage.putEvents("window", [{ ...draftOf(3999, 1, "b"), id: last?.id ?? 0 }]),
    ],
    ["a longer event", () => storage.putEvents("window", [{ ...draftOf(3999, 2, "b"), id: last?.id ?? 0 }])],
    ["a heartbeat", () => storage.heartbeat("window", draftOf(4100, 5), 5)],
    ["an event that reaches into the range", () => storage.putEvents("window", [draftOf(990, 20)])],
    ["a deletion", () => storage.deleteEvents("window", [last?.id ?? 0])],
  ];
  for (const [what, change] of steps) {
    await change();
    const versions = await current();
    same("rangeVersions", versions.length, ranges.length, "number of versions");
    holds("rangeVersions", versions[1] !== before[1], `${what} kept the version ${show(versions[1])}`);
    before = versions;
  }
  if (!stage.keeps) return;
  const storageAgain = await stage.reopen();
  await storageAgain.putEvents("window", [draftOf(2500, 1)]);
  const versions = (await storageAgain.rangeVersions?.("window", ranges)) ?? [];
  holds("rangeVersions", versions[1] !== before[1], `a version is used again after a reopening: ${show(versions[1])}`);
}

async function playClosed(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.close();
  const versions = await Promise.resolve(storage.versions?.(["window", null])).catch(() => [undefined, undefined]);
  same("version", versions, [undefined, undefined], "versions after close");
}
