// The commands of the launcher on a database. Uses the build in dist, which the runner makes.
import fs from "node:fs/promises";
import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inside } from "../cli/inside.js";
import { call, type Ended, type Workshop } from "../cli/launcher.js";
import { startPostgres } from "./server.js";

const test = suite("postgres tools");

const server = await startPostgres();
const DATABASE = ["--storage", "postgres", "--namespace"];

/** Fills a new data folder by a launcher. @returns the folder, and a key that opens it */
async function filledFolder({ start, run }: Workshop): Promise<{ readonly folder: string; readonly key: string }> {
  const running = await start();
  const api = `${running.url}/api/0`;
  for (const id of ["window", "a ü/\ud83d\ude00"]) {
    const bucket = `${api}/buckets/${encodeURIComponent(id)}`;
    assert.is((await call(bucket, "POST", { client: "c", type: "t", hostname: "h" })).status, 200);
    const events = Array.from({ length: 50 }, (_, n) => ({
      timestamp: new Date(n * 60_000).toISOString(),
      duration: n % 7,
      data: { title: `title ${n % 9}`, "nul\0": ["\ud800", n] },
    }));
    assert.is((await call(`${bucket}/events`, "POST", events)).status, 200);
  }
  assert.is((await call(`${api}/buckets/window/events/7`, "DELETE")).status, 200);
  assert.is((await call(`${api}/settings/theme`, "POST", { dark: [true, null] })).status, 200);
  assert.is((await call(`${api}/info`)).status, 200, "it makes the device id");
  running.kill("SIGTERM");
  await running.ended;
  const folder = String(running.facts.data);
  const made = await said(run(["keys", "add", "wall", "--scope", "read:*", "--data", folder, "--json"]));
  return { folder, key: String((JSON.parse(made) as { key: unknown }).key) };
}

/** What a command says that succeeds. */
async function said(running: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await running;
  assert.is(code, 0, stderr);
  return stdout;
}

