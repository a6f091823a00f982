import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { serverUser } from "./binaries.js";

/** A pgbouncer that gives each transaction whatever connection is free. */
export interface Pooler {
  /** For `connectionString`. */
  readonly url: string;
  stop(): Promise<void>;
}

const PLACES = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin", "/usr/local/sbin"];
const PORT = "6432";

/**
 * Starts one in front of a server.
 *
 * @returns `undefined` where there is none; a line has said so
 * @throws Error when `CI` is set and there is none
 */
export async function startPooler(serverUrl: string): Promise<Pooler | undefined> {
  const program = PLACES.map((folder) => path.join(folder, "pgbouncer")).find((file) => fs.existsSync(file));
  if (program === undefined) {
    if (process.env.CI !== undefined) throw new Error("pgbouncer is not installed");
    console.log("pgbouncer is not installed: its part is left out");
    return undefined;
  }
  const socket = new URL(serverUrl.replace("@/", "@localhost/")).searchParams.get("host") ?? "";
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-pooler-"));
  const user = serverUser();
  if (user !== undefined) fs.chownSync(folder, user.uid, user.gid);
  const settings = [
    "[databases]",
    `postgres = host=${socket} port=5432 dbname=postgres user=postgres`,
    "[pgbouncer]",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 4",
    `unix_socket_dir = ${folder}`,
    `listen_port = ${PORT}`,
  ];
  const file = path.join(folder, "pgbouncer.ini");
  fs.writeFileSync(file, `${settings.join("\n")}\n`);
  const pooler = spawn(program, [file], { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const gone = new Promise<void>((resolve) => pooler.once("exit", () => resolve()));
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    pooler.once("error", reject);
    pooler.once("exit", (code) => reject(new Error(`pgbouncer ended with code ${code}: ${said.join("\n")}`)));
    readline.createInterface({ input: pooler.stderr }).on("line", (line) => {
      if (said.length < 50) said.push(line);
      if (/process up/.test(line)) resolve();
    });
  });
  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}&port=${PORT}`,
    async stop() {
      pooler.kill("SIGINT");
      await gone;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
