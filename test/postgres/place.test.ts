// Databases that do not know all ids that were assigned: restored dumps and promoted standbys.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { until } from "../adapters/until.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { findBinaries } from "./binaries.js";
import { newDatabase } from "./database.js";
import { type PostgresServer, startPostgres } from "./server.js";

const test = suite("postgres place");

const first = await newDatabase();
const programs = findBinaries(["pg_dump", "psql"]);
/** How far ids skip where few were assigned. */
const STEP = 10_000_000;
/** Further above the others than the sequence follows. */
const FAR = 2 ** 40;
const BUCKETS = ["near", "far", "gone"];

const run = promisify(execFile);

function nameIn(url: string): string {
  return /\/(\w+)\?/.exec(url)?.[1] as string;
}

/** Runs statements. @returns the rows of the last one */
async function ask(url: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) rows = (await client.query(statement)).rows;
  await client.end();
  return rows;
}

async function dump(url: string, ...options: readonly string[]): Promise<string> {
  const { stdout } = await run(path.join(programs as string, "pg_dump"), [...options, url], { maxBuffer: 1e9 });
  return stdout;
}

async function load(url: string, text: string): Promise<void> {
  const loading = run(path.join(programs as string, "psql"), ["-q", "-v", "ON_ERROR_STOP=1", "-d", url]);
  loading.child.stdin?.end(text);
  await loading;
}

