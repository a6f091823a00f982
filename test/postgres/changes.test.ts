// What nodes learn of each other's writes: the order, the bell, and looking without one.
// long: 300 s
import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type PostgresPool, postgres } from "../../adapters/postgres/index.js";
import { createActivityServer, type ServerNotices, veto } from "../../src/index.js";
import type { Change, ChangePage } from "../../src/storage/changes.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { sampleOf } from "../faults/sizes.js";
import { postgresGround } from "./ground.js";
import { startPgbouncer } from "./pgbouncer.js";

const test = suite("postgres changes");

const ground = await postgresGround();
/** So long that nobody is told by looking within a test. */
const NEVER = 10_000_000;

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

function pagesOf(storage: Storage, after?: string): AsyncIterator<ChangePage> {
  const feed = storage.changes?.(after);
  assert.ok(feed);
  return feed[Symbol.asyncIterator]();
}

async function pull(pages: AsyncIterator<ChangePage>): Promise<ChangePage> {
  const { value } = await pages.next();
  return value;
}

/** One page from a cursor on, or the cursor of now. */
async function look(storage: Storage, after?: string): Promise<ChangePage> {
  const pages = pagesOf(storage, after);
  const page = await pull(pages);
  await pages.return?.();
  return page;
}

function linesOf({ changes }: ChangePage): string[] {
  const nameOf = (change: Change): string => ("key" in change ? change.key : change.bucketId);
  return changes.map((change) => `${change.elsewhere ? "their" : "own"} ${change.kind} ${nameOf(change)}`);
}

