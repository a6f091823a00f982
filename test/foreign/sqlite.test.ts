// Databases of ActivityWatch's servers. Those of aw-server were made by it: fixtures/make.py.
import { copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LaunchError } from "../../src/cli/launch-error.js";
import { withFolder } from "../adapters/folder.js";
import {
  contentsOf,
  type Exported,
  exportOf,
  fixture,
  makeDatabase,
  RUST_TABLES,
  take,
  withClient,
} from "./importing.js";

const test = suite("import of SQLite");

const KINDS = [
  ["peewee-sqlite.v2.db", "peewee-export.json"],
  ["sqlite.v1.db", "sqlite-export.json"],
] as const;

for (const [database, exported] of KINDS) {
  test(`${database} comes over as aw-server exports it, with what only its log holds, and twice is once`, () =>
    withClient(async (client) => {
      const before = await stateOf(database);
      const first = await take(fixture(database), client);
      const expected = JSON.parse(await readFile(fixture(exported), "utf8")) as { buckets: Exported };
      assert.equal(contentsOf(await exportOf(client)), contentsOf(expected.buckets));
      assert.equal(first.losses, []);
      assert.equal(first.buckets["aw-watcher-window_desk"], {
        isNew: true,
        imported: 281,
        known: 0,
        invalid: 0,
        dropped: 0,
        changed: 0,
      });
      const bytes = JSON.stringify(await exportOf(client));
      const again = await take(fixture(database), client);
      assert.equal(again.buckets["aw-watcher-window_desk"], {
        isNew: false,
        imported: 0,
        known: 281,
        invalid: 0,
        dropped: 0,
        changed: 0,
      });
      // The server's own export brings nothing new either.
      const exportedAgain = await take(fixture(exported), client);
      assert.is(exportedAgain.buckets["aw-watcher-window_desk"]?.imported, 0);
      assert.is(JSON.stringify(await exportOf(client)), bytes);
      assert.equal(await stateOf(database), before);
      // Other processes may be importing just now.
      const own = `activity-server-import-${process.pid}-`;
      const left = (await readdir(tmpdir())).filter((name) => name.startsWith(own));
      assert.equal(left, []);
    }));
}

/** What shows that nobody touched a database. */
async function stateOf(database: string): Promise<unknown> {
  const names = (await readdir(fixture(""))).filter((name) => name.startsWith(database));
  return Promise.all(
    names.map(async (name) => {
      const { mtimeMs, size } = await stat(fixture(name));
      return { name, mtimeMs, size };
    }),
  );
}

const CREATED = "2024-01-01T00:00:00.123456789+00:00";

test("aw-server-rust: nanoseconds, settings, and what its export says", () =>
  withFolder(async (folder) => {
    const file = join(folder, "sqlite.db");
    const start = 1_709_287_200_123_456_789n;
    await makeDatabase(file, [
      "PRAGMA foreign_keys = OFF",
      ...RUST_TABLES,
      `INSERT INTO buckets (name, type, client, hostname, created, data)
        VALUES ('window', 'currentwindow', 'c', 'desk', '${CREATED}', '{"a":1}')`,
      `INSERT INTO events (bucketrow, starttime, endtime, data) VALUES
        (1, ${start}, ${start + 12_345_678_901n}, '{"app":"ü"}'),
        (1, ${start}, ${start + 12_345_678_901n}, '{"app":"ü"}'),
        (1, ${start + 1n}, ${start + 1n + 99_999_999_999_999_999n}, '{"app":"long"}'),
        (1, -1, 499, '{}'), (1, ${start}, ${start}, 'no JSON'), (7, ${start}, ${start}, '{}')`,
      `INSERT INTO key_value VALUES ('settings.startOfDay', '"04:00"', 0), ('settings.classes', '[{"id":1}]', 0),
        ('settings.theme', '"dark"', 0), ('other', '1', 0)`,
    ]);
    await withClient(async (client) => {
      await client.settings.put("theme", "light");
      const { losses, settings } = await take(file, client);
      const [bucket] = Object.values(await exportOf(client));
      // As chrono writes them and as a reader of JSON cuts and rounds them.
      const event = (timestamp: string, duration: number, data: object) => ({ timestamp, duration, data });
      assert.equal(bucket?.events, [
        event("2024-03-01T10:00:00.123456+00:00", 100_000_000, { app: "long" }),
        event("2024-03-01T10:00:00.123456+00:00", 12.345_679, { app: "ü" }),
        event("2024-03-01T10:00:00.123456+00:00", 12.345_679, { app: "ü" }),
        event("1969-12-31T23:59:59.999999+00:00", 0.000_001, {}),
      ]);
      assert.is(bucket?.id, "window");
      assert.is(bucket?.["name"], null);
      assert.is(bucket?.["created"], "2024-01-01T00:00:00.123456+00:00");
      assert.equal(bucket?.["data"], { a: 1 });
      assert.equal(losses, ["1 event of a lost bucket", "1 event of window: invalid"]);
      assert.equal(settings, { taken: ["startOfDay", "classes"], kept: ["theme"], refused: [] });
      assert.equal(await client.settings.get("theme"), "light");
      assert.equal(await client.settings.get("classes"), [{ id: 1 }]);
    });
  }));

