// long: 1200 s
import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { sendJson } from "../api/sending.js";
import { bucketOf, draftOf, intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { withServer } from "../harness.js";
import { underLoad } from "./ledger.js";
import { startPostgres } from "./server.js";

const test = suite("postgres outages");

const ROUNDS = sizeOf("KILL_ROUNDS", { short: 1, long: 20 });
/** How often connections are cut. */
const CUTS = sizeOf("CONNECTION_CUTS", { short: 4, long: 200 });
const BUCKETS = ["one", "two", "three", "four"];
const server = await startPostgres({ fsync: true });

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

if (server === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  /** Nodes of their own pools. */
  const nodesOf = (namespace: string): Storage[] =>
    Array.from({ length: 3 }, () => postgres({ connectionString: server.url, namespace, max: 4 }));

  test(`crashes of the database, rounds: ${ROUNDS}: what was acknowledged is there once, and nodes come back`, async () => {
    const random = randomOf(5);
    const ledger = await underLoad(nodesOf("crashes"), BUCKETS, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await pause(intOf(random, 50, 400));
        await server.stop("immediate");
        await pause(intOf(random, 0, 200));
        await server.start();
      }
      await pause(200);
    });
    console.log(`crashes: ${ledger.count("acknowledged")} acknowledged, ${ledger.count("unsure")} unsure`);
    assert.ok(ledger.count("acknowledged") > ROUNDS * 5);
  });

  test("connections that are cut again and again lose nothing and store nothing twice", async () => {
    const admin = new pg.Client({ connectionString: server.url, application_name: "admin" });
    await admin.connect();
    const ledger = await underLoad(nodesOf("cuts"), BUCKETS, async (cut) => {
      for (let round = 0; round < CUTS; round++) {
        await admin.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'activity-server'",
        );
        await pause(20);
        // As many as there are writers. Who is cut each time before a new connection can be made gets none in 5 s.
        const until = cut.count("acknowledged") + 3 * BUCKETS.length;
        while (cut.count("acknowledged") < until && cut.count("refused") + cut.count("unsure") === 0) await pause(5);
      }
    });
    await admin.end();
    assert.is(ledger.count("refused") + ledger.count("unsure"), 0, "all of them were repeated");
  });

  test("a server answers 503 with Retry-After while the database is away, and goes on by itself", async () => {
    const storage = postgres({ connectionString: server.url, namespace: "away" });
    await withServer({ door: "process", storage }, async ({ server: activity, errors }) => {
      await storage.createBucket(bucketOf("window"));
      await server.stop("fast");
      const event = { timestamp: "2024-01-01T00:00:00Z", duration: 0, data: {} };
      const beat = () => sendJson(activity, "POST", "/api/0/buckets/window/heartbeat?pulsetime=5", event);
      const refused = await beat();
      assert.is(refused.status, 503);
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
      assert.match(await refused.text(), "the database cannot be reached");
      const waiting = beat();
      await server.start();
      assert.is((await waiting).status, 200, "one that came shortly before waits for it");
      assert.is(await storage.countEvents("window"), 1);
      assert.ok(errors.splice(0).length > 0);
    });
  });

  test("reads that are stopped, or never taken, give their connections back", async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 4 });
    const storage = postgres({ pool, namespace: "slow" });
    await storage.createBucket(bucketOf("window"), [draftOf(1)]);
    for (let round = 0; round < 6; round++) {
      const { batches } = await storage.read("window");
      if (round % 2 === 0) for await (const _ of batches) break;
      else await batches[Symbol.asyncIterator]().return?.();
    }
    const { batches } = await storage.read("window");
    await storage.close();
    const error = await batches[Symbol.asyncIterator]()
      .next()
      .catch((thrown: unknown) => thrown);
    assert.match(String(error), "closed");
    await pool.end();
    assert.is(pool.totalCount, 0);
  });

  test("durability is what the transaction commits with, whatever the server does by default", async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 2, options: "-c synchronous_commit=off" });
    const said: unknown[] = [];
    for (const durability of ["power-loss", "process-crash"] as const) {
      const storage = postgres({ pool, namespace: durability, durability });
      assert.is(storage.traits.durability, durability);
      await storage.createBucket(bucketOf("window"));
      const client = await pool.connect();
      for (const call of ["finish_write('x', ID, 'null')", "settle_write('x', ID)"]) {
        await client.query("begin");
        const id = "row(gen_random_uuid(), 0, 1, $1)::activity_server.write_id";
        const text = `select activity_server.${call.replace("ID", id)}`;
        await client.query(text, [durability === "power-loss" ? "on" : "off"]);
        said.push((await client.query("show synchronous_commit")).rows[0].synchronous_commit);
        await client.query("rollback");
      }
      client.release();
      await storage.close();
    }
    assert.equal(said, ["on", "on", "off", "off"]);
    const { rows } = await pool.query("show synchronous_commit");
    assert.is(rows[0].synchronous_commit, "off", "it is over with the transaction");
    await pool.end();
  });

  test("the server of the suite ends", () => server.remove());
}

test.run();
