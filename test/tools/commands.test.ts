// The commands of the launcher, as their users run them.
import { createHash } from "node:crypto";
import { lstat, readdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { inside } from "../cli/inside.js";
import { call, jsonLines, type Running, type Starter, stopped, type Workshop } from "../cli/launcher.js";
import { bucket } from "./backups.js";
import { damageTable, reopened } from "./damaged-folders.js";

const test = suite("commands");

/** A folder with a segment and a log. */
async function fill(folder: string): Promise<void> {
  const storage = leveldb({ path: folder });
  await storage.settings.put("theme", "dark");
  await storage.deviceId();
  const events = Array.from({ length: 3000 }, (_, n) => ({ timestamp: n * 1_000_000, duration: 1, data: { n } }));
  await storage.createBucket(bucket("window"), events);
  await storage.close();
}

async function started({ start }: Starter): Promise<Running> {
  const running = await start();
  await call(`${running.url}/api/0/buckets/window`, "POST", { type: "t", client: "c", hostname: "h" });
  await call(`${running.url}/api/0/buckets/window/events`, "POST", [
    { timestamp: "2024-03-01T09:00:00Z", duration: 1, data: { n: 1 } },
  ]);
  return running;
}

function dataOf(running: Running): string {
  return String(running.facts.data);
}

/** Runs a command that fails. @returns what it says */
async function refusal({ run }: Workshop, words: readonly string[], exitCode: number): Promise<string> {
  const { code, stdout, stderr } = await run(words);
  assert.is(code, exitCode, `${words.join(" ")}: ${stdout}${stderr}`);
  assert.is(stdout, "");
  assert.is(stderr.trimEnd().split("\n").length, 1, stderr);
  return stderr;
}

test("a backup of a stopped folder makes an equal folder; --merge adds to one, and --force replaces a file", () =>
  inside(async (workshop) => {
    const { path, told, run, program } = workshop;
    await fill(path("data"));
    assert.match(await told(["backup", "--data", "data", "--to", "b.jsonl.gz"]), /b\.jsonl\.gz: 1 bucket, 3000 events/);
    assert.is((await stat(path("b.jsonl.gz"))).mode & 0o777, 0o600);
    await told(["restore", "b.jsonl.gz", "--data", "deep/new"]);
    const again = await told(["backup", "--data", "deep/new", "--to", "-"]);
    const bodies = [gunzipSync(await readFile(path("b.jsonl.gz"))).toString(), again].map((text) =>
      jsonLines(text).slice(1, -1),
    );
    assert.equal(bodies[0], bodies[1]);
    assert.equal(
      (await readdir(path("."))).filter((name) => name.includes("partial")),
      [],
    );
    const restoring = ["restore", "b.jsonl.gz", "--data", "data"];
    assert.match(await refusal(workshop, restoring, 1), /is not empty.*--merge/);
    const [checking, writing, last] = jsonLines(await program.told([...restoring, "--merge", "--json"]));
    const { size } = await stat(path("b.jsonl.gz"));
    assert.equal(checking, { event: "progress", step: "checking", done: size, total: size });
    assert.equal(writing, { ...checking, step: "writing" });
    assert.equal([last?.["bucketsMerged"], last?.["events"]], [1, 0]);
    await writeFile(path("b.jsonl"), "old");
    const refused = await run(["backup", "--data", "data", "--to", "b.jsonl", "--json"]);
    assert.is(refused.code, 1);
    assert.match(String(jsonLines(refused.stderr)[0]?.["message"]), /exists/);
    await told(["backup", "--data", "data", "--to", "b.jsonl", "--force"]);
    assert.is(jsonLines(await readFile(path("b.jsonl"), "utf8")).length, 3005);
  }));

test("a backup replaces no device, even with --force", () =>
  inside(async (workshop) => {
    const { path } = workshop;
    await fill(path("data"));
    await symlink("/dev/null", path("device"));
    const message = await refusal(workshop, ["backup", "--data", "data", "--to", "device", "--force"], 1);
    assert.match(message, /device' is not a file; use - to write to stdout/);
    assert.ok((await lstat(path("device"))).isSymbolicLink());
  }));

test("a running server is asked for its backup and goes on writing", () =>
  inside(async (workshop) => {
    const { path, program } = workshop;
    const running = await started(workshop);
    let isOver = false;
    const writing = (async () => {
      for (let n = 2; !isOver; n++) {
        const beat = { timestamp: new Date(n * 60_000).toISOString(), duration: 1, data: { n } };
        const { status } = await call(`${running.url}/api/0/buckets/window/heartbeat?pulsetime=0`, "POST", beat);
        assert.is(status, 200);
      }
    })();
    const { code, stderr } = await program.run(["backup", "--data", dataOf(running), "--to", "b.jsonl"]);
    isOver = true;
    await writing;
    assert.is(code, 0, stderr);
    const text = await readFile(path("b.jsonl"), "utf8");
    const lines = jsonLines(text);
    const end = lines.at(-1);
    const before = text.slice(0, text.trimEnd().lastIndexOf("\n") + 1);
    assert.is(end?.["sha256"], createHash("sha256").update(before).digest("hex"));
    assert.is(lines.filter(({ kind }) => kind === undefined).length, end?.["events"]);
  }));

test("verify asks a running server, which restore and salvage keep away from, or opens a folder", () =>
  inside(async (workshop) => {
    const { told, program } = workshop;
    const running = await started(workshop);
    const place = ["--data", dataOf(running)];
    const asked = await program.run(["verify", ...place]);
    assert.equal([asked.code, asked.stderr], [0, ""]);
    assert.match(asked.stdout, /^sound: 1 bucket, 1 event/);
    await told(["backup", "--to", "b.jsonl", ...place]);
    for (const words of ["restore b.jsonl --merge", "salvage --to new"]) {
      assert.match(await refusal(workshop, [...words.split(" "), ...place], 1), /server \(process \d+\) uses/);
    }
    await stopped(running);
    const last = jsonLines(await told(["verify", "--json", ...place])).at(-1);
    assert.equal([last?.["event"], last?.["sound"], last?.["events"]], ["verified", true, 1]);
  }));

test("verify and salvage of a damaged folder say what is wrong and exit with 1", () =>
  inside(async ({ path, run, told, program }) => {
    await fill(path("data"));
    const log = join(path("data/wal"), String((await readdir(path("data/wal")))[0]));
    const bytes = await readFile(log);
    bytes[60] = (bytes[60] as number) ^ 1;
    await writeFile(log, bytes);
    const verified = await run(["verify", "--data", "data"]);
    assert.is(verified.code, 1);
    assert.match(verified.stderr, /damaged: .*activity-server salvage --data DAMAGED --to NEW/);
    const salvaged = await program.run(["salvage", "--data", "data", "--to", "new", "--json"]);
    assert.is(salvaged.code, 1, salvaged.stderr);
    const lines = jsonLines(salvaged.stdout);
    assert.ok(lines.some(({ event, message }) => event === "problem" && /bytes of the log/.test(String(message))));
    assert.is(lines.at(-1)?.["event"], "salvaged");
    await told(["verify", "--data", "new"]);
  }));

test("a damaged segment: verify names it, the server goes on, and its health is degraded", () =>
  inside(async ({ path, run, start }) => {
    await fill(path("data"));
    await reopened(path("data"));
    await damageTable(path("data"));
    const opened = await run(["verify", "--data", "data"]);
    assert.is(opened.code, 1, opened.stderr);
    assert.match(opened.stdout, /^damaged: .*window.*\n1 problem in 1 bucket, 3000 events/);
    const running = await start(["--data", "data"]);
    assert.equal((await call(`${running.url}/api/0/health`)).body, { status: "ok" });
    const asked = await run(["verify", "--data", "data"]);
    assert.equal([asked.code, asked.stdout], [1, opened.stdout], asked.stderr);
    assert.equal((await call(`${running.url}/api/0/health`)).body, { status: "degraded" });
    const { status } = await call(`${running.url}/api/0/buckets/window/heartbeat?pulsetime=1`, "POST", {
      ...{ timestamp: "2024-03-01T09:00:00Z", duration: 0, data: {} },
    });
    assert.is(status, 200);
  }));

test("a backup that was cut off or changed is refused, and leaves no folder", () =>
  inside(async (workshop) => {
    const { path, told } = workshop;
    await fill(path("data"));
    for (const name of ["plain.jsonl", "packed.gz"]) await told(["backup", "--data", "data", "--to", name]);
    const text = await readFile(path("plain.jsonl"), "utf8");
    await writeFile(path("plain.jsonl"), text.replace('"n":7}', '"n":8}'));
    await truncate(path("packed.gz"), (await stat(path("packed.gz"))).size - 30);
    for (const [file, message] of [
      ["plain.jsonl", /checksum/],
      ["packed.gz", /compression is broken/],
      ["none", /cannot find the file/],
    ] as const) {
      assert.match(await refusal(workshop, ["restore", file, "--data", "new"], 1), message);
      assert.equal(
        (await readdir(path("."))).filter((name) => name.startsWith("new")),
        [],
        file,
      );
    }
  }));

test("a folder that another program has open is refused in one line", () =>
  inside(async (workshop) => {
    const running = await started(workshop.program);
    const data = dataOf(running);
    // As if the program were no launcher.
    await writeFile(join(data, "server.json"), "{}");
    for (const words of [["verify"], ["--port", "0"]]) {
      assert.match(await refusal(workshop, [...words, "--data", data], 1), /is open in another process/);
    }
  }));

test("server.json is for its owner, new at each start, and gone after a clean stop", () =>
  inside(async (workshop) => {
    const tokens: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const running = await workshop.start();
      const file = join(dataOf(running), "server.json");
      assert.is((await stat(file)).mode & 0o777, 0o600);
      const control = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
      assert.is(control["address"], running.url);
      assert.is(control["pid"], running.pid);
      tokens.push(control["token"]);
      const authorization = `Bearer ${String(control["token"])}`;
      const { body } = await call(`${running.url}/api/0/health`, "GET", undefined, { authorization });
      assert.is((body as { storage: { state: string } }).storage.state, "ok");
      assert.equal((await call(`${running.url}/api/0/health`)).body, { status: "ok" });
      await stopped(running);
      assert.not((await readdir(dataOf(running))).includes("server.json"));
    }
    assert.is.not(tokens[0], tokens[1]);
  }));

test("what a killed server leaves behind stops neither the tools nor the next start", () =>
  inside(async (workshop) => {
    const running = await started(workshop.program);
    running.kill("SIGKILL");
    await running.ended;
    assert.match(await workshop.told(["verify", "--data", dataOf(running)]), /^sound: 1 bucket, 1 event\n$/);
    await workshop.start();
  }));

test.run();
