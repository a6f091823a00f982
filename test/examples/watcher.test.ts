// docs/examples/watcher, run with the packed package and nothing else beside it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { connect } from "../../src/client/index.js";
import { createActivityServer } from "../../src/index.js";
import { inTime } from "../harness.js";
import { until } from "../http/client.js";
import { type OpenConsumer, openConsumer, packPrograms, ROOT } from "../package/tarball.js";

const test = suite("example: watcher");

const FOLDER = path.join(ROOT, "docs/examples/watcher");
const MANIFEST = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
const BUCKET_ID = `git-branch_${os.hostname()}`;

const read = (name: string): string => fs.readFileSync(path.join(FOLDER, name), "utf8");

/** What a run of the watcher has said, and how it ended. */
interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** Starts the watcher, ends it once it has reported, and gives what it has said. */
async function runOnce({ folder }: OpenConsumer, url: string): Promise<Run> {
  const env = { ...process.env, ACTIVITY_SERVER_URL: url };
  const child = spawn(process.execPath, ["main.js", "repository"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const ended = once(child, "close");
  await until(() => output.includes("reporting the branch of") || child.exitCode !== null, "the first report");
  child.kill("SIGTERM");
  const [code, signal] = await inTime(ended, "the end of the watcher", 60);
  return { code, signal, output };
}

function checkOut({ write }: OpenConsumer, branch: string): void {
  write("repository/.git/HEAD", `ref: refs/heads/${branch}\n`);
}

test("it is short, names what it imports, and says in its README what it is", () => {
  assert.ok(read("main.js").split("\n").length <= 31);
  const imported = [...read("main.js").matchAll(/from "(?!node:)([\w-]+)/g)].map(([, name]) => name);
  const { dependencies } = JSON.parse(read("package.json"));
  assert.equal([...new Set(imported)], Object.keys(dependencies));
  assert.equal(dependencies, { "activity-server": `^${MANIFEST.version}` });
  assert.match(read("README.md"), "npm install && npm start");
});

test("it reports to a server, and what the server has missed comes with the next run", async () => {
  const consumer = openConsumer(packPrograms(), []);
  const server = createActivityServer({ storage: memory(), hostname: "box" });
  const client = connect(server);
  try {
    for (const name of ["main.js", "package.json"]) consumer.write(name, read(name));
    const { url, port } = await server.listen({ port: 0 });
    checkOut(consumer, "main");
    const first = await runOnce(consumer, url);
    if (process.platform !== "win32") assert.equal([first.code, first.signal], [null, "SIGTERM"], first.output);
    checkOut(consumer, "feature/queue");
    const missed = await runOnce(consumer, url.replace(String(port), "9"));
    assert.match(missed.output, "they are kept");
    checkOut(consumer, "main");
    const last = await runOnce(consumer, url);
    assert.not.match(last.output, "kept");
    const events = await client.events.list<{ folder: string; branch: string }>(BUCKET_ID);
    assert.equal(
      events.reverse().map(({ data }) => data.branch),
      ["main", "feature/queue", "main"],
    );
    assert.is(events[0]?.data.folder, path.join(fs.realpathSync(consumer.folder), "repository"));
    const { type, client: watcher } = await client.buckets.get(BUCKET_ID);
    assert.equal([type, watcher], ["git.branch", "git-branch-watcher"]);
  } finally {
    await server.close();
    consumer.close();
  }
});

test("without a repository it says so, and goes on", async () => {
  const consumer = openConsumer(packPrograms(), []);
  try {
    consumer.write("main.js", read("main.js"));
    const { output } = await runOnce(consumer, "http://127.0.0.1:9");
    assert.match(output, /no branch to report: ENOENT/);
    assert.match(output, "reporting the branch of");
  } finally {
    consumer.close();
  }
});

test.run();
