import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { findBinaries, serverUser } from "./binaries.js";

/** A PostgreSQL of its own in a temporary folder, which listens to a socket there. */
export interface PostgresServer {
  /** For `connectionString`, with the database `postgres`. */
  readonly url: string;
  /** Ends it as `pg_ctl stop -m MODE` does: `fast` cuts the connections, `immediate` is like a crash. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Starts it again over the same data. */
  start(): Promise<void>;
  /** This process may end before it is removed. */
  unref(): void;
  /** Ends it and removes the data, as the end of this process does. */
  remove(): Promise<void>;
}

export interface ServerOptions {
  /** Whether writes are forced to the disk. @default false */
  readonly fsync?: boolean;
  /** Further settings, such as `max_connections=20`. */
  readonly settings?: readonly string[];
}

const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const;
const PORT = "5432";

/**
 * Starts a server. Where none is installed, one line says that its part is left out, but in a continuous integration,
 * which has to install it.
 *
 * @throws Error when `CI` is set and there is no PostgreSQL
 */
export async function startPostgres({
  fsync = false,
  settings = [],
}: ServerOptions = {}): Promise<PostgresServer | undefined> {
  const binaries = findBinaries();
  if (binaries === undefined) {
    if (process.env.CI !== undefined) throw new Error("PostgreSQL is not installed");
    console.log("PostgreSQL is not installed: its part is left out");
    return undefined;
  }
  const folder = folderOfServer();
  const data = path.join(folder, "data");
  const run = runIn(folder);
  copyTemplate(binaries, data, run);

  // Memory that processes share lies in the folder of the data: in /dev/shm it would stay behind when they are killed.
  const shared = "dynamic_shared_memory_type=mmap";
  const switches = [shared, `fsync=${fsync ? "on" : "off"}`, "full_page_writes=on", ...settings];
  const args = ["-D", data, "-k", folder, "-h", "", "-p", PORT, ...switches.flatMap((each) => ["-c", each])];
  let server: ChildProcess | undefined;
  const removeFolder = (): void => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const end = (): void => {
    server?.kill("SIGQUIT");
    removeFolder();
  };
  process.once("exit", end);

  async function stop(mode: keyof typeof SIGNALS): Promise<void> {
    const stopping = server;
    if (stopping === undefined || stopping.exitCode !== null) return;
    const gone = new Promise((resolve) => stopping.once("exit", resolve));
    stopping.kill(SIGNALS[mode]);
    await gone;
    server = undefined;
  }

  async function start(): Promise<void> {
    server = spawn(path.join(binaries as string, "postgres"), args, { ...run, stdio: ["ignore", "ignore", "pipe"] });
    await untilSaid(server, READY);
  }

  await start();
  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}&port=${PORT}`,
    stop,
    start,
    unref() {
      server?.unref();
      if (server?.stderr instanceof Socket) server.stderr.unref();
    },
    async remove() {
      await stop("immediate");
      process.removeListener("exit", end);
      removeFolder();
    },
  };
}

/** Makes a data folder of the programs in a folder, as a copy of one that is made once: `initdb` takes seconds. */
export function copyTemplate(binaries: string, data: string, run: ReturnType<typeof runIn>): void {
  const template = path.join(os.tmpdir(), `activity-pg-template-${run.uid ?? ""}-${binaries.replaceAll(/\W/g, "-")}`);
  const call = (command: string, ...args: readonly string[]): void => {
    const { status, stderr, error } = spawnSync(command, args, { ...run, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} failed: ${stderr}`, { cause: error });
  };
  if (!fs.existsSync(template)) {
    const made = `${data}.template`;
    const options = [
      "-U",
      "postgres",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--no-sync",
      "--no-instructions",
      "--wal-segsize=1",
    ];
    call(path.join(binaries, "initdb"), "-D", made, ...options);
    try {
      // Whole at once, as another process may look for it, or make one as well.
      fs.renameSync(made, template);
    } catch (error) {
      if (!fs.existsSync(template)) throw error;
    }
  }
  call("cp", "-R", template, data);
}

/** What the server says when it takes connections. */
export const READY: RegExp = /ready to accept (?:read-only )?connections/;

/** A temporary folder for programs that do not run as root. */
export function folderOfServer(): string {
  const user = serverUser();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-pg-"));
  if (user === undefined) return folder;
  fs.chownSync(folder, user.uid, user.gid);
  // The temporary folder of a test run is closed to other users, who must get through it.
  const parent = path.dirname(folder);
  const { mode } = fs.statSync(parent);
  if ((mode & 0o001) === 0) fs.chmodSync(parent, (mode & 0o7777) | 0o011);
  return folder;
}

/** How programs run in such a folder, as its owner. */
export function runIn(cwd: string): Pick<SpawnOptions, "uid" | "gid" | "env"> & { readonly cwd: string } {
  return { ...serverUser(), cwd, env: { ...process.env, LC_ALL: "C.UTF-8", TZ: "UTC" } };
}

/** Resolves when a program says on its standard error that it is ready. @throws Error what else it said, at its end */
export function untilSaid(server: ChildProcess, what: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`${server.spawnfile} ended, code ${code}: ${said.join("\n")}`)));
    if (server.stderr === null) return;
    readline.createInterface({ input: server.stderr }).on("line", (line) => {
      if (said.length < 50) said.push(line);
      if (what.test(line)) resolve();
    });
  });
}
