// A namespace is deleted: no column of any table has a byte of it, and no node that had it open brings it back.
import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { deleteNamespace, postgres } from "../../adapters/postgres/index.js";
import { createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { uniqueText } from "../adapters/traces.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { codeOf, refusalOf } from "../refusals.js";
import { postgresGround } from "./ground.js";
import { unlucky } from "./unlucky.js";

const test = suite("postgres destroy");

const ground = await postgresGround();

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { pool, url, newNamespace, open } = ground;

  /** Tables with a row that has a text in any column. */
  async function tablesWith(text: string): Promise<string[]> {
    const { rows } = await pool.query(
      "select table_name as name from information_schema.tables where table_schema = 'activity_server'",
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const query = `select count(*) as count from activity_server.${name} t where strpos(t::text, $1) > 0`;
      if ((await pool.query(query, [text])).rows[0].count !== "0") found.push(name);
    }
    return found.sort();
  }

  /** A server with a mark in every place that it fills, the name of its namespace included. */
  async function filled(mark: string, storage: Storage = open(mark)) {
    const server = createActivityServer({ storage });
    const event = { timestamp: "2024-01-01", duration: "1s", data: { mark } } as const;
    const events = [event, { ...event, timestamp: "2024-01-03" }];
    await server.buckets.create(`kept ${mark}`, { type: "t", client: mark, hostname: mark }, events);
    await server.buckets.create(`gone ${mark}`, { type: "t", client: "c", hostname: "h" }, [event]);
    await server.buckets.delete(`gone ${mark}`);
    await server.settings.put(mark, { mark });
    await server.keys.add({ name: mark.replaceAll(" ", "-"), scopes: ["admin"] });
    return server;
  }

  async function countsOf(namespace: string): Promise<unknown[]> {
    const counts: unknown[] = [];
    for (const table of ["namespaces", "buckets", "events", "settings", "records", "writes", "changes"]) {
      const query = `select count(*)::int as count from activity_server.${table} where namespace = $1`;
      counts.push((await pool.query(query, [namespace])).rows[0].count);
    }
    return counts;
  }

  test("no column has a trace of a destroyed server, other namespaces stay, and the next one is new", async () => {
    const [mark, other] = [uniqueText(), uniqueText()];
    const [server, neighbor] = [await filled(mark), await filled(other)];
    await neighbor.close();
    const tables = [
      "activity",
      "buckets",
      "changes",
      "events",
      "namespaces",
      "part_versions",
      "records",
      "settings",
      "writes",
    ];
    assert.equal(await tablesWith(mark), tables, "it is found before");
    const before = await countsOf(other);
    await server.destroy();
    assert.equal(await tablesWith(mark), []);
    assert.equal(await countsOf(other), before);
    assert.equal(await tablesWith(other), tables);
    assert.is(await codeOf(server.buckets.list()), "STORAGE_CLOSED");
    const next = createActivityServer({ storage: open(mark) });
    assert.equal([await next.buckets.list(), await next.keys.list()], [[], []]);
    assert.equal(await tablesWith(mark), [], "reading makes nothing");
    await next.buckets.create("window", { type: "t", client: "c", hostname: "h" });
    assert.is((await next.buckets.list()).length, 1);
    await next.close();
  });

  test("nodes that have it open are refused, whatever they write, and bring nothing back", async () => {
    const writes: readonly (readonly [string, (storage: Storage) => Promise<unknown>])[] = [
      ["a heartbeat", (storage) => storage.heartbeat("window", draftOf(9), 1)],
      ["events", (storage) => storage.putEvents("window", [draftOf(9)])],
      ["a bucket", (storage) => storage.createBucket(bucketOf("new"))],
      [
        "a patch",
        (storage) => storage.updateBucket("window", { hostname: "new" }).then(() => storage.settings.put("a", 1)),
      ],
      ["a setting", (storage) => storage.settings.put("key", 1)],
      ["a record", (storage) => storage.records("kind").compareAndSet("key", undefined, 1)],
      [
        "a transaction",
        async (storage) => storage.transact?.(["new"], () => [{ kind: "create", bucket: bucketOf("new") }]),
      ],
    ];
    for (const [name, write] of writes) {
      for (const hasWritten of [true, false]) {
        const namespace = newNamespace();
        const storage = open(namespace);
        await storage.createBucket(bucketOf("window"), [draftOf(1)]);
        await storage.settings.put("key", 0);
        const stale = hasWritten ? storage : open(namespace);
        if (!hasWritten) assert.is((await stale.listBuckets()).length, 1);
        await deleteNamespace({ pool, namespace });
        assert.match(await refusalOf(write(stale)), /^STORAGE_CLOSED: all data .* deleted/, name);
        assert.is(await codeOf(stale.listBuckets()), "STORAGE_CLOSED");
        assert.equal(await countsOf(namespace), [0, 0, 0, 0, 0, 0, 0], name);
        await stale.close();
      }
    }
  });

  test("nor do they write to a later namespace of that name", async () => {
    const namespace = newNamespace();
    const stale = open(namespace);
    await stale.createBucket(bucketOf("window"));
    await deleteNamespace({ pool, namespace });
    const next = open(namespace);
    await next.createBucket(bucketOf("window"));
    assert.is(await codeOf(stale.heartbeat("window", draftOf(1), 1)), "STORAGE_CLOSED");
    assert.is(await next.countEvents("window"), 0);
    for (const each of [stale, next]) await each.close();
  });

  test("writes in progress either count before it or are refused", async () => {
    const namespace = newNamespace();
    const nodes = Array.from({ length: 3 }, () => open(namespace));
    await nodes[0]?.createBucket(bucketOf("window"));
    // A node that first looks after the deletion may begin a new namespace.
    for (const node of nodes) await node.settings.put("open", 1);
    let isOver = false;
    const answers = new Set<string>();
    const writers = nodes.flatMap((node, index) =>
      [0, 1].map(async (turn) => {
        for (let count = 0; !isOver; count++) {
          const name = `${index} ${turn} ${count}`;
          const writes = [
            () => node.heartbeat("window", draftOf(count, 0, name), 0),
            () => node.settings.put(name, name),
            () => node.createBucket(bucketOf(name)),
            () => node.records("kind").compareAndSet(name, undefined, name),
          ];
          await new Promise(setImmediate);
          answers.add(await codeOf((writes[count % 4] as () => Promise<unknown>)()));
        }
      }),
    );
    for (let round = 0; round < 20; round++) await pool.query("select 1");
    await deleteNamespace({ connectionString: url, namespace });
    assert.equal(await countsOf(namespace), [0, 0, 0, 0, 0, 0, 0]);
    for (const node of nodes) await codeOf(node.settings.put("late", 1));
    isOver = true;
    await Promise.all(writers);
    assert.equal(await countsOf(namespace), [0, 0, 0, 0, 0, 0, 0]);
    assert.equal(
      [...answers].filter((code) => !["done", "NO_SUCH_BUCKET", "STORAGE_CLOSED"].includes(code)),
      [],
    );
    assert.ok(answers.has("STORAGE_CLOSED"));
    for (const node of nodes) await node.close();
  });

  test("it is repeated when its answer is lost, and by another call when it fails", async () => {
    const fates = ["answer", "statement"] as const;
    for (const fate of fates) {
      const namespace = newNamespace();
      const server = await filled(namespace);
      await server.close();
      let isFirst = true;
      const lossy = unlucky(pool, (text) => {
        if (!text.includes("delete_namespace") || !isFirst) return undefined;
        isFirst = false;
        return fate;
      });
      await deleteNamespace({ pool: lossy, namespace });
      assert.equal(await countsOf(namespace), [0, 0, 0, 0, 0, 0, 0], fate);
    }
    const namespace = newNamespace();
    await (await filled(namespace)).close();
    const own = new pg.Pool({ connectionString: url, max: 2 });
    const storage = postgres({ pool: own, namespace });
    await storage.ready();
    const blocker = await pool.connect();
    await blocker.query("begin");
    await blocker.query("select from activity_server.namespaces where namespace = $1 for update", [namespace]);
    assert.is(await codeOf(storage.destroy()), "STORAGE_FAILED");
    assert.is(await codeOf(storage.listBuckets()), "STORAGE_CLOSED");
    await blocker.query("rollback");
    blocker.release();
    await storage.destroy();
    await storage.close();
    assert.equal(await countsOf(namespace), [0, 0, 0, 0, 0, 0, 0]);
    await own.end();
  });

  test("options that name no namespace are refused", async () => {
    assert.match(await refusalOf(deleteNamespace({ pool } as never)), "deleteNamespace needs the option namespace");
  });

  test("the connections of the suite end", () => ground.finish());
}

test.run();
