import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a process went through while it was watched. */
export interface Watched {
  readonly longestBlockMillis: number;
  readonly rssBefore: number;
  readonly rssPeak: number;
}

export interface ChildOptions {
  /** File in `bench/`, plain JavaScript. */
  readonly script: string;
  readonly args: readonly string[];
  /** Folder for a CPU profile of the process, written when it ends. */
  readonly profileFolder?: string | undefined;
}

interface Message {
  readonly value?: unknown;
  readonly error?: string;
}

/** Length of a warm-up in lengths of a measurement. */
const WARM_UP = 0.25;
/** The same for a process that has compiled nothing yet. */
const COLD_WARM_UP = 1.5;

/** How long a server needs a load before it is measured under it. */
export class WarmUp {
  /** Whether it has been under load. */
  #warm = false;

  /** How long to warm up before a measurement of some seconds: longest for a process that is new. */
  seconds(seconds: number): number {
    const factor = this.#warm ? WARM_UP : COLD_WARM_UP;
    this.#warm = true;
    return factor * seconds;
  }
}

/** A measured process that takes one command at a time. */
export class Child {
  #warmUp = new WarmUp();
  readonly #options: ChildOptions;
  #process: ChildProcess;
  #settle: ((message: Message) => void) | undefined;
  #greeting: unknown;

  private constructor(options: ChildOptions) {
    this.#options = options;
    this.#process = this.#fork();
  }

  /** Starts a process without loaders, and waits for its greeting. */
  static async start(options: ChildOptions): Promise<Child> {
    const child = new Child(options);
    child.#greeting = await child.#nextMessage();
    return child;
  }

  /** Ends the process and starts it anew with the same arguments: nothing of its memory stays. */
  async restart(): Promise<void> {
    await this.stop();
    this.#warmUp = new WarmUp();
    this.#process = this.#fork();
    this.#greeting = await this.#nextMessage();
  }

  #fork(): ChildProcess {
    const { script, args, profileFolder } = this.#options;
    const profile = profileFolder === undefined ? [] : profileFlags(profileFolder, args[0] ?? script);
    const path = fileURLToPath(new URL(script, import.meta.url));
    const child = fork(path, args, { serialization: "advanced", execArgv: ["--expose-gc", ...profile] });
    child.on("message", (message: Message) => this.#answer(message));
    child.on("exit", (code) => this.#answer({ error: `a measured process ended with code ${code}` }));
    return child;
  }

  /** The port, for a server. */
  get port(): number {
    return this.#greeting as number;
  }

  async ask<Value>(command: string, argument?: unknown): Promise<Value> {
    const answer = this.#nextMessage();
    this.#process.send({ command, argument });
    return (await answer) as Value;
  }

  /** How long to warm up before a measurement of some seconds. */
  warmUpSeconds(seconds: number): number {
    return this.#warmUp.seconds(seconds);
  }

  /** Of the process. */
  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error("a measured process did not start");
    return pid;
  }

  /** Microseconds of CPU that the process has used. */
  cpu(): Promise<number> {
    return this.ask("cpu");
  }

  /** Lets the process close what it has open, and waits until it is gone. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#settle = undefined;
    this.#process.disconnect();
    await gone;
  }

  #nextMessage(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#settle = ({ value, error }) => (error === undefined ? resolve(value) : reject(new Error(error)));
    });
  }

  #answer(message: Message): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(message);
  }
}

function profileFlags(folder: string, name: string): string[] {
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`];
}
