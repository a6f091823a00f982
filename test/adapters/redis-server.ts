import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import readline from "node:readline";
import { newFolder, removeFolder } from "./folder.js";

/** A Redis of its own, which keeps nothing and listens to a socket in a temporary folder. */
export interface RedisServer {
  readonly socketPath: string;
  stop(): Promise<void>;
}

/**
 * Starts a Redis. Where none is installed, one line says that its part is left out, but in a continuous integration,
 * which has to install it.
 *
 * @throws Error when `CI` is set and there is no `redis-server`
 */
export async function startRedis(): Promise<RedisServer | undefined> {
  const folder = await newFolder();
  const socketPath = path.join(folder, "redis.sock");
  const args = ["--port", "0", "--unixsocket", socketPath, "--save", "", "--appendonly", "no", "--dir", folder];
  const server = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  const end = (): void => void server.kill("SIGKILL");
  process.once("exit", end);
  try {
    await ready(server);
  } catch (cause) {
    await removeFolder(folder);
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    if (process.env.CI !== undefined) throw new Error("redis-server is not installed", { cause });
    console.log("redis-server is not installed: the Redis part is left out");
    return undefined;
  }
  return {
    socketPath,
    async stop() {
      const gone = new Promise((resolve) => server.once("exit", resolve));
      end();
      process.removeListener("exit", end);
      await gone;
      await removeFolder(folder);
    },
  };
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`redis-server ended with code ${code}`)));
    if (server.stdout === null) return;
    readline.createInterface({ input: server.stdout }).on("line", (line) => {
      if (/ready to accept connections/i.test(line)) resolve();
    });
  });
}