test("aw-server-rust: buckets of its first versions have no data", () =>
  withFolder(async (folder) => {
    const file = join(folder, "sqlite.db");
    const [, events = ""] = RUST_TABLES;
    await makeDatabase(file, [
      "CREATE TABLE buckets (id INTEGER PRIMARY KEY, name TEXT, type TEXT, client TEXT, hostname TEXT, created TEXT)",
      events,
      `INSERT INTO buckets VALUES (1, 'old', 't', 'c', 'h', '${CREATED}')`,
      "INSERT INTO events (bucketrow, starttime, endtime, data) VALUES (1, 0, 1000000000, '{}')",
      "INSERT INTO events (bucketrow, starttime, endtime, data) VALUES (1, 1000000000, 2000000000, 'null')",
    ]);
    await withClient(async (client) => {
      await take(file, client);
      assert.equal((await exportOf(client))["old"]?.events, [
        { timestamp: "1970-01-01T00:00:01+00:00", duration: 1, data: {} },
        { timestamp: "1970-01-01T00:00:00+00:00", duration: 1, data: {} },
      ]);
    });
  }));

/** A database with many pages, of one bucket. */
async function large(file: string, rows: number): Promise<void> {
  await makeDatabase(file, [
    ...RUST_TABLES,
    `INSERT INTO buckets (name, type, client, hostname, created) VALUES ('window', 't', 'c', 'h', '${CREATED}')`,
    `WITH RECURSIVE seq(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < ${rows})
      INSERT INTO events (bucketrow, starttime, endtime, data)
      SELECT 1, n * 1000000000, n * 1000000000 + 500000000, '{"app":"app ' || n || '","title":"some text"}' FROM seq`,
  ]);
}

test("of a damaged file everything is imported that can be read, and the rest is named", () =>
  withFolder(async (folder) => {
    const file = join(folder, "sqlite.db");
    await large(file, 20_000);
    const bytes = await readFile(file);
    const page = 4096;
    // A page with rows, somewhere in the middle, by what stands in it.
    const at = Math.floor(bytes.indexOf('"app 10000"') / page) * page;
    bytes.fill(0xff, at, at + page);
    await writeFile(file, bytes);
    await withClient(async (client) => {
      const { buckets, losses } = await take(file, client);
      const { imported = 0 } = buckets["window"] ?? {};
      assert.ok(imported > 19_800 && imported < 20_000, `${imported} events`);
      assert.match(losses.join(), /^events in rows \d+ to \d+: damaged$/);
      const [, from, to] = /rows (\d+) to (\d+)/.exec(losses.join()) ?? [];
      assert.is(imported + Number(to) - Number(from) + 1, 20_000);
    });
  }));

test("of a file that was cut off everything is imported that is still there", () =>
  withFolder(async (folder) => {
    const file = join(folder, "sqlite.db");
    await large(file, 20_000);
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.indexOf('"app 10000"')));
    await withClient(async (client) => {
      const { buckets, losses } = await take(file, client);
      const { imported = 0 } = buckets["window"] ?? {};
      assert.ok(imported > 9_800 && imported < 10_000, `${imported} events`);
      assert.equal(losses.length, 2, losses.join());
      assert.match(losses[0] ?? "", /^the last [\d.]+ .?B of the file, which is truncated$/);
      assert.match(losses[1] ?? "", new RegExp(`^events in rows ${imported + 1} to the end: `));
    });
  }));

test("what is no database, or of another program, is refused with its reason", () =>
  withFolder(async (folder) => {
    const other = join(folder, "other.db");
    await makeDatabase(other, ["CREATE TABLE notes (id INTEGER)"]);
    const broken = join(folder, "broken.db");
    await copyFile(other, broken);
    const bytes = await readFile(broken);
    bytes.fill(0x41, 16, 4096);
    await writeFile(broken, bytes);
    const reasons: readonly (readonly [string, RegExp])[] = [
      [other, /is not a database of aw-server or aw-server-rust/],
      [broken, /cannot be read: /],
      [join(folder, "none.db"), /cannot find the file/],
      [folder, /cannot find an ActivityWatch database in/],
    ];
    await withClient(async (client) => {
      for (const [file, reason] of reasons) {
        const thrown: unknown = await take(file, client).catch((error: unknown) => error);
        assert.instance(thrown, LaunchError);
        assert.match((thrown as Error).message, reason);
      }
      assert.equal(await exportOf(client), {});
    });
  }));

test("an import that breaks off keeps whole steps, and goes on", () =>
  withFolder(async (folder) => {
    const file = join(folder, "sqlite.db");
    await large(file, 30_000);
    await withClient(async (client) => {
      let calls = 0;
      const failing: typeof client = {
        ...client,
        async import(document) {
          if (++calls === 3) throw new LaunchError("no space is left on the disk");
          return client.import(document);
        },
      };
      const thrown: unknown = await take(file, failing).catch((error: unknown) => error);
      assert.match((thrown as Error).message, /no space/);
      const kept = (await exportOf(client))["window"]?.events.length ?? 0;
      assert.ok(kept > 0 && kept < 30_000);
      const { buckets } = await take(file, client);
      assert.equal(buckets["window"], {
        isNew: false,
        imported: 30_000 - kept,
        known: kept,
        invalid: 0,
        dropped: 0,
        changed: 0,
      });
    });
  }));

test.run();
