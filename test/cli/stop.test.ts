// long: 120 s
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { open, writeFile } from "node:fs/promises";
import { Agent, type ClientRequest, request } from "node:http";
import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sampleOf } from "../faults/sizes.js";
import { inside } from "./inside.js";
import { CLI, call, inWorkshop, type Running } from "./launcher.js";

const test = suite("launcher end");
const WINDOW = JSON.stringify({ type: "currentwindow", client: "test", hostname: "box" });

/** A creation whose body is only half sent; resolves when the server has the head. */
async function beginRequest({ facts }: Running, agent?: Agent): Promise<ClientRequest> {
  const half = request({
    host: "127.0.0.1",
    port: facts.port,
    path: "/api/0/buckets/b",
    method: "POST",
    headers: { "content-type": "application/json", "content-length": WINDOW.length, expect: "100-continue" },
    ...(agent === undefined ? {} : { agent }),
  });
  half.flushHeaders();
  await once(half, "continue");
  half.write(WINDOW.slice(0, 10));
  return half;
}

async function finishRequest(half: ClientRequest): Promise<void> {
  half.end(WINDOW.slice(10));
  const [response] = await once(half, "response");
  assert.is(response.resume().statusCode, 200);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} ends an idle server with exit code 0`, () =>
    inWorkshop(async ({ start }) => {
      const running = await start();
      running.kill(signal);
      const { code, stdout, stderr } = await running.ended;
      assert.is(code, 0);
      const [, stopping, stopped] = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.equal(stopping, { event: "stopping", signal });
      assert.equal(stopped, { event: "stopped" });
      assert.is(stderr, "");
    }));
}

test("readers of the feed are told to connect again", () =>
  inside(async ({ start }) => {
    const running = await start();
    const { body } = await fetch(`${running.facts.url}/api/0/feed?types=bucket`);
    const received = (async () => {
      let text = "";
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
      return text;
    })();
    running.kill("SIGTERM");
    assert.match(await received, /\nevent: bye\ndata: \{"type":"bye","reconnect_after":2\}\n\n$/);
    assert.is((await running.ended).code, 0);
  }));

test("a request under way is answered, new connections are not", () =>
  inside(async ({ start }) => {
    const running = await start();
    const agent = new Agent({ keepAlive: true });
    const half = await beginRequest(running, agent);
    running.kill("SIGTERM");
    await running.line((text) => text.includes('"stopping"'));
    await waitUntilRefused(running.facts.port);
    await finishRequest(half);
    assert.is((await running.ended).code, 0);
    agent.destroy();

    const again = await start();
    assert.is(again.facts.buckets, 1);
  }));

const CODES = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

for (const [signal, exitCode] of sampleOf(CODES, 2)) {
  test(`a second signal, ${signal}, ends it at once`, () =>
    inside(async ({ start, program }) => {
      const running = await program.start();
      const half = await beginRequest(running);
      const cut = once(half, "error");
      running.kill("SIGTERM");
      await running.line((text) => text.includes('"stopping"'));
      running.kill(signal);
      await cut;
      const { code, stdout } = await running.ended;
      assert.is(code, exitCode);
      assert.not.match(stdout, /"stopped"/);
      // What was not ended properly can be opened again all the same.
      assert.is((await start()).facts.buckets, 0);
    }));
}

test("an interrupt that npm passes on a second time is no second signal", () =>
  inWorkshop(async ({ start }) => {
    const running = await start([], { npm_lifecycle_event: "start" });
    const half = await beginRequest(running);
    running.kill("SIGINT");
    await running.line((text) => text.includes('"stopping"'));
    running.kill("SIGINT");
    await finishRequest(half);
    assert.is((await running.ended).code, 0);
  }));

test("under npm start it ends when the shell above it was killed, and not otherwise", async () => {
  if (process.platform === "win32") return;
  await inWorkshop(async ({ path, spawn }) => {
    const shell =
      "import { spawn } from 'node:child_process'; spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' });";
    await writeFile(path("shell.mjs"), shell);
    const words = [CLI, "--json", "--port", "0", "--storage", "memory"];
    const npm = { npm_lifecycle_event: "start", npm_package_name: "activity-server" };
    const launched = spawn(words, npm, path("shell.mjs"));
    const { pid, url } = JSON.parse(await launched.line((text) => text.includes('"listening"')));
    try {
      assert.is((await call(`${url}/api/0/info`)).status, 200);
      launched.kill("SIGKILL");
      assert.match((await launched.ended).stdout, /"signal":"SIGTERM"\}\n\{"event":"stopped"\}\n$/);
    } finally {
      endProcess(pid);
    }
  });
});

test("a signal during the start ends it as soon as it has started", async () => {
  if (process.platform === "win32") return;
  await inWorkshop(async ({ path, spawn }) => {
    // Reading the key waits for a writer; having become the writer means that the start is under way.
    execFileSync("mkfifo", [path("key")]);
    const words = ["--json", "--port", "0", "--storage", "memory", "--api-key-file", path("key")];
    const launched = spawn(words);
    const key = await open(path("key"), "w");
    launched.kill("SIGINT");
    await key.writeFile("secret");
    await key.close();
    const { code, stdout } = await launched.ended;
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    assert.equal(events, ["listening", "stopping", "stopped"]);
    assert.is(code, 0);
  });
});

test("a fault of its own ends it with one line, and a stack trace only with --verbose", async () => {
  if (process.platform === "win32") return;
  await inWorkshop(async ({ start }) => {
    const fault = 'process.on("SIGUSR2",()=>{throw new Error("boom\\n twice")})';
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` };
    for (const words of sampleOf([[], ["--verbose"]], 2)) {
      const running = await start(["--storage", "memory", ...words], env);
      running.kill("SIGUSR2");
      const { code, stderr } = await running.ended;
      assert.is(code, 1);
      const { stack, ...rest } = JSON.parse(stderr);
      assert.equal(rest, { event: "error", message: "boom twice", exitCode: 1 });
      assert.type(stack, words.length === 0 ? "undefined" : "string");
    }
  });
});

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended, as it should.
  }
}

/** Connecting succeeds while the listener stands; the announcement of the end may come a moment before. */
async function waitUntilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const refused = await new Promise((resolve) => {
      socket.once("connect", () => resolve(false)).once("error", () => resolve(true));
    });
    socket.destroy();
    if (refused) return;
  }
}

test.run();