/** A backup without its first and last line, which differ in time; settings and records have no order. */
async function contentOf(file: string): Promise<readonly string[]> {
  const lines = (await fs.readFile(file, "utf8")).trimEnd().split("\n").slice(1, -1);
  const isLoose = (line: string): boolean => /^\{"kind":"(?:setting|record)"/.test(line);
  return [...lines.filter(isLoose).sort(), ...lines.filter((line) => !isLoose(line))];
}

async function exportOf(url: string, key: string): Promise<unknown> {
  const { status, body } = await call(`${url}/api/0/export`, "GET", undefined, { Authorization: `Bearer ${key}` });
  assert.is(status, 200);
  return body;
}

if (server === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const env = { ACTIVITY_SERVER_DATABASE_URL: server.url };

  test("a folder becomes a namespace and a folder again: ids, settings, device id, exports and keys stay", () =>
    inside(async (workshop) => {
      const { run, start, path, program } = workshop;
      const { folder, key } = await filledFolder(workshop);
      await said(run(["backup", "--to", "1.jsonl", "--data", folder]));
      const restored = await said(program.run(["restore", "1.jsonl", ...DATABASE, "moved"], env));
      assert.match(restored, /^namespace 'moved': 2 buckets, 99 events$/m);
      assert.match(await said(run(["verify", ...DATABASE, "moved"], env)), /^sound: 2 buckets, 99 events/);
      await said(program.run(["backup", "--to", "2.jsonl", ...DATABASE, "moved"], env));
      await said(run(["restore", "2.jsonl", "--data", "back"]));
      await said(run(["backup", "--to", "3.jsonl", "--data", "back"]));
      const content = await contentOf(path("1.jsonl"));
      assert.is(content.length, 99 + 2 + 1 + 4, "events, buckets, setting, device id, key, clock and what was deleted");
      assert.equal(await contentOf(path("2.jsonl")), content);
      assert.equal(await contentOf(path("3.jsonl")), content);
      const exports = [];
      for (const words of [
        ["--data", folder],
        [...DATABASE, "moved"],
        ["--data", "back"],
      ]) {
        const running = await start([...words, "--auth", "required"], env);
        exports.push(await exportOf(running.url, key));
        running.kill("SIGTERM");
        await running.ended;
      }
      assert.equal(exports[1], exports[0]);
      assert.equal(exports[2], exports[0]);
    }));

  test("a namespace is backed up, checked and given keys while nodes write to it", () =>
    inside(async ({ run, start, path, program }) => {
      const variables = { ...env, ACTIVITY_SERVER_STORAGE: "postgres", ACTIVITY_SERVER_NAMESPACE: "busy" };
      await said(run(["keys", "add", "desk", "--scope", "admin"], variables));
      const nodes = [await start([], variables), await start([], variables)];
      const urls = nodes.map(({ url }) => `${url}/api/0/buckets/window`);
      await call(String(urls[0]), "POST", { client: "c", type: "t", hostname: "h" });
      let isOver = false;
      const writing = urls.map(async (url, node) => {
        for (let n = 0; !isOver; n++) {
          const beat = { timestamp: new Date(n * 60_000).toISOString(), duration: 0, data: { node, n } };
          assert.is((await call(`${url}/heartbeat?pulsetime=1`, "POST", beat)).status, 200);
        }
      });
      await said(run(["backup", "--to", "b.jsonl", "--json"], variables));
      assert.match(await said(program.run(["verify"], variables)), /^sound: 1 bucket/);
      assert.match(await said(run(["keys", "list"], variables)), /^desk: admin, never used$/m);
      await said(run(["keys", "revoke", "desk"], variables));
      isOver = true;
      await Promise.all(writing);
      assert.match(await fs.readFile(path("b.jsonl"), "utf8"), '"kind":"end"');
    }));

  test("a namespace that holds anything but its device id and clock is restored into with --merge alone", () =>
    inside(async (workshop) => {
      const { run, start } = workshop;
      const { folder } = await filledFolder(workshop);
      await said(run(["backup", "--to", "b.jsonl", "--data", folder]));
      const node = await start([...DATABASE, "started"], env);
      await call(`${node.url}/api/0/info`);
      await said(run(["restore", "b.jsonl", ...DATABASE, "started"], env));
      await said(run(["keys", "add", "a", "--scope", "admin", ...DATABASE, "keys"], env));
      for (const namespace of ["started", "keys"]) {
        const { code, stderr } = await run(["restore", "b.jsonl", ...DATABASE, namespace], env);
        assert.is(code, 1);
        assert.match(stderr, `the namespace '${namespace}' is not empty; choose a new one with --namespace`);
        await said(run(["restore", "b.jsonl", "--merge", ...DATABASE, namespace, "--json"], env));
      }
      const again = await said(run(["verify", ...DATABASE, "started"], env));
      assert.match(again, /^sound: 2 buckets, 99 events/);
    }));

  test("a restoration that fails in the middle says what is left, and a damaged file writes nothing", () =>
    inside(async (workshop) => {
      const { run, path } = workshop;
      const { folder } = await filledFolder(workshop);
      await said(run(["backup", "--to", "b.jsonl", "--data", folder]));
      const text = await fs.readFile(path("b.jsonl"), "utf8");
      await fs.writeFile(path("cut.jsonl"), text.slice(0, text.length / 2));
      const cut = await run(["restore", "cut.jsonl", ...DATABASE, "cut"], env);
      assert.is(cut.code, 1);
      assert.not.match(cut.stderr, "--merge");
      await said(run(["restore", "b.jsonl", ...DATABASE, "cut"], env));
      // A table that takes no events of one namespace stands for a disk that is full.
      const admin = new pg.Client({ connectionString: server.url });
      await admin.connect();
      await admin.query(`alter table activity_server.events add constraint full_disk check (namespace <> 'full')`);
      const failed = await run(["restore", "b.jsonl", ...DATABASE, "full"], env);
      await admin.query("alter table activity_server.events drop constraint full_disk");
      await admin.end();
      assert.is(failed.code, 1);
      assert.match(failed.stderr, "the namespace 'full' is incomplete; add the rest with restore --merge");
      await said(run(["restore", "b.jsonl", "--merge", ...DATABASE, "full"], env));
      assert.match(await said(run(["verify", ...DATABASE, "full"], env)), /^sound: 2 buckets, 99 events/);
    }));

  test("what cannot be done is one line that says so, and never shows the URL", () =>
    inside(async ({ run }) => {
      const secret = { ACTIVITY_SERVER_DATABASE_URL: "postgres://somebody:secret@127.0.0.1:1/base" };
      type Case = readonly [words: readonly string[], variables: Record<string, string>, code: number, said: RegExp];
      const cases: readonly Case[] = [
        [
          ["backup", "--to", "b", ...DATABASE, "typo"],
          env,
          1,
          /the namespace 'typo' is empty; choose another one with --namespace/,
        ],
        [["verify", ...DATABASE, "typo"], env, 1, /the namespace 'typo' is empty/],
        [["verify", "--storage", "postgres"], secret, 1, /the database cannot be reached/],
        [["verify", "--storage", "postgres"], {}, 1, /--storage postgres needs ACTIVITY_SERVER_DATABASE_URL/],
        [["keys", "list", "--storage", "postgres", "--data", "x"], env, 2, /--data cannot be used with a database/],
        [["verify", "--namespace", "x"], {}, 2, /--namespace cannot be used with a data folder/],
        [["verify", "--storage", "memory"], {}, 1, /commands cannot use memory storage/],
        [["salvage", "--to", "x", "--storage", "postgres"], env, 1, /salvage only reads data folders/],
        [["open", "--storage", "postgres"], env, 1, /only a server with a data folder creates links/],
        [["pair", "--storage", "postgres"], {}, 1, /only one node knows a pairing request/],
      ];
      for (const [words, variables, code, message] of cases) {
        const ended = await run(words, variables);
        assert.is(ended.code, code, `${words.join(" ")}: ${ended.stderr}`);
        assert.match(ended.stderr, message);
        assert.is(ended.stderr.trimEnd().split("\n").length, 1, ended.stderr);
        assert.not.match(ended.stdout + ended.stderr, "secret");
      }
      const ignored = { ...env, ACTIVITY_SERVER_STORAGE: "postgres", ACTIVITY_SERVER_DATA: "x" };
      assert.is((await run(["keys", "list"], ignored)).code, 0, "a variable that means the server's other storage");
    }));

  test("the server of the suite ends", () => server.remove());
}

test.run();
