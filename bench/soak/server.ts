import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, symlinkSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Memory, memoryOf, OWN_CHECKOUT } from "../process.js";
import { SoakFault, shown } from "./event.js";

/** How long a start or a graceful stop may take. */
const PATIENCE_MILLIS = 60_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Copies the built package, so that a build in the meantime does not change what is tested. @returns its launcher */
export function copyLauncher(folder: string): string {
  const isNeeded = (path: string): boolean => !/\/types(\/|$)|\.(?:map|js)$/.test(path);
  cpSync(join(OWN_CHECKOUT, "dist"), join(folder, "dist"), { recursive: true, filter: isNeeded });
  cpSync(join(OWN_CHECKOUT, "package.json"), join(folder, "package.json"));
  symlinkSync(join(OWN_CHECKOUT, "node_modules"), join(folder, "node_modules"));
  return join(folder, "dist", "cli.cjs");
}

/** One life of the launcher, in a process of its own. */
export class Server {
  port = 0;
  readonly ended: Promise<Ended>;
  readonly #process: ChildProcess;
  #said = "";

  private constructor(launcher: string, dataFolder: string) {
    const words = [launcher, "--json", "--port", "0", "--data", dataFolder];
    const kept = Object.entries(process.env).filter(([name]) => !/^(ACTIVITY_SERVER_|npm_|NODE_OPTIONS$)/.test(name));
    this.#process = spawn(process.execPath, words, {
      env: Object.fromEntries(kept),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.ended = once(this.#process, "exit").then(([code, signal]): Ended => ({ code, signal }));
    const hear = (text: string): void => {
      this.#said = (this.#said + text).slice(-100_000);
    };
    this.#process.stdout?.setEncoding("utf8").on("data", hear);
    this.#process.stderr?.setEncoding("utf8").on("data", hear);
  }

  /** Starts it without waiting. */
  static spawn(launcher: string, dataFolder: string): Server {
    return new Server(launcher, dataFolder);
  }

  /** @throws SoakFault when it does not come to listen */
  async listening(): Promise<void> {
    const late = setTimeout(() => this.kill("SIGKILL"), PATIENCE_MILLIS);
    const line = new Promise<string>((resolve) => {
      const look = (): void => {
        const found = this.#said
          .split("\n")
          .slice(0, -1)
          .find((text) => text.includes('"event":"listening"'));
        if (found !== undefined) resolve(found);
      };
      this.#process.stdout?.on("data", look);
    });
    const facts = await Promise.race([line, this.ended]);
    clearTimeout(late);
    if (typeof facts !== "string") throw new SoakFault(`the server did not start (${shown(facts)}): ${this.said()}`);
    this.port = (JSON.parse(facts) as { port: number }).port;
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** The end of what it has said so far. */
  said(): string {
    return this.#said.slice(-2000);
  }

  /** `undefined` if the process has ended. */
  memory(): Memory | undefined {
    const found = memoryOf(this.#process.pid);
    return Number.isNaN(found.resident) ? undefined : found;
  }
}

/** Bytes of the files in a folder. What vanishes meanwhile counts as nothing. */
export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
