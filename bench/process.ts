// The one way in which benches start a measured process, and what the kernel knows about it.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once as event } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import net, { type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Connection } from "./client/connection.js";
import { get } from "./client/request.js";
import { type Measurement, once } from "./measure.js";

export const OWN_CHECKOUT: string = fileURLToPath(new URL("..", import.meta.url));
const FLOOR = fileURLToPath(new URL("floor.mjs", import.meta.url));
const PROBE = new URL("probe.mjs", import.meta.url).href;
const HOST = "127.0.0.1";
/** The first request. Its response has all buckets. */
const FIRST_PATH = "/api/0/buckets/";
const KNOCK_EVERY_MILLIS = 1;
const PATIENCE_MILLIS = 60_000;
/** Lengths of the first and of later warm-ups, in lengths of a measurement. */
const [COLD_WARM_UP, WARM_UP] = [1.5, 0.25];

let profileFolder: string | undefined;

/** From now on, processes write a CPU profile into this folder when they end. */
export function profileInto(folder: string | undefined): void {
  profileFolder = folder;
}

/** A program to measure. */
export interface Program {
  /** @default Node */
  readonly executable?: string;
  /** Script and arguments. */
  args(port: number): readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How it takes commands of `probe.mjs`: not at all, by its own import, or by a preload. */
  readonly channel?: "own" | "preload";
}

export interface CommandOptions {
  /** A built checkout of the project. @default this one */
  readonly checkout?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether memory and event loop can be watched. @default false: the process is exactly what users start */
  readonly isWatched?: boolean;
}

/** The `activity-server` command on a data folder, or on another storage of its flags. */
export function command(folder: string | undefined, options: CommandOptions = {}): Program {
  const { checkout = OWN_CHECKOUT, flags = [], env = {}, isWatched = false } = options;
  const { bin } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const script = join(checkout, bin["activity-server"]);
  const data = folder === undefined ? [] : ["--data", folder];
  const args = (port: number) => [script, "--host", HOST, "--port", String(port), ...data, ...flags];
  return { args, env, ...(isWatched && { channel: "preload" }) };
}

/** A `node:http` server that sends prepared responses, and with a folder, syncs each body to disk first. */
export function floor(folder?: string): Program {
  return { args: (port) => [FLOOR, String(port), ...(folder === undefined ? [] : [folder])], channel: "own" };
}

/** A process with a channel for commands, one at a time. */
export class Process {
  readonly child: ChildProcess;
  #settle: ((message: { readonly value?: unknown; readonly error?: string }) => void) | undefined;

  constructor(args: readonly string[], { executable, env, channel }: Omit<Program, "args"> = {}) {
    const flags = channel === undefined ? [] : ["--expose-gc"];
    if (channel === "preload") flags.push("--import", PROBE);
    if (profileFolder !== undefined) flags.push("--cpu-prof", `--cpu-prof-dir=${profileFolder}`);
    this.child = spawn(executable ?? process.execPath, [...flags, ...args], {
      stdio: ["ignore", "ignore", "inherit", ...(channel === undefined ? [] : (["ipc"] as const))],
      env: { ...process.env, ...env },
      serialization: "advanced",
    });
    this.child.on("message", (message) => this.#receive(message as object));
    this.child.on("exit", (code) => this.#receive({ error: `a measured process ended with code ${code}` }));
  }

  async ask<Value>(name: string, argument?: unknown): Promise<Value> {
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#settle = ({ value, error }) => (error === undefined ? resolve(value) : reject(new Error(error)));
    });
    this.child.send({ command: name, argument });
    return (await answer) as Value;
  }

  /** Stops it as a service manager does, and waits for its end. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = event(this.child, "exit");
    this.#settle = undefined;
    this.child.kill();
    await ended;
  }

  #receive(message: { readonly value?: unknown; readonly error?: string }): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(message);
  }
}

/** A measured server. A restart keeps its port. */
export class Server {
  readonly port: number;
  readonly #program: Program;
  #process: Process;
  #isWarm = false;
  /** From the decision to start it to the last byte of its first response. */
  #firstMillis = 0;

  private constructor(program: Program, port: number) {
    this.#program = program;
    this.port = port;
    this.#process = new Process(program.args(port), program);
  }

  static async start(program: Program): Promise<Server> {
    const started = performance.now();
    const server = new Server(program, await freePort());
    await server.#knock(started);
    return server;
  }

  /** Stops it and starts it again. */
  async restart(): Promise<Measurement> {
    await this.#process.stop();
    const started = performance.now();
    this.#process = new Process(this.#program.args(this.port), this.#program);
    this.#isWarm = false;
    await this.#knock(started);
    return once(this.#firstMillis, this.cpu());
  }

  /** Whether it takes commands. */
  get isWatched(): boolean {
    return this.#program.channel !== undefined;
  }

  /** Length of a warm-up before a measurement of some seconds: longest for a new process. */
  warmUpSeconds(seconds: number): number {
    const lengths = this.#isWarm ? WARM_UP : COLD_WARM_UP;
    this.#isWarm = true;
    return lengths * seconds;
  }

  ask<Value>(name: string, argument?: unknown): Promise<Value> {
    return this.#process.ask(name, argument);
  }

  cpu(): number {
    return cpuOf(this.#process.child.pid);
  }

  memory(): Memory {
    return memoryOf(this.#process.child.pid);
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  /**
   * Sends requests until one has a response. The command checks the port before it opens its storage, so a connection
   * means nothing.
   */
  async #knock(started: number): Promise<void> {
    const { child } = this.#process;
    for (;;) {
      try {
        const connection = await Connection.open(this.port);
        await connection.exchange(get(this.port, FIRST_PATH)).finally(() => connection.close());
        this.#firstMillis = performance.now() - started;
        return;
      } catch (error) {
        if (child.exitCode !== null) throw new Error(`a server ended with code ${child.exitCode}`, { cause: error });
        if (performance.now() - started > PATIENCE_MILLIS) {
          child.kill();
          throw error;
        }
        await pause(KNOCK_EVERY_MILLIS);
      }
    }
  }
}

/** Bytes of memory. NaN where the kernel does not show them. */
export interface Memory {
  readonly resident: number;
  /** Without pages of files, which the kernel takes back when it needs them. */
  readonly anonymous: number;
  readonly peak: number;
}

export function memoryOf(pid: number | undefined): Memory {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const field = (name: string): number => 1024 * Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(status)?.[1]);
    return { resident: field("VmRSS"), anonymous: field("RssAnon"), peak: field("VmHWM") };
  } catch {
    if (process.platform === "linux") return { resident: Number.NaN, anonymous: Number.NaN, peak: Number.NaN };
    const printed = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
    return { resident: Number(printed) * 1024, anonymous: Number.NaN, peak: Number.NaN };
  }
}

/** Microseconds of CPU that the threads of a process have used; NaN where the kernel does not show it. */
export function cpuOf(pid: number | undefined): number {
  const tasks = `/proc/${pid}/task`;
  try {
    const nanos = readdirSync(tasks).map((task) =>
      Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]),
    );
    return nanos.reduce((sum, value) => sum + value, 0) / 1000;
  } catch {
    return Number.NaN;
  }
}

/** Milliseconds that Node needs to start and end without a program. */
export async function nodeMillis(): Promise<number> {
  const started = performance.now();
  await event(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - started;
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, HOST);
  await event(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await event(server, "close");
  return port;
}
