import { spawn } from "node:child_process";
import { once } from "node:events";
import { inTime } from "../../harness.js";
import { programOf } from "../../program.js";

/** How a watcher ended, and what it had said. */
export interface WatcherEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lines: readonly string[];
  readonly stderr: string;
}

/** A process of watcher.ts. */
export interface Watching {
  readonly pid: number | undefined;
  /** Waits until it has printed a line. */
  line(wanted: string): Promise<void>;
  /** Waits until what it has printed matches. */
  match(wanted: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<WatcherEnd>;
}

const PROGRAM = programOf(new URL("./watcher.ts", import.meta.url));

/** Starts a watcher; watcher.ts tells the arguments. */
export function startWatcher(args: readonly string[], env: Readonly<Record<string, string>> = {}): Watching {
  const child = spawn(process.execPath, [...PROGRAM.execArgv, PROGRAM.file, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, lines: stdout.split("\n"), stderr }));
  const end = ended.then(() => {
    throw new Error(`the watcher ended before: ${stdout.slice(-200)}${stderr}`);
  });
  // Most watchers end when nobody waits for a line any more.
  end.catch(() => {});
  const until = async (isSeen: () => boolean): Promise<void> => {
    while (!isSeen()) await Promise.race([once(child.stdout, "data"), end]);
  };
  return {
    pid: child.pid,
    ended: inTime(ended, "the end of the watcher", 60),
    kill: (signal) => void child.kill(signal),
    line: (wanted) =>
      inTime(
        until(() => `\n${stdout}`.includes(`\n${wanted}\n`)),
        `the line ${wanted}`,
      ),
    match: (wanted) =>
      inTime(
        until(() => wanted.test(stdout)),
        `a line like ${wanted}`,
      ),
  };
}
