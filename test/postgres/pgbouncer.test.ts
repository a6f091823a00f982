// Nodes behind a pooler that gives each transaction whatever connection is free.
// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { storageContract } from "../contract/index.js";
import { partOfDay, rotatingSampleOf, sizeOf } from "../faults/sizes.js";
import { groundOn } from "./ground.js";
import { underLoad } from "./ledger.js";
import { startPgbouncer } from "./pgbouncer.js";
import { startPostgres } from "./server.js";

const test = suite("postgres behind pgbouncer");

/** Connections that the pooler has to the server. */
const CONNECTIONS = 6;
const BEATS = sizeOf("BEATS", { short: 80, long: 2_000 });
/** What the pooler itself carries from clients to connections. */
const CARRIED: readonly string[] = ["application_name", "client_encoding", "DateStyle", "TimeZone"];
const ROUNDS = sizeOf("KILL_ROUNDS", { short: 1, long: 10 });
const BUCKETS = ["one", "two", "three"];

const server = await startPostgres();
const pooler = server && (await startPgbouncer(server.url, CONNECTIONS));

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

if (server === undefined || pooler === undefined) {
  test("there is no pgbouncer here", () => assert.is(process.env.CI, undefined));
} else {
  const { contract, pool, finish } = groundOn(pooler.url);
  const node = (namespace: string): Storage => postgres({ connectionString: pooler.url, namespace, max: 8 });

  for (const { name, run } of partOfDay(rotatingSampleOf(storageContract(contract), 60), 3)) test(name, run);

  test("two nodes that beat into the same buckets make one event of each activity", async () => {
    const nodes = [node("beats"), node("beats")];
    const [first] = nodes as [Storage];
    for (const id of BUCKETS) await first.createBucket(bucketOf(id));
    for (let beat = 0; beat < BEATS; beat++) {
      const label = Math.floor(beat / 20);
      const sending = nodes.flatMap((each) => BUCKETS.map((id) => each.heartbeat(id, draftOf(beat, 1, label), 5)));
      await Promise.all(sending);
    }
    for (const id of BUCKETS) {
      const events = await read(first, id, { order: "oldest" });
      assert.is(events.length, BEATS / 20);
      for (const [index, { data }] of events.entries()) assert.equal(data, { label: index });
    }
    assert.equal((await first.verify()).problems, []);
    for (const each of nodes) await each.close();
  });

  test("no statement has a name, and no setting outlives its transaction", async () => {
    const storage = node("sessions");
    await storage.createBucket(bucketOf("window"));
    for (let beat = 0; beat < 50; beat++) await storage.heartbeat("window", draftOf(beat, 1), 5);
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
    const seen = new Set<number>();
    for (const client of clients) {
      await client.query("begin");
      const { rows } = await client.query(`
        select pg_backend_pid() as pid, (select count(*)::int from pg_prepared_statements) as prepared,
          array(select name::text from pg_settings where source = 'session') as settings`);
      seen.add(rows[0].pid);
      assert.is(rows[0].prepared, 0);
      assert.equal(
        rows[0].settings.filter((name: string) => !CARRIED.includes(name)),
        [],
      );
    }
    assert.is(seen.size, CONNECTIONS, "all of its connections were looked at");
    for (const client of clients) {
      await client.query("rollback");
      client.release();
    }
    await storage.close();
  });

  test("a long read is one moment, while other transactions use the same connections", async () => {
    const storage = node("long");
    const filler = "x".repeat(2_000);
    const drafts = Array.from({ length: 3_000 }, (_, n) => ({ ...draftOf(n), data: { n, filler } }));
    await storage.createBucket(bucketOf("window"), drafts);
    let events = 0;
    for await (const batch of (await storage.read("window")).batches) {
      events += batch.length;
      await storage.heartbeat("window", draftOf(9_000, 0, events), 0);
    }
    assert.is(events, drafts.length);
    await storage.close();
  });

  test(`${ROUNDS} times the pooler ends, and the database: nothing is lost or stored twice`, async () => {
    const ledger = await underLoad([node("ends"), node("ends")], BUCKETS, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await pause(200);
        await pooler.stop();
        await pooler.start();
        await pause(200);
        await server.stop("immediate");
        await server.start();
      }
      await pause(200);
    });
    assert.ok(ledger.count("acknowledged") > 20);
  });

  test("the servers of the suite end", async () => {
    await finish();
    await pooler.remove();
  });
}

test("the server of the suite ends", () => server?.remove());

test.run();
