// A program that serves: started as in production, waited for, ended by SIGTERM.
import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const START_MILLIS = 60_000;
const STOP_MILLIS = 15_000;

/** Starts a framework's program and waits for its first response. */
export async function startProgram(framework, { folder, env }) {
  const port = await freePort();
  const [program, ...args] = framework.start;
  let output = "";
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: some commands start the server as a child.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}${framework.base}`;
  try {
    await waitFor(framework.kind === "sessions" ? new URL("/", url).href : `${url}/api/0/info`, child);
  } catch (error) {
    endGroup(child, "SIGKILL");
    throw new Error(`${error.message}\n${output}`);
  }
  return {
    url,
    output: () => output,
    kill: () => endGroup(child, "SIGKILL"),
    /** @throws Error when it has not ended in time */
    async stop() {
      child.kill("SIGTERM");
      const result = await Promise.race([ended, pause(STOP_MILLIS, undefined, { ref: false })]);
      endGroup(child, "SIGKILL");
      if (result === undefined) throw new Error(`still running ${STOP_MILLIS / 1000} s after SIGTERM\n${output}`);
    },
  };
}

async function waitFor(url, child) {
  const end = Date.now() + START_MILLIS;
  let last = "no connection";
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`ended with exit code ${child.exitCode} before it served`);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      const text = await response.text();
      if (response.status === 200) return;
      last = `${response.status} ${text.slice(0, 500)}`;
    } catch (error) {
      last = String(error.cause ?? error);
    }
    await pause(100);
  }
  throw new Error(`${url} gave no 200 within ${START_MILLIS / 1000} s; last: ${last}`);
}

function endGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
