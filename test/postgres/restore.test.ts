// One node's folder becomes a namespace, and a namespace a folder.
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { BackupItem } from "../../src/storage/backup.js";
import { restoreBackup } from "../../src/storage/backup.js";
import type { Storage } from "../../src/storage/storage.js";
import { withFolder } from "../adapters/folder.js";
import { read } from "../contract/case.js";
import { postgresGround } from "./ground.js";
import { answersOf, DESK_EVENTS, fillDesk, sameAnswers } from "./queries.js";

const test = suite("postgres restore");

const ground = await postgresGround();

/** Everything that is stored, to be compared. */
async function contentOf(storage: Storage): Promise<unknown> {
  const buckets = await storage.listBuckets();
  return {
    deviceId: await storage.deviceId(),
    buckets,
    settings: [...(await storage.settings.list())].sort(),
    records: [...(await storage.records("keys").list())].sort(),
    // As texts: a difference among thousands of events takes minutes to be shown.
    events: await Promise.all(
      buckets.map(async ({ id }) =>
        (await read(storage, id, { order: "oldest" })).map((event) => JSON.stringify(event)).join("\n"),
      ),
    ),
  };
}

/** What queries read, and what they do not. */
async function fill(storage: Storage): Promise<void> {
  await fillDesk(storage);
  await storage.deviceId();
  await storage.settings.put("a\ud800", { b: [1, null], a: 2 });
  await storage.records("keys").compareAndSet("k", undefined, { scopes: ["admin"] });
}

const copyOf = (from: Storage) => (): AsyncIterable<BackupItem> => from.backup();

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { open, newNamespace } = ground;

  test("a backup of LevelDB restores into PostgreSQL and back, and queries answer the same", () =>
    withFolder(async (folder) => {
      const [first, second] = ["first", "second"].map((name) => leveldb({ path: path.join(folder, name) })) as [
        Storage,
        Storage,
      ];
      await fill(first);
      const database = open(newNamespace());
      await restoreBackup(database, copyOf(first));
      await restoreBackup(second, copyOf(database));
      const content = await contentOf(first);
      assert.equal(await contentOf(database), content);
      assert.equal(await contentOf(second), content);
      assert.equal((await database.verify()).problems, []);
      const answers = await answersOf(first);
      sameAnswers(await answersOf(database), answers, "the database");
      sameAnswers(await answersOf(second), answers, "the second folder");
      const beat = { timestamp: 1, duration: 0, data: {} };
      const ids = await Promise.all([first, database, second].map((storage) => storage.heartbeat("window", beat, 0)));
      assert.ok(
        ids.every(({ id }) => id > DESK_EVENTS),
        "ids go on behind those that were restored",
      );
      for (const storage of [first, database, second]) await storage.close();
    }));

  test("restoring twice into a namespace adds nothing", async () => {
    const [from, to] = [open(newNamespace()), open(newNamespace())];
    await fill(from);
    for (let round = 0; round < 2; round++) await restoreBackup(to, copyOf(from), { merge: true });
    assert.is(await to.countEvents("window"), await from.countEvents("window"));
    await from.close();
    await to.close();
  });

  test("the connections of the suite end", () => ground.finish());
}

test.run();