/** Opens a storage for a task. */
async function inStorage<T>(url: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = postgres({ connectionString: url, max: 4 });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** Makes a bucket, and a bucket with ids of its own far above the others; a third one like it is deleted. */
async function fill(storage: Storage): Promise<void> {
  for (const id of BUCKETS) await storage.createBucket(bucketOf(id));
  for (const [index, id] of ["far", "gone"].entries()) {
    await storage.putEvents(id, [{ ...draftOf(1), id: FAR * (index + 1) }, draftOf(2)]);
  }
  await storage.deleteBucket("gone");
}

/** Adds events to each bucket, which is made if need be. @returns their ids */
async function add(storage: Storage, count: number): Promise<Record<string, number[]>> {
  const ids: Record<string, number[]> = {};
  for (const id of BUCKETS) {
    await storage.createBucket(bucketOf(id));
    const stored = await storage.putEvents(
      id,
      Array.from({ length: count }, (_, n) => draftOf(10 + n)),
    );
    ids[id] = stored.map((event) => event.id);
  }
  return ids;
}

/** Whether ids go on above others, after one skip. */
function assertAbove(after: Record<string, number[]>, before: Record<string, number[]>, what: string): void {
  for (const id of BUCKETS) {
    const [least, last] = [Math.min(...(after[id] ?? [])), Math.max(...(before[id] ?? []))];
    const isRight = least > last + STEP / 2 && least < last + 1.5 * STEP;
    assert.ok(isRight, `${what}: the ids of ${id} go on at ${least} after ${last}`);
  }
}

if (first === undefined || programs === undefined) {
  test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
} else {
  /** Ways to restore a dump. Each resolves the database in which it is. */
  const ways: Readonly<Record<string, { options?: string[]; restore(url: string, text: string): Promise<string> }>> = {
    "into a new database": {
      async restore(url, text) {
        const name = `${nameIn(url)}_restored`;
        await ask(url, `create database ${name}`);
        const other = url.replace(/\/\w+\?/, `/${name}?`);
        await load(other, text);
        return other;
      },
    },
    "over dropped tables": {
      async restore(url, text) {
        await ask(url, "drop schema activity_server cascade");
        await load(url, text);
        return url;
      },
    },
    "into emptied tables": {
      options: ["--data-only", "--schema=activity_server"],
      async restore(url, text) {
        const tables = [
          "namespaces",
          "buckets",
          "events",
          "settings",
          "records",
          "writes",
          "changes",
          "part_versions",
          "migrations",
        ];
        const names = [...tables, "place"].map((name) => `activity_server.${name}`);
        await ask(url, `truncate ${names.join(", ")}`);
        await load(url, text);
        return url;
      },
    },
  };

  for (const [way, { options = [], restore }] of Object.entries(ways)) {
    test(`a dump that is restored ${way} assigns no id that was assigned after it`, async () => {
      const url = (await newDatabase()) as string;
      await inStorage(url, fill);
      const text = await dump(url, ...options);
      const later = await inStorage(url, (storage) => add(storage, 100));
      assert.ok(Math.min(...(later.near ?? [])) < 100, "a new database begins at 1");
      const restored = await restore(url, text);
      const again = await inStorage(restored, (storage) => add(storage, 5));
      assertAbove(again, later, "restored");
      const reopened = await inStorage(restored, (storage) => add(storage, 5));
      for (const id of BUCKETS) {
        assert.ok(Math.min(...(reopened[id] ?? [])) < Math.max(...(again[id] ?? [])) + 100, "opened again");
      }
      assert.equal(await inStorage(restored, async (storage) => (await storage.verify()).problems), []);
    });
  }

  test("of many nodes that open a restored dump at once, one skips", async () => {
    const url = (await newDatabase()) as string;
    const before = await inStorage(url, async (storage) => {
      await fill(storage);
      return add(storage, 5);
    });
    await ask(url, "update activity_server.place set here = 'elsewhere'");
    const nodes = Array.from({ length: 6 }, () => postgres({ connectionString: url, max: 2 }));
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin; lock table activity_server.place in share mode");
    const writing = Promise.all(nodes.map((node, n) => node.putEvents("near", [draftOf(n), draftOf(n)])));
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = '${nameIn(url)}'`;
    await until(
      async () => (await ask(url, waiting)).length === nodes.length,
      () => "all nodes wait",
    );
    await holder.query("commit");
    await holder.end();
    const stored = await writing;
    const after = await inStorage(url, (storage) => add(storage, 1));
    assertAbove({ ...after, near: stored.flat().map(({ id }) => id) }, before, "by one of many");
    assertAbove(after, before, "by the next one");
    for (const node of nodes) await node.close();
  });

  test("a node that runs while its database is replaced by a dump finds that when it connects again", async () => {
    const url = (await newDatabase()) as string;
    await inStorage(url, fill);
    const text = await dump(url);
    await inStorage(url, async (storage) => {
      const later = await add(storage, 100);
      const name = nameIn(url);
      await ask(
        first,
        `alter database ${name} allow_connections false`,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        `drop database ${name}`,
        `create database ${name}_new`,
      );
      await load(url.replace(`/${name}?`, `/${name}_new?`), text);
      await ask(first, `alter database ${name}_new rename to ${name}`);
      assertAbove(await add(storage, 5), later, "replaced");
    });
  });

  test("a user who may not ask for cluster and timeline finds a restored dump, too", async () => {
    const url = (await newDatabase()) as string;
    const name = nameIn(url);
    const asked = ["pg_control_system()", "pg_current_wal_lsn()", "pg_walfile_name(pg_lsn)"];
    const revoked = asked.map((each) => `revoke execute on function ${each} from public`);
    await ask(url, "create role plain login", `grant create on database ${name} to plain`, ...revoked);
    await ask(url, "drop schema activity_server cascade");
    const plain = url.replace("postgres@", "plain@");
    const later = await inStorage(plain, async (storage) => {
      await fill(storage);
      return add(storage, 5);
    });
    await ask(url, "update activity_server.place set here = here");
    assertAbove(await inStorage(plain, (storage) => add(storage, 5)), later, "restored");
    const [row] = await ask(url, "select here from activity_server.place");
    assert.match(String(row?.here), /^\d+$/);
  });

  test("a standby that is promoted skips, on connections that it had before as well", async () => {
    const server = (await startPostgres()) as PostgresServer;
    const folder = new URL(server.url.replace("@/", "@host/")).searchParams.get("host") as string;
    try {
      const later = await inStorage(server.url, async (storage) => {
        await fill(storage);
        return add(storage, 5);
      });
      await server.stop("fast");
      const signal = path.join(folder, "data", "standby.signal");
      fs.writeFileSync(signal, "");
      fs.chmodSync(signal, 0o666);
      await server.start();
      const after = await inStorage(server.url, async (storage) => {
        assert.is(await storage.countEvents("near"), 5, "it reads from the standby");
        await ask(server.url, "select pg_promote()");
        return add(storage, 5);
      });
      assertAbove(after, later, "promoted");
    } finally {
      await server.remove();
    }
  });
}

test.run();
