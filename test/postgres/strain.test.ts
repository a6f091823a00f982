// Too few connections, and a database that stands still.
// long: 300 s
import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import { ActivityError } from "../../src/errors.js";
import { createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { sendJson } from "../api/sending.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { withServer } from "../harness.js";
import { collectGarbage } from "../http/garbage.js";
import { withTimeouts } from "../timeouts.js";
import { startPostgres } from "./server.js";
import { withShortSeconds } from "./short-seconds.js";
import { startStallingProxy } from "./stalling-proxy.js";

const test = suite("postgres under strain");

/** Heartbeats that wait for a database that stands still, and requests that come when it is known. */
const CALLS = sizeOf("STILL_CALLS", { short: 4_500, long: 9_000 });
const REQUESTS = sizeOf("STILL_REQUESTS", { short: 300, long: 10_000 });

const server = await startPostgres();

/** What a call was refused with. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(ActivityError.is(error) && error.code === "STORAGE_FAILED", String(error));
  return error.message;
}

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Runs a body during which timers of a minute are set to a moment. */
function withShortMinutes(body: () => Promise<void>): Promise<void> {
  return withTimeouts((millis) => (millis === 60_000 ? 50 : millis), body);
}

/** A log that keeps what it was told. */
function notes(): {
  readonly lines: string[];
  readonly logger: Record<"info" | "warn" | "error", (x: unknown) => void>;
} {
  const lines: string[] = [];
  const note = (text: unknown): void => void lines.push(String(text));
  return { lines, logger: { info: note, warn: note, error: note } };
}

if (server === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { url } = server;

  test("two connections serve 200 writers and readers, long reads and a backup at once", async () => {
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const storage = postgres({ pool, namespace: "crowd" });
    const filler = "x".repeat(500);
    const drafts = Array.from({ length: 4_000 }, (_, n) => ({ ...draftOf(n), data: { n, filler } }));
    for (const id of ["one", "two"]) await storage.createBucket(bucketOf(id), drafts);
    const longRead = async (id: string): Promise<number> => {
      let events = 0;
      for await (const batch of (await storage.read(id, { order: "oldest" })).batches) {
        events += batch.length;
        // What is called while a long read holds a connection must find one.
        await storage.getEvent("one", 1);
      }
      return events;
    };
    const backup = async (): Promise<number> => {
      let events = 0;
      for await (const item of storage.backup()) {
        if (item.kind === "events") events += item.batch.length;
        await storage.settings.get("any");
      }
      return events;
    };
    const work = Array.from({ length: 200 }, (_, n): Promise<unknown> => {
      const id = n % 2 === 0 ? "one" : "two";
      if (n % 4 < 2) return storage.heartbeat(id, draftOf(1e9 + n, 0, n), 0);
      return n % 3 === 0 ? storage.putEvents(id, [draftOf(2e9 + n, 1, n)]) : read(storage, id, { limit: 10 });
    });
    const counts = await Promise.all([backup(), longRead("one"), longRead("two")]);
    await Promise.all(work);
    assert.ok(counts.every((count) => count >= 4_000));
    assert.ok(pool.totalCount <= 2);
    // One may be out for a statement that asks whether anybody listens; one that is held would never come back.
    while (pool.totalCount > pool.idleCount) await new Promise(setImmediate);
    await storage.close();
    await pool.end();
  });

  test("a backup that nobody takes further holds up neither the end of the storage nor other reads", async () => {
    const fill = async (storage: Storage): Promise<void> => {
      await storage.createBucket(bucketOf("window"), [draftOf(1)]);
      await storage.settings.put("a", 1);
    };
    const closed = postgres({ connectionString: url, namespace: "abandoned", max: 2 });
    await fill(closed);
    const items = closed.backup()[Symbol.asyncIterator]();
    await items.next();
    await closed.close();
    const afterwards = await items.next().catch((thrown: unknown) => thrown);
    assert.ok(ActivityError.is(afterwards) && afterwards.code === "STORAGE_CLOSED", String(afterwards));

    const storage = postgres({ connectionString: url, namespace: "left", max: 2 });
    await fill(storage);
    const left = storage.backup()[Symbol.asyncIterator]();
    await withShortMinutes(async () => void (await left.next()));
    // There is one connection for reads that take long.
    let count = 0;
    for await (const _ of storage.backup()) count++;
    assert.ok(count >= 3);
    assert.match(await refusal(left.next()), "the consumer of a read paused for 60 seconds");
    await storage.close();
  });

  test("a pool of one connection is refused: a long read would leave none", () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    assert.throws(() => postgres({ pool }), /pool must allow at least 2 connections, got max 1/);
  });

  test("while the database stands still, thousands of heartbeats are refused in time, and no memory stays", () =>
    withShortSeconds(async () => {
      const proxy = await startStallingProxy(url);
      const { lines, logger } = notes();
      const storage = postgres({ connectionString: proxy.url, namespace: "still", max: 4, logger });
      const activity = createActivityServer({ storage, logger });
      const buckets = Array.from({ length: 20 }, (_, n) => `bucket ${n}`);
      for (const id of buckets) await storage.createBucket(bucketOf(id));
      const beat = (n: number): Promise<Response> => {
        const path = `/api/0/buckets/${encodeURIComponent(buckets[n % 20] ?? "")}/heartbeat?pulsetime=0`;
        return sendJson(activity, "POST", path, { timestamp: new Date(n * 1_000), duration: 0, data: { n } });
      };
      assert.is((await beat(0)).status, 200);
      const before = heapUsed();
      proxy.stall();
      const calls = Array.from({ length: CALLS }, (_, n) =>
        storage.heartbeat(buckets[n % 20] ?? "", draftOf(n, 0, n), 0),
      );
      const told = new Set(await Promise.all(calls.map(refusal)));
      const ends = [...told].map((message) => message.slice(message.indexOf(";")));
      assert.equal([...new Set(ends)].sort(), ["; nothing of this was stored", "; this may have been stored"]);
      const statuses = new Set<string>();
      const asked = Array.from({ length: REQUESTS }, async (_, n) => {
        const { status, headers } = await beat(n + 1);
        statuses.add(`${status}, retry: ${Number(headers.get("retry-after")) > 0}`);
      });
      await Promise.all(asked);
      assert.equal([...statuses], ["503, retry: true"]);
      const grown = heapUsed() - before;
      assert.ok(grown < 1_000 * (CALLS + REQUESTS), `${grown} bytes stayed`);
      const health = await storage.health?.();
      assert.is(health?.state, "degraded");
      assert.ok(lines.includes("the database cannot be reached (no response in 5 seconds)"), lines.join("\n"));
      proxy.resume();
      assert.is((await beat(20_000)).status, 200);
      let stored = 0;
      for (const id of buckets) stored += await storage.countEvents(id);
      // Those whose statement was under way arrived, or were given up.
      assert.ok(stored >= 2 && stored < 4_000, `${stored} events`);
      await activity.close();
      await proxy.close();
    }));

  test("writes that wait in line are refused when there are too many, and when they wait for too long", () =>
    withShortSeconds(async () => {
      const proxy = await startStallingProxy(url);
      const storage = postgres({ connectionString: proxy.url, namespace: "line", max: 2 });
      await storage.createBucket(bucketOf("window"));
      proxy.stall();
      const order: string[] = [];
      const noted = (name: string, call: Promise<unknown>): Promise<unknown> =>
        refusal(call).then((message) => order.push(`${name}: ${message}`));
      const first = storage.heartbeat("window", draftOf(0), 0).catch(() => order.push("sent"));
      await new Promise(setImmediate);
      const waiting = Array.from({ length: 10_000 }, (_, n) => storage.putEvents("window", [draftOf(n)]));
      const late = Promise.allSettled(waiting);
      const extra = [
        noted("beat", storage.heartbeat("window", draftOf(1), 0)),
        noted("put", storage.putEvents("window", [draftOf(1)])),
      ];
      await Promise.all(extra);
      const many = "too many writes are waiting for the database; nothing of this was stored";
      assert.equal(order, [`beat: ${many}`, `put: ${many}`]);
      // Either those before it take too long, or its own turn comes and there is no connection.
      assert.match(await refusal(waiting[0] as Promise<unknown>), "; nothing of this was stored");
      assert.ok((await late).every(({ status }) => status === "rejected"));
      await first;
      proxy.resume();
      await storage.putEvents("window", [draftOf(5)]);
      const events = await read(storage, "window");
      assert.ok(events.length <= 2, `${events.length} events: what was refused was never sent`);
      await storage.close();
      await proxy.close();
    }));

  test("a lock that somebody holds is waited for in vain for some seconds, and no connection stays behind", async () => {
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const storage = postgres({ connectionString: url, namespace: "locked", max: 3 });
    await storage.createBucket(bucketOf("window"));
    await admin.query("begin");
    await admin.query("select from activity_server.buckets where namespace = 'locked' for update");
    const calls = [
      storage.heartbeat("window", draftOf(1), 0),
      storage.putEvents("window", [draftOf(2)]),
      storage.deleteBucket("window"),
    ];
    for (const message of await Promise.all(calls.map(refusal))) assert.match(message, "nothing of this was stored");
    const { rows } = await admin.query(
      "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'",
    );
    assert.is(rows[0].waiting, 0);
    await admin.query("rollback");
    await admin.end();
    await storage.heartbeat("window", draftOf(1), 0);
    assert.is(await storage.countEvents("window"), 1);
    await storage.close();
  });

  test("health tells that the database is away, why it was, and that it is back", async () => {
    const { lines, logger } = notes();
    const storage: Storage = postgres({ connectionString: url, namespace: "health", logger });
    await withServer(
      { door: "process", storage, logger, controlToken: "t".repeat(32) },
      async ({ server: activity }) => {
        const health = async (): Promise<Record<string, unknown>> => {
          const headers = { authorization: `Bearer ${"t".repeat(32)}` };
          const response = await activity.fetch(new Request("http://localhost/api/0/health", { headers }));
          assert.is(response.status, 200);
          const { status, storage: told } = (await response.json()) as {
            status: string;
            storage: Record<string, unknown>;
          };
          return { status, state: told.state, refusal: told.refusal, failure: told.last_failure };
        };
        assert.equal(await health(), { status: "ok", state: "ok", refusal: null, failure: null });
        await server.stop("fast");
        const [one, two] = await Promise.all([health(), health()]);
        assert.equal([one.status, one.state, one.refusal], ["degraded", "degraded", "the database cannot be reached"]);
        assert.match(
          String((one.failure as { message: string }).message),
          /^the database cannot be reached \([A-Z0-9]+\)$/,
        );
        assert.equal(two, one);
        await server.start();
        const after = await health();
        assert.equal([after.status, after.refusal], ["ok", null]);
        assert.equal(after.failure, one.failure, "the last failure stays");
        const said = lines.filter((line) => /reached/.test(line));
        assert.equal(said, [(one.failure as { message: string }).message, "the database can be reached again"]);
        const admin = new pg.Client({ connectionString: url });
        await admin.connect();
        await admin.query("alter system set default_transaction_read_only = on");
        await admin.query("select pg_reload_conf()");
        const isReadOnly = async (): Promise<boolean> => (await health()).state === "read-only";
        while (!(await isReadOnly())) await new Promise((resolve) => setTimeout(resolve, 50));
        assert.match(String((await health()).refusal), "the database rejects writes");
        await admin.end();
      },
    );
  });

  test("the server of the suite ends", () => server.remove());
}

test.run();
