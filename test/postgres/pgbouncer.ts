import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { findPgbouncer } from "./binaries.js";
import { folderOfServer, runIn, untilSaid } from "./server.js";

/** A pgbouncer of its own, in transaction mode, which listens to a socket in a temporary folder. */
export interface Pooler {
  /** For `connectionString`, with the database `postgres`. */
  readonly url: string;
  /** Ends it at once, and with it the connections of all clients. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

const PORT = "6432";

/**
 * Starts a pooler in front of a server. Where none is installed, one line says that its part is left out.
 *
 * @param poolSize connections to the server; fewer than those of the clients, so that transactions change them
 * @throws Error when `CI` is set and there is no pgbouncer
 */
export async function startPgbouncer(server: string, poolSize: number): Promise<Pooler | undefined> {
  const program = findPgbouncer();
  if (program === undefined) {
    if (process.env.CI !== undefined) throw new Error("pgbouncer is not installed");
    console.log("pgbouncer is not installed: its part is left out");
    return undefined;
  }
  const folder = folderOfServer();
  const file = path.join(folder, "pgbouncer.ini");
  fs.writeFileSync(file, settingsOf(folder, new URL(server.replace("@/", "@localhost/")), poolSize));
  let pooler: ChildProcess | undefined;
  const end = (): void => void pooler?.kill("SIGKILL");
  process.once("exit", end);

  async function stop(): Promise<void> {
    const stopping = pooler;
    pooler = undefined;
    if (stopping === undefined || stopping.exitCode !== null) return;
    const gone = new Promise((resolve) => stopping.once("exit", resolve));
    stopping.kill("SIGKILL");
    await gone;
  }

  async function start(): Promise<void> {
    // What it was killed with stays behind.
    for (const name of fs.readdirSync(folder)) if (name.startsWith(".s.")) fs.rmSync(path.join(folder, name));
    pooler = spawn(program as string, [file], { ...runIn(folder), stdio: ["ignore", "ignore", "pipe"] });
    await untilSaid(pooler, /process up/);
  }

  await start();
  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}&port=${PORT}`,
    stop,
    start,
    async remove() {
      await stop();
      process.removeListener("exit", end);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing that makes it kinder to sessions than it is: no reset, no parameters that are passed over. */
function settingsOf(folder: string, { pathname, searchParams }: URL, poolSize: number): string {
  return `[databases]
postgres = host=${searchParams.get("host")} port=${searchParams.get("port")} dbname=${pathname.slice(1)} user=postgres

[pgbouncer]
unix_socket_dir = ${folder}
listen_port = ${PORT}
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
query_wait_timeout = 5
server_login_retry = 1
server_round_robin = 1
`;
}
