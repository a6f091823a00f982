// Tables of an earlier version: what they hold stays, and later functions answer as those before them did.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeBucket, encodeDrafts, hashOf } from "../../adapters/postgres/encoding.js";
import { postgres } from "../../adapters/postgres/index.js";
import { MIGRATIONS } from "../../adapters/postgres/migrations.js";
import { seededRandom } from "../../bench/data.js";
import type { EventDraft } from "../../src/domain/event.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { postgresGround } from "./ground.js";

const test = suite("postgres migrations");

const ground = await postgresGround();
/** The last one whose function takes heartbeats one by one. */
const ONE_BY_ONE = 6;
const NODE = "00000000-0000-0000-0000-000000000001";
const BUCKETS = ["a", "b", "c", "d"];
const TABLES: Readonly<Record<string, string>> = {
  buckets: "bucket, next_id, merge_target, longest_us, last_end_us, version, writer",
  events: "bucket, id, start_us, duration_us, data_hash, data_text, data",
  writes: "namespace, lane, step, outcome",
};

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { pool, url } = ground;
  let steps = 0;

  /** Tables as the first migrations leave them. */
  async function makeTables(schema: string, version: number): Promise<void> {
    await pool.query(`create schema ${schema}; create table ${schema}.migrations (version integer primary key)`);
    for (const [index, text] of MIGRATIONS.slice(0, version).entries()) {
      await pool.query(text.replaceAll(':"schema"', schema));
      await pool.query(`insert into ${schema}.migrations values (${index + 1})`);
    }
  }

  /** Calls functions as a node of that version does. */
  async function call(schema: string, step: number, name: string, args: readonly unknown[]): Promise<unknown> {
    const numbers = args.map((_, index) => `, $${index + 5}`).join("");
    const text = `select ${schema}.${name}($1, cast(row($2, 0, $3, $4) as ${schema}.write_id)${numbers}) as answer`;
    const { rows } = await pool.query(text, ["default", NODE, step, "on", ...args]);
    return rows[0]?.answer;
  }

  async function createBuckets(schema: string): Promise<void> {
    for (const [index, id] of BUCKETS.entries()) {
      const { exact, fields, data } = encodeBucket(bucketOf(id));
      const args = [hashOf(id), exact, fields, 0, data, ...Object.values(encodeDrafts([]))];
      await call(schema, index + 1, "create_bucket", args);
    }
    steps = BUCKETS.length;
  }

  async function rowsIn(schema: string, table: string): Promise<unknown[]> {
    const columns = TABLES[table] as string;
    return (await pool.query(`select ${columns} from ${schema}.${table} order by ${columns}`)).rows;
  }

  function heartbeatsOf(beats: readonly (EventDraft & { readonly bucketId: string })[]): readonly unknown[] {
    const { ids: _, starts, durations, ...data } = encodeDrafts(beats);
    const hashes = beats.map(({ bucketId }) => hashOf(bucketId));
    return [hashes, starts, durations, beats.map(() => 5), ...Object.values(data)];
  }

  test("heartbeats of one turn are answered and stored as one by one", async () => {
    const schemas = ["one_by_one", "together"];
    await makeTables("one_by_one", ONE_BY_ONE);
    await makeTables("together", MIGRATIONS.length);
    for (const schema of schemas) await createBuckets(schema);
    const random = seededRandom(7);
    const below = (end: number): number => Math.floor(random() * end);
    const answered: string[] = [];
    for (let turn = 0; turn < 60; turn++) {
      const beats = Array.from({ length: below(12) }, () => {
        const data = below(2) === 0 ? { x: 1, y: below(2) } : { y: below(2), x: 1 };
        const bucketId = [...BUCKETS, "missing"][below(5)] as string;
        return { bucketId, timestamp: turn * 4 + below(8), duration: below(4) - 1, data };
      });
      const [name, args] =
        below(6) === 0
          ? ["put_events", [hashOf("a"), ...Object.values(encodeDrafts([draftOf(turn * 4 + below(20), below(3))]))]]
          : ["put_heartbeats", heartbeatsOf(beats)];
      steps++;
      const [before, now] = await Promise.all(schemas.map((schema) => call(schema, steps, name as string, args)));
      assert.is(now, before);
      answered.push(String(now));
    }
    assert.match(answered.join("\n"), /null\],null,\[/, "no turn had a heartbeat of a bucket that is not there");
    assert.match(answered.join("\n"), /"\{\\"/, "no heartbeat was joined to data that are written otherwise");
    for (const table of Object.keys(TABLES)) {
      assert.equal(await rowsIn("together", table), await rowsIn("one_by_one", table), table);
    }
  });

  test("earlier tables are brought up to date, and heartbeats go on where they were", async () => {
    await makeTables("earlier", ONE_BY_ONE);
    await createBuckets("earlier");
    const beat = { bucketId: "a", ...draftOf(1_000, 2) };
    await call("earlier", steps + 1, "put_heartbeats", heartbeatsOf([beat]));
    const storage = postgres({ connectionString: url, schema: "earlier" });
    const merged = await storage.heartbeat("a", draftOf(1_004, 2), 5);
    assert.is(merged.duration, 6);
    assert.equal(await read(storage, "a"), [merged]);
    const next = await storage.heartbeat("a", draftOf(2_000, 2), 5);
    assert.ok(next.id > 10_000_000, "an older dump may be what was brought up to date: its ids were passed over");
    const { rows } = await pool.query("select max(version) as version from earlier.migrations");
    assert.is(rows[0].version, MIGRATIONS.length);
    assert.equal((await storage.verify()).problems, []);
    await storage.close();
  });

  test("the connections of the suite end", () => ground.finish());
}

test.run();
