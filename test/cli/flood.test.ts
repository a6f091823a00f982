// A flood of connections does not end the launcher, nor keep watchers out.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ServerFacts } from "../../src/cli/banner.js";
import { connectionLimits } from "../../src/cli/connection-limit.js";
import { until } from "../http/client.js";
import { CLI, call, inWorkshop } from "./launcher.js";

const test = suite("floods of connections");

/** Files that the process may have open: few, so that the test needs few itself. */
const FILES = 128;

/** Starts the launcher with so few files. */
function startWithFewFiles(home: string): ChildProcess {
  const limited = ["-c", `ulimit -n ${FILES} && exec "$0" "$@"`, process.execPath, CLI];
  const env = { PATH: process.env["PATH"], HOME: home };
  return spawn("sh", [...limited, "--json", "--port", "0"], { env, stdio: ["ignore", "pipe", "inherit"] });
}

async function factsOf({ stdout }: ChildProcess): Promise<ServerFacts> {
  if (stdout === null) throw new Error("it has no output");
  for await (const line of createInterface(stdout)) {
    if (line.includes('"event":"listening"')) return JSON.parse(line) as ServerFacts;
  }
  throw new Error("it ended");
}

test("three times as many silent connections as it may have files end nothing, and heartbeats go on", async () => {
  if (process.platform === "win32") return;
  await inWorkshop(async ({ folder }) => {
    const launched = startWithFewFiles(folder);
    const sockets: Socket[] = [];
    try {
      const { url, port } = await factsOf(launched);
      const bucket = `${url}/api/0/buckets/b`;
      await call(bucket, "POST", { type: "t", client: "c", hostname: "h" });
      for (let count = 0; count < 3 * FILES; count++) {
        const socket = connect(port, "127.0.0.1").on("error", () => undefined);
        sockets.push(socket);
        await Promise.race([once(socket, "connect"), once(socket, "close")]);
        if (count % 32 !== 0) continue;
        const beat = { timestamp: `2024-03-01T10:00:${count / 32 + 10}Z`, data: {} };
        assert.is((await call(`${bucket}/heartbeat?pulsetime=100`, "POST", beat)).status, 200);
      }
      await until(() => sockets.filter(({ closed }) => !closed).length <= FILES, "connections too many are closed");
      assert.equal((await call(`${bucket}/events/count`)).body, 1);
      assert.is(launched.exitCode, null);
    } finally {
      for (const socket of sockets) socket.destroy();
      launched.kill("SIGKILL");
      if (launched.exitCode === null && launched.signalCode === null) await once(launched, "exit");
    }
  });
});

test("half of the files that it may have are for connections, shared by readers of the feed and others", async () => {
  const limits = async (files: string): Promise<readonly number[]> => {
    const text = `Max processes   1   1   processes\nMax open files   ${files}   4096   files\n`;
    const { connections, feedReaders } = await connectionLimits(text);
    return [connections, feedReaders];
  };
  assert.equal(await limits("256"), [64, 64]);
  assert.equal(await limits("1024"), [256, 256]);
  assert.equal(await limits("2600"), [512, 788]);
  assert.equal(await limits("1048576"), [512, 1000]);
  assert.equal(await limits("unlimited"), [512, 1000]);
  assert.equal(await connectionLimits(""), { connections: 512, feedReaders: 1000 });
});

test.run();
