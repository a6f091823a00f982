import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import net, { type AddressInfo } from "node:net";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WarmUp } from "../children.js";
import { Connection } from "../client/connection.js";
import { get } from "../client/request.js";

/** The checkout that this file is part of. */
export const OWN_CHECKOUT: string = fileURLToPath(new URL("../..", import.meta.url));
const PLAIN = fileURLToPath(new URL("plain.mjs", import.meta.url));
const HOST = "127.0.0.1";
/** What is asked first: it goes through all buckets. */
const FIRST_PATH = "/api/0/buckets/";
const KNOCK_EVERY_MILLIS = 1;
const PATIENCE_MILLIS = 60_000;

/** The launcher of a built checkout, as its `package.json` names it. */
function launcherOf(checkout: string): string {
  const { bin } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  return join(checkout, bin["activity-server"]);
}

/** Bytes of memory. */
export interface Resident {
  readonly all: number;
  /** Without the pages of files, which the kernel takes back when it needs them. NaN where it cannot be seen. */
  readonly anonymous: number;
}

/** Which launcher is started, and how. */
export interface LauncherOptions {
  /** A checkout of the project that was built. @default this one */
  readonly checkout?: string;
  /** Further flags. */
  readonly flags?: readonly string[];
}

/** A server in a process as users start it: without loaders, channels or flags of Node. */
export class Launched {
  readonly port: number;
  /** From the decision to start it to the last byte of its first answer. */
  readonly firstAnswerMillis: number;
  readonly #process: ChildProcess;
  readonly #warmUp = new WarmUp();

  private constructor(child: ChildProcess, port: number, firstAnswerMillis: number) {
    this.#process = child;
    this.port = port;
    this.firstAnswerMillis = firstAnswerMillis;
  }

  /** Starts `activity-server` on a data folder. */
  static async launcher(folder: string, options: LauncherOptions = {}): Promise<Launched> {
    const { checkout = OWN_CHECKOUT, flags = [] } = options;
    const port = await freePort();
    const words = ["--host", HOST, "--port", String(port), "--data", folder, ...flags];
    return Launched.#start([launcherOf(checkout), ...words], port);
  }

  /** Starts a `node:http` server that answers everything with the same two bytes. */
  static async plain(): Promise<Launched> {
    const port = await freePort();
    return Launched.#start([PLAIN, String(port)], port);
  }

  static async #start(args: readonly string[], port: number): Promise<Launched> {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    try {
      await knock(child, port);
    } catch (error) {
      child.kill();
      throw error;
    }
    return new Launched(child, port, performance.now() - started);
  }

  warmUpSeconds(seconds: number): number {
    return this.#warmUp.seconds(seconds);
  }

  /** Microseconds of CPU that the threads of the process have used; NaN where the kernel does not tell. */
  async cpu(): Promise<number> {
    const tasks = `/proc/${this.#process.pid}/task`;
    try {
      const nanos = readdirSync(tasks).map((task) =>
        Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]),
      );
      return nanos.reduce((sum, value) => sum + value, 0) / 1000;
    } catch {
      return Number.NaN;
    }
  }

  /** What the process holds now. */
  resident(): Resident {
    const { pid } = this.#process;
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return { all: kibibytes(status, "VmRSS"), anonymous: kibibytes(status, "RssAnon") };
    } catch {
      const printed = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
      return { all: Number(printed) * 1024, anonymous: Number.NaN };
    }
  }

  /** The most that the process has held so far, in bytes; NaN where the kernel does not tell. */
  peakBytes(): number {
    try {
      return kibibytes(readFileSync(`/proc/${this.#process.pid}/status`, "utf8"), "VmHWM");
    } catch {
      return Number.NaN;
    }
  }

  /** Asks it to end, as a service manager does, and waits until it is gone. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, "exit");
    this.#process.kill();
    await gone;
  }
}

/** Milliseconds that Node needs to start and to end, doing nothing. */
export async function nothingMillis(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - started;
}

/**
 * Asks until there is an answer: what the server prints would come too late or too early. The launcher tries the port
 * before it opens the storage, so a connection alone means nothing.
 */
async function knock(child: ChildProcess, port: number): Promise<void> {
  const until = performance.now() + PATIENCE_MILLIS;
  for (;;) {
    try {
      const connection = await Connection.open(port);
      await connection.exchange(get(port, FIRST_PATH)).finally(() => connection.close());
      return;
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`a server ended with code ${child.exitCode}`, { cause: error });
      if (performance.now() > until) throw error;
      await pause(KNOCK_EVERY_MILLIS);
    }
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, HOST);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function kibibytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, "m").exec(status)?.[1] ?? Number.NaN) * 1024;
}
