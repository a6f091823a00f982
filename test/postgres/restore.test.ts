// One node's folder becomes a namespace, and a namespace a folder.
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { createActivityServer } from "../../src/index.js";
import type { BackupItem } from "../../src/storage/backup.js";
import { restoreBackup } from "../../src/storage/restore.js";
import type { Storage } from "../../src/storage/storage.js";
import { withFolder } from "../adapters/folder.js";
import { bucketOf, intOf, randomOf, read } from "../contract/case.js";
import { postgresGround } from "./ground.js";

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

async function fill(storage: Storage): Promise<void> {
  const random = randomOf(3);
  for (const id of ["window", "afk\0\ud800"]) {
    await storage.createBucket(bucketOf(id, { data: { z: 1, a: "\0" } }));
    const drafts = Array.from({ length: 3_000 }, (_, n) => ({
      timestamp: n * 10_000_000 - intOf(random, 0, 5) * 1_000_000,
      duration: intOf(random, 0, 9_000_000),
      data: { app: `app ${intOf(random, 1, 9)}`, title: intOf(random, 1, 20) === 1 ? "\udc00" : `title ${n % 40}` },
    }));
    await storage.putEvents(id, drafts);
  }
  await storage.deviceId();
  await storage.settings.put("a\ud800", { b: [1, null], a: 2 });
  await storage.records("keys").compareAndSet("k", undefined, { scopes: ["admin"] });
}

/** Sums of queries of several kinds. */
async function answersOf(storage: Storage): Promise<unknown[]> {
  const server = createActivityServer({ storage });
  const programs = [
    "events = query_bucket('window'); RETURN = sum_durations(events);",
    "events = merge_events_by_keys(query_bucket('window'), ['app']); RETURN = sort_by_duration(events);",
    "events = filter_keyvals(query_bucket('window'), 'app', ['app 1', 'app 2']); RETURN = sum_durations(events);",
    "events = chunk_events_by_key(query_bucket('window'), 'app'); RETURN = limit_events(sort_by_duration(events), 20);",
    "events = filter_period_intersect(query_bucket('window'), query_bucket(find_bucket('afk'))); RETURN = sum_durations(events);",
  ];
  const periods = ["1970-01-01/1970-01-02", "1970-01-01T02:00:00Z/1970-01-01T03:30:00Z", "1969-12-31/1970-01-05"];
  const answers: unknown[] = [];
  for (const program of programs) {
    const body = JSON.stringify({ timeperiods: periods, query: [program] });
    const headers = { "content-type": "application/json" };
    const response = await server.fetch(
      new Request("http://localhost/api/0/query/", { method: "POST", headers, body }),
    );
    assert.is(response.status, 200, program);
    answers.push(await response.json());
  }
  return answers;
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
      assert.equal(await answersOf(database), answers);
      assert.equal(await answersOf(second), answers);
      const beat = { timestamp: 1, duration: 0, data: {} };
      const ids = await Promise.all([first, database, second].map((storage) => storage.heartbeat("window", beat, 0)));
      assert.ok(
        ids.every(({ id }) => id > 3_000),
        "ids go on behind those that were restored",
      );
      for (const storage of [first, database, second]) await storage.close();
    }));

  test("restoring twice into a namespace adds nothing", async () => {
    const [from, to] = [open(newNamespace()), open(newNamespace())];
    await fill(from);
    for (let round = 0; round < 2; round++) await restoreBackup(to, copyOf(from), { merge: true });
    assert.is(await to.countEvents("window"), 3_000);
    await from.close();
    await to.close();
  });

  test("the server of the suite ends", () => ground.finish());
}

test.run();
