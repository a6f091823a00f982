// No call reads the events of all namespaces: what a user waits for does not grow with the number of users.
import pg, { type Pool, type PoolClient } from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { postgresGround } from "./ground.js";

const test = suite("postgres plans");

const ground = await postgresGround();
const EVENTS = 20_000;
/** Makes a table of this size as dear to walk through by an index as one of a million rows. */
const LARGE = "-c random_page_cost=20";

/** What this transaction has read so far of the table with events by reading all of it. */
const SCANS = `select coalesce(sum(seq_scan), 0)::int as scans from pg_stat_xact_user_tables
  where schemaname in ('activity_server', 'young') and relname = 'events'`;

/** Whether it has fetched a good part of the events of one bucket. */
const FETCHES = `select (coalesce(sum(seq_tup_read + idx_tup_fetch), 0) > ${EVENTS / 4})::int as scans
  from pg_stat_xact_user_tables where schemaname = 'activity_server' and relname = 'events'`;

/** A pool that notes the statements that read too much: each in a transaction, which counts what they did. */
function watched(pool: Pool, found: string[], counted: string = SCANS): Pool {
  async function run(client: PoolClient, config: { readonly text: string }): Promise<unknown> {
    const isOwn = !/^\s*(?:begin|commit|rollback)/.test(config.text);
    const ownBegin = isOwn && !held.has(client);
    if (/^begin/.test(config.text)) held.add(client);
    if (/^(?:commit|rollback)/.test(config.text)) held.delete(client);
    if (ownBegin) await client.query("begin");
    const result = await client.query(config);
    if (isOwn && (await client.query(counted)).rows[0].scans > 0) found.push(config.text);
    if (ownBegin) await client.query("commit");
    return result;
  }
  const held = new WeakSet<PoolClient>();
  const proxies = new WeakMap<PoolClient, PoolClient>();
  return new Proxy(pool, {
    get(target, name) {
      if (name !== "connect") return Reflect.get(target, name, target);
      return async () => {
        const client = await target.connect();
        const query = (config: { readonly text: string }): Promise<unknown> => run(client, config);
        const known = proxies.get(client);
        if (known !== undefined) return known;
        const proxy = new Proxy(client, {
          get(owner, key) {
            const value: unknown = key === "query" ? query : Reflect.get(owner, key, owner);
            return typeof value === "function" && key !== "query" ? value.bind(owner) : value;
          },
        });
        proxies.set(client, proxy);
        return proxy;
      };
    },
  });
}

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { pool, open, newNamespace, url } = ground;
  const namespace = newNamespace();

  const CALLS: readonly (readonly [string, (storage: Storage) => Promise<unknown>])[] = [
    ["heartbeat", (storage) => storage.heartbeat("large", draftOf(1e12, 0, "beat"), 5)],
    ["appending", (storage) => storage.putEvents("large", [draftOf(1e12 + 5, 1)])],
    ["replacing the newest", (storage) => storage.putEvents("large", [{ ...draftOf(1e12 + 5, 2), id: EVENTS + 2 }])],
    ["merging", (storage) => storage.mergeEvents("large", [draftOf(5e9, 1), draftOf(1e12 + 9, 1)])],
    ["deleting the newest", (storage) => storage.deleteEvents("large", [EVENTS + 4, EVENTS + 2])],
    ["one event", (storage) => storage.getEvent("large", 100)],
    ["a page", (storage) => read(storage, "large", { limit: 100 })],
    ["a part", (storage) => read(storage, "large", { start: 1e9, end: 1e9 + 3_000_000, order: "oldest" })],
    ["two pages", (storage) => read(storage, "large", { start: 1e9, limit: 1_500 })],
    ["counting a part", (storage) => storage.countEvents("large", { start: 1e9, end: 1.2e9 })],
    ["summaries", (storage) => storage.summaries()],
    ["deleting a small bucket", (storage) => storage.deleteBucket("small")],
  ];

  const DRAFTS = Array.from({ length: EVENTS }, (_, n) => draftOf(n * 1_000_000, 500_000, n % 100));

  test("nothing reads a whole bucket that grew before there were statistics of it", async () => {
    const fresh = newNamespace();
    const storage = open(fresh);
    await storage.createBucket(bucketOf("grown"), DRAFTS);
    await storage.close();
    const found: string[] = [];
    const watching = postgres({ pool: watched(pool, found, FETCHES), namespace: fresh });
    const part = { start: 1e9, end: 1e9 + 3_000_000 };
    await read(watching, "grown", { limit: 100 });
    await read(watching, "grown", { start: 1e9, limit: 1_500, order: "oldest" });
    await read(watching, "grown", part);
    await watching.countEvents("grown", part);
    await watching.summaries(["grown"]);
    await watching.close();
    assert.equal(found, []);
  });

  test("one bucket is large, and many are small", async () => {
    const storage = open(namespace);
    await storage.createBucket(bucketOf("large"), DRAFTS);
    await storage.createBucket(bucketOf("small"), DRAFTS.slice(0, 5));
    for (let n = 0; n < 20; n++) await open(newNamespace()).createBucket(bucketOf("other"), DRAFTS.slice(0, 200));
    await pool.query("analyze activity_server.events");
    await storage.close();
  });

  for (const [name, call] of CALLS) {
    test(`${name}: reads by an index`, async () => {
      const found: string[] = [];
      const own = new pg.Pool({
        connectionString: url,
        max: 3,
        options: LARGE,
      });
      const storage = postgres({ pool: watched(own, found), namespace });
      await call(storage);
      await storage.close();
      await own.end();
      assert.equal(found, []);
    });
  }

  test("heartbeats in young tables: read by an index, so that these may grow", async () => {
    const found: string[] = [];
    const own = new pg.Pool({ connectionString: url, max: 3 });
    const storage = postgres({ pool: watched(own, found), schema: "young" });
    await storage.createBucket(bucketOf("window"));
    await storage.createBucket(bucketOf("afk"));
    found.length = 0;
    for (let turn = 0; turn < 10; turn++) {
      await Promise.all(["window", "afk"].map((id) => storage.heartbeat(id, draftOf(turn, 1, turn % 3), 5)));
    }
    await storage.close();
    await own.end();
    assert.equal(found, []);
  });

  test("the watch sees a statement that reads all", async () => {
    const found: string[] = [];
    const client = await watched(pool, found).connect();
    await client.query({ text: "select count(data_text) from activity_server.events" });
    client.release();
    assert.is(found.length, 1);
  });

  test("the connections of the suite end", () => ground.finish());
}

test.run();