/** Lets one node write until another one is told, however long the first needs to find out that somebody listens. */
async function writeUntilTold(writer: Storage, reader: AsyncIterator<ChangePage>): Promise<ChangePage> {
  let isTold = false;
  const told = pull(reader).finally(() => {
    isTold = true;
  });
  for (let round = 0; !isTold; round++) {
    await writer.settings.put("key", round);
    await pause(100);
  }
  return told;
}

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { pool, url, newNamespace, open } = ground;

  /** A node with connections of its own. */
  const nodeOf = (namespace: string, pollMillis: number): Storage =>
    postgres({ connectionString: url, namespace, max: 3, pollMillis });

  async function listeners(): Promise<number> {
    const { rows } = await pool.query(
      "select count(*)::int as count from pg_stat_activity where application_name like 'activity\\_server\\_%'",
    );
    return rows[0].count;
  }

  /** Puts a setting within a transaction of a client, as a node does. */
  async function putSetting(client: pg.PoolClient, namespace: string, key: string): Promise<void> {
    const write = "row(gen_random_uuid(), 0, 1, 'on')::activity_server.write_id";
    const statement = `select activity_server.put_setting($1, ${write}, md5($2)::uuid, $2, '1', $2, '1')`;
    await client.query(statement, [namespace, JSON.stringify(key)]);
  }

  test("a transaction that commits late is not skipped, and every reader sees the same order", async () => {
    const namespace = newNamespace();
    const storage = open(namespace);
    const { cursor: begin } = await look(storage);
    const late = await pool.connect();
    await late.query("begin");
    try {
      await putSetting(late, namespace, "late");
      await storage.settings.put("after", 1);
      await storage.createBucket(bucketOf("after"), [draftOf(1)]);
      const meanwhile = await look(storage, begin);
      assert.equal(linesOf(meanwhile), [], "nothing behind a transaction that runs");
      const follower = pagesOf(storage, meanwhile.cursor);
      assert.equal(linesOf(await pull(follower)), []);
      const told = pull(follower);
      await late.query("commit");
      const expected = [
        "their setting late",
        "own setting after",
        "own bucket-created after",
        "own events-written after",
      ];
      assert.equal(linesOf(await told), expected, "a reader that waited finds out by itself");
      assert.equal(linesOf(await look(storage, begin)), expected, "and so does one that comes later");
      await follower.return?.();
    } finally {
      // Whatever failed: nothing is left open.
      await late.query("rollback");
      late.release();
    }
    await storage.close();
  });

  test("a transaction that is undone is never told, and holds nobody up", async () => {
    const namespace = newNamespace();
    const storage = open(namespace);
    const { cursor: begin } = await look(storage);
    const undone = await pool.connect();
    await undone.query("begin");
    await putSetting(undone, namespace, "undone");
    await storage.settings.put("after", 1);
    await undone.query("rollback");
    undone.release();
    assert.equal(linesOf(await look(storage, begin)), ["own setting after"]);
    await storage.close();
  });

  const WRITERS = ["a", "b", "ab", "ba", "aba", "bab", "abb", "aaab", "baaa", "abcabc", "cba", "acca"];

  test("each node is told what others wrote, also where it wrote to the same bucket before or behind", async () => {
    const namespace = newNamespace();
    const nodes = { a: open(namespace), b: open(namespace), c: open(namespace) };
    await nodes.a.createBucket(bucketOf("window"));
    for (const writers of sampleOf(WRITERS, 3)) {
      const { cursor } = await look(nodes.a);
      for (const [n, writer] of [...writers].entries()) {
        const node = nodes[writer as keyof typeof nodes];
        await node.heartbeat("window", draftOf(n), 5);
        await node.settings.put("key", n);
      }
      for (const [name, node] of Object.entries(nodes)) {
        const whose = [...writers].some((writer) => writer !== name) ? "their" : "own";
        const expected = [`${whose} events-written window`, `${whose} setting key`];
        assert.equal(linesOf(await look(node, cursor)), expected, `${writers} for ${name}`);
      }
    }
    for (const node of Object.values(nodes)) await node.close();
  });

  test("a bucket that beats for ever takes no more room, and is told once to whoever was away", async () => {
    const namespace = newNamespace();
    const storage = open(namespace);
    await storage.createBucket(bucketOf("window"));
    const { cursor } = await look(storage);
    for (let beat = 0; beat < 200; beat++) await storage.heartbeat("window", draftOf(beat), 5);
    for (let n = 0; n < 20; n++) {
      await storage.createBucket(bucketOf("again"));
      await storage.deleteBucket("again");
    }
    const told = linesOf(await look(storage, cursor));
    assert.equal(told, ["own events-written window", "own bucket-deleted again"]);
    const { rows } = await pool.query("select kind from activity_server.changes where namespace = $1", [namespace]);
    assert.equal(rows.map(({ kind }) => kind).sort(), ["bucket-created", "bucket-deleted"]);
    await storage.close();
  });

  test("a record that does not begin with the id is told by its id, too", async () => {
    const namespace = newNamespace();
    const storage = open(namespace);
    const { id, ...others } = bucketOf('a\u0000\ud800"', { data: { id: "another" } });
    await storage.createBucket(bucketOf(id));
    const text = JSON.stringify({ ...others, id });
    await pool.query("update activity_server.buckets set record_text = $2 where namespace = $1", [namespace, text]);
    const { cursor } = await look(storage);
    const beat = await storage.heartbeat(id, draftOf(1), 5);
    await storage.deleteEvents(id, [beat.id]);
    const told = await look(storage, cursor);
    assert.equal(linesOf(told), [`own events-written ${id}`, `own events-deleted ${id}`]);
    await storage.close();
  });

  test("cursors of long ago are gone, later ones are not", async () => {
    const namespace = newNamespace();
    const storage = open(namespace);
    const { cursor: old } = await look(storage);
    await storage.settings.put("once", 1);
    await storage.settings.delete("once");
    const { cursor } = await look(storage, old);
    const age = "update activity_server.changes set noted = now() - interval '8 days' where namespace = $1";
    await pool.query(age, [namespace]);
    await storage.settings.put("again", 1);
    assert.equal(linesOf(await look(storage, old)), ["own setting once", "own setting again"]);
    await storage.settings.delete("again");
    assert.equal(linesOf(await look(storage, cursor)), ["own setting again"]);
    for (const gone of [old, cursor.replace(/^\d+/, "1"), cursor.replace(/\d+$/, "9999999999")]) {
      const error = await look(storage, gone).catch((thrown: unknown) => thrown);
      assert.is((error as { readonly code?: unknown }).code, "CHANGES_GONE", gone);
    }
    await storage.close();
  });

  test("the bell wakes a reader on another node, again after its connection was cut, and is gone behind it", async () => {
    const namespace = newNamespace();
    const [writer, listener] = [nodeOf(namespace, NEVER), nodeOf(namespace, NEVER)];
    const pages = pagesOf(listener);
    await pull(pages);
    assert.equal(linesOf(await writeUntilTold(writer, pages)), ["their setting key"]);
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'activity\\_server\\_%' and datname = current_database()`;
    await pool.query(cut);
    assert.equal(linesOf(await writeUntilTold(writer, pages)), ["their setting key"]);
    await pages.return?.();
    await writer.close();
    await listener.close();
    assert.is(await listeners(), 0);
  });

  test("many namespaces listen on one connection, and each is told its own", async () => {
    const mine = new pg.Pool({ connectionString: url, max: 4 });
    const namespaces = Array.from({ length: 30 }, newNamespace);
    const storages = namespaces.map((namespace) => postgres({ pool: mine, namespace, pollMillis: NEVER }));
    const feeds = storages.map((storage) => pagesOf(storage));
    for (const pages of feeds) await pull(pages);
    for (const index of [3, 17]) {
      const writer = open(namespaces[index] as string);
      const told = await writeUntilTold(writer, feeds[index] as AsyncIterator<ChangePage>);
      assert.equal(linesOf(told), ["their setting key"]);
      await writer.close();
    }
    assert.is(await listeners(), 1);
    assert.ok(mine.totalCount <= 4);
    const waiting = feeds.map((pages) => pull(pages).catch((error: { readonly code?: unknown }) => error.code));
    for (const storage of storages) await storage.close();
    for (const outcome of await Promise.all(waiting)) assert.is(outcome, "STORAGE_CLOSED");
    assert.is(await listeners(), 0);
    await mine.end();
  });

  test("a server tells what another node did, once, and asks its own hooks only", async () => {
    const namespace = newNamespace();
    const [mine, theirs] = [100, 100].map((pollMillis) =>
      createActivityServer({
        storage: nodeOf(namespace, pollMillis),
        hooks: {
          beforeHeartbeat({ bucketId }) {
            hooked.push(bucketId);
            if (bucketId === "refused") throw veto("no");
          },
        },
      }),
    );
    const hooked: string[] = [];
    assert.ok(mine && theirs);
    const told: string[] = [];
    const note = (notice: ServerNotices["change"]): void => {
      const what = notice.kind === "setting" ? notice.key : "bucketId" in notice ? notice.bucketId : "";
      told.push(`${notice.elsewhere ? "their" : "own"} ${notice.kind} ${what}`);
    };
    const until = async (line: string): Promise<void> => {
      while (!told.includes(line)) await pause(20);
    };
    mine.on("change", note);
    mine.on("bucket", ({ action, bucketId, elsewhere }) => told.push(`${elsewhere ?? "own"} ${action} ${bucketId}`));
    // From when on a listener is told is up to the database.
    for (let round = 0; !told.some((line) => line.startsWith("their")); round++) {
      await theirs.settings.put("warm-up", round);
      await pause(50);
    }
    await theirs.settings.put("begin", 1);
    await until("their setting begin");
    told.length = 0;
    const bucket = { type: "t", client: "c", hostname: "h" };
    const beat = { timestamp: "2024-01-01T00:00:00Z", data: {} };
    await mine.buckets.create("mine", bucket);
    await theirs.buckets.create("theirs", bucket);
    await theirs.heartbeat("theirs", beat, "5s");
    await theirs.heartbeat("refused", beat, "5s").catch(() => undefined);
    await theirs.settings.put("end", 1);
    await until("their setting end");
    await mine.heartbeat("theirs", beat, "5s");
    await theirs.heartbeat("theirs", beat, "5s");
    await theirs.settings.put("very end", 1);
    await until("their setting very end");
    assert.equal(told, [
      "own created mine",
      "own bucket-created mine",
      "their bucket-created theirs",
      "true created theirs",
      "their events-written theirs",
      "their setting end",
      "own events-written theirs",
      "their events-written theirs",
      "their setting very end",
    ]);
    assert.equal(hooked, ["theirs", "refused", "theirs", "theirs"]);
    for (const each of [mine, theirs]) await each.close();
    assert.is(await listeners(), 0);
  });

  test("where nobody listens, nobody rings", async () => {
    const mine = new pg.Pool({ connectionString: url, max: 4 });
    const statements: string[] = [];
    const watched: PostgresPool = {
      on: mine.on.bind(mine),
      async connect() {
        const client = await mine.connect();
        return {
          query: (query) => {
            statements.push(query.text);
            return client.query(query as unknown as pg.QueryConfig);
          },
          release: (isBroken) => client.release(isBroken),
          on: () => undefined,
        };
      },
    };
    const storage = postgres({ pool: watched, namespace: newNamespace() });
    await storage.createBucket(bucketOf("window"));
    for (let beat = 0; beat < 50; beat++) await storage.heartbeat("window", draftOf(beat), 5);
    await storage.close();
    assert.is(statements.filter((text) => text.includes("pg_notify")).length, 0);
    assert.is(statements.filter((text) => text.includes("pg_stat_activity")).length, 1);
    await mine.end();
  });

  test("where listening is not possible, a reader looks by itself", async () => {
    const namespace = newNamespace();
    const mine = new pg.Pool({ connectionString: url, max: 4 });
    // A pool that does not say how to connect.
    const silent: PostgresPool = { on: mine.on.bind(mine), connect: () => mine.connect() as never };
    const [writer, reader] = [open(namespace), postgres({ pool: silent, namespace, pollMillis: 100 })];
    const pages = pagesOf(reader);
    await pull(pages);
    const told = pull(pages);
    await writer.settings.put("key", 1);
    assert.equal(linesOf(await told), ["their setting key"]);
    assert.is(await listeners(), 0);
    await writer.close();
    await reader.close();
    await mine.end();
  });

  test("behind a pooler of transactions a reader looks by itself", async () => {
    const pooler = await startPgbouncer(url, 4);
    if (pooler === undefined) return;
    const namespace = newNamespace();
    const node = (): Storage => postgres({ connectionString: pooler.url, namespace, max: 3, pollMillis: 100 });
    const [writer, reader] = [node(), node()];
    const pages = pagesOf(reader);
    await pull(pages);
    for (let round = 0; round < 3; round++) {
      const told = pull(pages);
      await writer.settings.put("key", round);
      assert.equal(linesOf(await told), ["their setting key"]);
    }
    const waiting = pull(pages).catch((error: { readonly code?: unknown }) => error.code);
    await writer.close();
    await reader.close();
    assert.is(await waiting, "STORAGE_CLOSED");
    await pooler.remove();
  });

  test("the connections of the suite end", () => ground.finish());
}

test.run();
