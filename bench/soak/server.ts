import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SoakFault, shown } from "./fault.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** How long a start or a graceful stop may take. */
const PATIENCE_MILLIS = 60_000;
/** Ticks of the processor times in `/proc`: the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Memory of a process, in MB. */
export interface Memory {
  readonly resident: number;
  readonly peak: number;
}

/** Copies the built package, so that a build in the meantime does not change what is tested. @returns its launcher */
export function copyLauncher(folder: string): string {
  const isNeeded = (path: string): boolean => !/\/types(\/|$)|\.(?:map|js)$/.test(path);
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true, filter: isNeeded });
  cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
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

  /** `undefined` where there is no `/proc`, or the process is gone. */
  memory(): Memory | undefined {
    const text = this.#proc("status");
    if (text === undefined) return undefined;
    const megabytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) / 1000;
    return { resident: megabytes("VmRSS"), peak: megabytes("VmHWM") };
  }

  /** Seconds of processor time so far; `undefined` as with `memory`. */
  cpuSeconds(): number | undefined {
    const fields = this.#proc("stat")?.split(") ")[1]?.split(" ");
    return fields && (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  #proc(name: string): string | undefined {
    try {
      return readFileSync(`/proc/${this.#process.pid}/${name}`, "utf8");
    } catch {
      return undefined;
    }
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
