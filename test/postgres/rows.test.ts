// What people see who look at the tables, and what the storage notices that they changed.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import { MIGRATIONS } from "../../adapters/postgres/migrations.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { codeOf } from "../refusals.js";
import { postgresGround } from "./ground.js";

const test = suite("postgres rows");

const ground = await postgresGround();

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { pool, open, newNamespace } = ground;

  test("the view shows times, lengths and data as PostgreSQL has them", async () => {
    const namespace = newNamespace();
    const storage = open(namespace);
    const data = { b: 1, a: { title: "Ö \u{1f600}" } };
    await storage.createBucket(bucketOf("window"), [{ timestamp: 1_700_000_000_123_456, duration: 1_500_000, data }]);
    const { rows } = await pool.query(
      `select bucket, hostname, started = '2023-11-14 22:13:20.123456+00' as is_start,
        duration = interval '1.5 seconds' as is_duration, data #>> '{a,title}' as title
       from activity_server.activity where namespace = $1`,
      [namespace],
    );
    const expected = { bucket: "window", hostname: "host", is_start: true, is_duration: true, title: "Ö \u{1f600}" };
    assert.equal(rows, [expected]);
    await storage.close();
  });

  test("what jsonb cannot hold is U+FFFD in the view, and comes back as it was", async () => {
    const namespace = newNamespace();
    const storage = open(namespace);
    const id = "a\0b\ud800";
    const data = { "k\0": "\udc00x\\u0000", pair: "\u{1f600}", "\ud83d": "\\\ud83d" };
    await storage.createBucket(bucketOf(id), [{ timestamp: 0, duration: 0, data }]);
    const { rows } = await pool.query("select bucket, data from activity_server.activity where namespace = $1", [
      namespace,
    ]);
    const shown = { "k\ufffd": "\ufffdx\\u0000", pair: "\u{1f600}", "\ufffd": "\\\ufffd" };
    assert.equal(rows, [{ bucket: "a\ufffdb\ufffd", data: shown }]);
    assert.equal(
      (await read(storage, id)).map((event) => event.data),
      [data],
    );
    await storage.close();
  });

  test("an id of one bucket is unknown in the others, also behind ids that were brought", async () => {
    const storage = open(newNamespace());
    for (const id of ["window", "afk"]) await storage.createBucket(bucketOf(id));
    const known = new Set<number>();
    const give = async (bucketId: string): Promise<number> => {
      const stored = await storage.putEvents(bucketId, [draftOf(1), draftOf(2)]);
      const beat = await storage.heartbeat(bucketId, draftOf(50 + known.size, 0, `${known.size}`), 0);
      for (const { id } of [...stored, beat]) {
        assert.not.ok(known.has(id), `${id} of ${bucketId} is given twice`);
        known.add(id);
      }
      return beat.id;
    };
    await give("window");
    let last = await give("afk");
    for (const ahead of [2, 50, 250_000]) {
      const ids = [last + ahead, last + ahead + 1];
      await storage.putEvents("window", [
        { ...draftOf(3), id: last + ahead },
        { ...draftOf(4), id: last + ahead + 1 },
      ]);
      for (const id of ids) known.add(id);
      await give("window");
      last = await give("afk");
    }
    await storage.putEvents("window", [{ ...draftOf(5), id: 2 ** 52 }]);
    assert.ok((await give("window")) > 2 ** 52);
    assert.ok((await give("afk")) < 2 ** 52, "one id that was brought uses up no others");
    await storage.close();
  });

  test("namespaces see nothing of each other", async () => {
    const [mine, yours] = [open(newNamespace()), open(newNamespace())];
    await mine.createBucket(bucketOf("window"), [draftOf(1)]);
    await mine.settings.put("key", 1);
    assert.equal(await yours.listBuckets(), []);
    assert.is(await yours.settings.get("key"), undefined);
    await yours.createBucket(bucketOf("window"), [draftOf(2)]);
    await yours.deleteBucket("window");
    assert.is(await mine.countEvents("window"), 1);
    assert.is.not(await mine.deviceId(), await yours.deviceId());
    await mine.close();
    await yours.close();
  });

  test("a check finds what was changed behind the storage", async () => {
    const namespace = newNamespace();
    const storage = open(namespace);
    await storage.createBucket(bucketOf("window"), [draftOf(1, 5), draftOf(2, 5), draftOf(3, 5)]);
    await storage.settings.put("key", { a: 1 });
    await storage.records("kind").compareAndSet("key", undefined, 1);
    const { problems: before, ...counts } = await storage.verify();
    assert.equal(before, []);
    assert.is(counts.events, 3);
    const run = (text: string): Promise<unknown> => pool.query(text, [namespace]);
    await run(`update activity_server.events set data_text = '{"label":"b"}' where namespace = $1 and start_us = 1`);
    await run("update activity_server.events set duration_us = 50 where namespace = $1 and start_us = 3");
    await run("update activity_server.buckets set next_id = 1 where namespace = $1");
    await run("update activity_server.settings set value_text = '{' where namespace = $1");
    await run("update activity_server.records set value_text = '2' where namespace = $1");
    await run("update activity_server.events set bucket = 99 where namespace = $1 and start_us = 2");
    const { problems } = await storage.verify();
    const told = problems.map(({ kind, message }) => `${kind}: ${message}`).join("\n");
    for (const part of [
      /damaged: event \d+ of bucket 'window' is damaged/,
      /the next event ID of bucket 'window' is already used/,
      /the longest duration of bucket 'window' is less than the duration of an event/,
      /the end of bucket 'window' differs from the end of its last event/,
      /orphaned: 1 events of a missing bucket/,
      /the setting "key" is damaged/,
      /the record "key" is damaged/,
    ]) {
      assert.match(told, part);
    }
    await storage.close();
  });

  test("many that open a schema at once make its tables once", async () => {
    const storages = Array.from({ length: 6 }, (_, index) =>
      postgres({ connectionString: ground.url, max: 2, schema: 'odd "$&name', namespace: `n ${index}` }),
    );
    await Promise.all(storages.map((storage) => storage.createBucket(bucketOf("window"))));
    const { rows } = await pool.query('select version from "odd ""$&name".migrations order by version');
    assert.equal(
      rows.map(({ version }) => version),
      MIGRATIONS.map((_, index) => index + 1),
    );
    for (const storage of storages) await storage.close();
  });

  test("tables of a later version are refused, and left alone", async () => {
    const options = { connectionString: ground.url, schema: "later" };
    const storage = postgres(options);
    await storage.ready();
    await pool.query("insert into later.migrations (version) values (1000)");
    const refused = postgres(options);
    assert.is(await codeOf(refused.ready()), "STORAGE_TOO_NEW");
    await refused.close();
    await storage.close();
  });

  test("a database that is not there, or lets nobody in, is told as such", async () => {
    for (const connectionString of [
      ground.url.replace(/\/\w+\?/, "/missing?"),
      ground.url.replace("postgres@", "nobody@"),
    ]) {
      const storage = postgres({ connectionString });
      assert.is(await codeOf(storage.ready()), "STORAGE_UNUSABLE");
      await storage.close();
    }
  });

  test("options that cannot work are refused at once", () => {
    const connectionString = "postgres:///";
    for (const options of [
      {},
      { pool: {} },
      { connectionString: "" },
      { connectionString, pool },
      { connectionString, max: 1 },
      { pool, max: 5 },
      { connectionString, namespace: "" },
      { connectionString, namespace: "a\0" },
      { connectionString, schema: "x".repeat(64) },
      { connectionString, schema: "a$$b" },
      { connectionString, durability: "nothing" },
      { connectionString, path: "x" },
    ]) {
      assert.throws(
        () => postgres(options as never),
        (error: unknown) => error instanceof TypeError,
      );
    }
  });

  test("the connections of the suite end", () => ground.finish());
}

test.run();
