// `activity-server import`, as people run it.
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inside } from "../cli/inside.js";
import { call, type Workshop } from "../cli/launcher.js";
import { contentsOf, type Exported, fixture } from "./importing.js";

const test = suite("import command");

/** Puts a database of aw-server where aw-server keeps it. */
async function install({ path }: Workshop): Promise<Record<string, string>> {
  const database = path("share/activitywatch/aw-server/peewee-sqlite.v2.db");
  await mkdir(dirname(database), { recursive: true });
  for (const suffix of ["", "-wal"]) await copyFile(fixture(`peewee-sqlite.v2.db${suffix}`), database + suffix);
  const settings = path("config/activitywatch/aw-server/settings.json");
  await mkdir(dirname(settings), { recursive: true });
  await writeFile(settings, '{"startOfDay": "05:00", "classes": [{"name": ["Work"]}]}');
  return { XDG_DATA_HOME: path("share"), XDG_CONFIG_HOME: path("config") };
}

function linesOf(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function expected(): Promise<unknown> {
  const { buckets } = JSON.parse(await readFile(fixture("peewee-export.json"), "utf8")) as { buckets: Exported };
  return contentsOf(buckets);
}

test("one command finds the database, makes the data folder and brings everything, settings too", () =>
  inside(async (workshop) => {
    const { path, run, start, program } = workshop;
    const env = await install(workshop);
    const dry = await run(["import", "--dry-run"], env);
    assert.is(dry.code, 0, dry.stderr);
    assert.match(dry.stdout, /aw-server, 3 buckets, 287 events, 1969-12-31 to 2024-04-01, 2 settings, /);
    assert.equal((await readdir(path("share"))).sort(), ["activitywatch"]);
    const asked = await run(["import"], env);
    assert.is(asked.code, 2);
    assert.match(asked.stderr, /no terminal to ask on; use --yes/);
    const { code, stdout, stderr } = await program.run(["import", "--yes"], env);
    assert.is(code, 0, stderr);
    assert.match(stdout, /aw-watcher-window_desk: new, 281 events imported/);
    assert.match(stdout, /settings: startOfDay, classes/);
    assert.match(stdout, /'.*share\/activity-server': 3 buckets, 287 events imported\n$/);
    assert.is((await stat(path("share/activity-server"))).mode & 0o777, 0o700);
    const running = await start(["--data", path("share/activity-server")], env);
    const { buckets } = (await call(`${running.url}/api/0/export`)).body as { buckets: Exported };
    assert.equal(contentsOf(buckets), await expected());
    assert.is((await call(`${running.url}/api/0/settings/startOfDay`)).body, "05:00");
  }));

test("a copy that a killed import has left goes with the next one, and that of a running one stays", () =>
  inside(async (workshop) => {
    const { path, program } = workshop;
    const env = { ...(await install(workshop)), TMPDIR: path("temporary") };
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    for (const pid of [gone, process.pid]) {
      const left = path(`temporary/activity-server-import-${pid}-Ab3dEf`);
      await mkdir(left, { recursive: true });
      await writeFile(`${left}/peewee-sqlite.v2.db`, "what somebody did");
    }
    const { code, stderr } = await program.run(["import", "--dry-run"], env);
    assert.is(code, 0, stderr);
    assert.equal(await readdir(path("temporary")), [`activity-server-import-${process.pid}-Ab3dEf`]);
  }));

test("a database that cannot be read does not keep the others out", () =>
  inside(async (workshop) => {
    const { path, run } = workshop;
    const env = await install(workshop);
    const broken = path("share/activitywatch/aw-server-rust/sqlite.db");
    await mkdir(dirname(broken), { recursive: true });
    await writeFile(broken, "SQLite format 3\u0000 and nothing else");
    const { code, stdout, stderr } = await run(["import", "--yes"], env);
    assert.is(code, 0, stderr);
    assert.match(stdout, /aw-server-rust\/sqlite\.db' cannot be read/);
    assert.match(stdout, /3 buckets, 287 events imported\n$/);
  }));

test("a running server takes it, and its JSON lines say what became of each bucket", () =>
  inside(async ({ run, start }) => {
    const running = await start();
    const words = ["import", "--from", fixture("peewee-sqlite.v2.db"), "--data", String(running.facts.data), "--yes"];
    const { code, stdout, stderr } = await run([...words, "--json"]);
    assert.is(code, 0, stderr);
    const lines = linesOf(stdout);
    const window = {
      event: "bucket",
      bucketId: "aw-watcher-window_desk",
      isNew: true,
      imported: 281,
      known: 0,
      invalid: 0,
      dropped: 0,
      changed: 0,
    };
    assert.equal(
      lines.find(({ bucketId }) => bucketId === window.bucketId),
      window,
    );
    const { buckets } = (await call(`${running.url}/api/0/export`)).body as { buckets: Exported };
    assert.equal(contentsOf(buckets), await expected());
    const again = linesOf((await run([...words, "--json"])).stdout).at(-1);
    assert.equal([again?.["imported"], again?.["known"], again?.["created"]], [0, 287, 0]);
  }));

test("what privacy rules left out and changed is shown of each bucket, and of all", () =>
  inside(async ({ run, start }) => {
    const running = await start();
    const rules = [
      { when: { key: "status", equals: "afk" }, then: "drop" },
      { when: { key: "app", equals: "app 3" }, then: { redact: { keys: ["title"] } } },
    ];
    await call(`${running.url}/api/0/settings/privacy_rules`, "POST", rules);
    const from = ["--from", fixture("peewee-sqlite.v2.db")];
    const { code, stdout, stderr } = await run(["import", ...from, "--data", String(running.facts.data), "--yes"]);
    assert.is(code, 0, stderr);
    assert.match(stdout, /aw-watcher-afk_desk: new, 3 events imported, 3 dropped by privacy rules\n/);
    const [, changed] =
      /aw-watcher-window_desk: new, 281 events imported, (\d+) changed by privacy rules\n/.exec(stdout) ?? [];
    assert.ok(Number(changed) > 0, stdout);
    const sums = `284 events imported, 3 dropped by privacy rules, ${changed} changed by privacy rules\n`;
    assert.ok(stdout.endsWith(`3 buckets, ${sums}`), stdout);
  }));

test("a key is not asked for: the control file proves who asks", () =>
  inside(async ({ run, start, path }) => {
    const running = await start(["--auth", "required"]);
    await writeFile(path("t.csv"), "start,app\n2024-03-01T10:00:00Z,a\n");
    const words = ["import", "--from", "t.csv", "--bucket", "mine", "--data", String(running.facts.data), "--yes"];
    const { code, stdout, stderr } = await run(words);
    assert.is(code, 0, stderr);
    assert.match(stdout, /mine: new, 1 event imported/);
  }));

test("nothing to be found, and nothing to be read, end with one line", () =>
  inside(async ({ run, path }) => {
    const none = await run(["import", "--yes"], { XDG_DATA_HOME: path("empty") });
    assert.is(none.code, 1);
    assert.match(none.stderr, /cannot find an ActivityWatch database; pass a database/);
    await writeFile(path("broken.json"), '{"buckets": {');
    const broken = await run(["import", "--from", "broken.json", "--yes", "--data", "new"]);
    assert.is(broken.code, 1);
    assert.match(broken.stderr, /not complete JSON/);
    assert.not.ok((await readdir(path("."))).includes("new"));
  }));

test.run();
