import { type ChildProcess, execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findBinaries } from "./binaries.js";
import { copyTemplate, folderOfServer, READY, runIn, untilSaid } from "./server.js";
import { startProxy } from "./switched-proxy.js";

/**
 * How a primary is lost: with all of its processes at once, with the first of them only, whose children end one by one,
 * or not at all: it goes on, and nobody reaches it any more.
 */
export type Loss = "crash" | "orphans" | "cut off";

/** A primary with a synchronous standby, and a proxy that leads to the primary. */
export interface Pair {
  /** For `connectionString`: the proxy. */
  readonly url: string;
  /** Cuts the standby off, and takes the primary away a moment later. Nobody is served until `promote()`. */
  lose(how: Loss): Promise<void>;
  /** Makes the standby the primary. It acknowledges nothing before it has a standby of its own. */
  promote(): Promise<void>;
  /** Makes a standby anew from the primary, in place of the primary that was lost. Resolves when it is synchronous. */
  renew(): Promise<void>;
  remove(): Promise<void>;
}

interface Member {
  readonly folder: string;
  readonly data: string;
  process: ChildProcess | undefined;
}

const run = promisify(execFile);
const PORT = "5432";
const SETTINGS = [
  // The page about PostgreSQL says what these are for: docs/guides/storage-postgres.md#failover
  "synchronous_standby_names=*",
  "hot_standby=on",
  "wal_keep_size=256MB",
  "max_wal_senders=8",
  // Processes are killed here, not machines.
  "fsync=off",
];

/** @returns `undefined` where there is no PostgreSQL */
export async function startPair(): Promise<Pair | undefined> {
  const found = findBinaries(["initdb", "postgres", "pg_basebackup", "pg_ctl"]);
  if (found === undefined) return undefined;
  const program = (name: string): string => path.join(found, name);
  const members = [newMember(), newMember()];
  const proxy = await startProxy();
  /** From the standby to the primary. */
  const link = await startProxy();
  const primary = (): Member => members[0] as Member;
  const standby = (): Member => members[1] as Member;
  const end = (): void => members.forEach(kill);
  process.once("exit", end);

  async function start(member: Member): Promise<void> {
    const { folder, data } = member;
    const args = ["-D", data, "-k", folder, "-h", "", "-p", PORT, ...SETTINGS.flatMap((each) => ["-c", each])];
    member.process = spawn(program("postgres"), args, { ...runIn(folder), stdio: ["ignore", "ignore", "pipe"] });
    await untilSaid(member.process, READY);
  }

  async function renew(): Promise<void> {
    const { folder, data } = standby();
    await endOf(standby());
    fs.rmSync(data, { recursive: true, force: true });
    link.lead(socketOf(primary()));
    const from = ["-h", "127.0.0.1", "-p", String(link.port), "-U", "postgres"];
    await run(program("pg_basebackup"), ["-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync", ...from], {
      ...runIn(folder),
    });
    await start(standby());
    await untilSynchronous(primary());
  }

  copyTemplate(found, primary().data, runIn(primary().folder));
  await start(primary());
  await renew();
  proxy.lead(socketOf(primary()));

  return {
    url: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
    async lose(how) {
      // What is acknowledged from here on would be lost.
      link.lead(undefined);
      await pause();
      if (how === "cut off") proxy.lead(undefined);
      if (how === "crash") await killAll(primary());
      if (how === "orphans") kill(primary());
    },
    async promote() {
      await run(program("pg_ctl"), ["promote", "-w", "-D", standby().data], runIn(standby().folder));
      members.reverse();
      proxy.lead(socketOf(primary()));
    },
    renew,
    async remove() {
      await proxy.close();
      await link.close();
      await Promise.all(members.map(endOf));
      process.removeListener("exit", end);
      for (const { folder } of members) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function newMember(): Member {
  const folder = folderOfServer();
  return { folder, data: path.join(folder, "data"), process: undefined };
}

function socketOf({ folder }: Member): string {
  return path.join(folder, `.s.PGSQL.${PORT}`);
}

function kill({ process }: Member): void {
  process?.kill("SIGKILL");
}

/** Kills a server and all of its processes. It is stopped first, so that it starts no more of them. */
async function killAll(member: Member): Promise<void> {
  const { process: server } = member;
  if (server?.pid === undefined) return;
  server.kill("SIGSTOP");
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="]);
  const all = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  for (const [pid, parent] of all) if (parent === server.pid) endProcess(pid as number);
  await endOf(member);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}

/** Kills a server, and waits until its data are nobody's: children that it left hold the socket until they end. */
async function endOf(member: Member): Promise<void> {
  const { process: server, folder } = member;
  member.process = undefined;
  if (server === undefined) return;
  if (server.exitCode === null && server.signalCode === null) {
    const gone = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGKILL");
    await gone;
  }
  await untilNoneUses(folder);
  for (const name of fs.readdirSync(folder)) if (name.startsWith(".s.")) fs.rmSync(path.join(folder, name));
}

/** Waits for processes whose command line or title names a folder; a server has its own there. */
async function untilNoneUses(folder: string): Promise<void> {
  for (;;) {
    const { stdout } = await run("ps", ["-A", "-o", "args="]);
    if (!stdout.includes(folder)) return;
    await pause();
  }
}

async function untilSynchronous({ folder }: Member): Promise<void> {
  const client = new pg.Client({ host: folder, port: Number(PORT), user: "postgres", database: "postgres" });
  await client.connect();
  const text = "select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'";
  while ((await client.query(text)).rowCount === 0) await pause();
  await client.end();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
