import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ImportProgress } from "../../domain/machine.js";
import { ENVIRONMENT_PREFIX } from "../flags.js";

/** An import in another process. */
export interface RunningImport {
  readonly progress: ImportProgress;
  /** Stops it, if it still runs. */
  stop(): Promise<void>;
}

const MAX_MESSAGE = 10_000;

/** After this time, an import that does not stop is killed. */
const STOP_MILLIS = 2000;

/** A debugger of the server; the import would wait for another one. */
const INSPECT_FLAG = /^--inspect(-brk|-wait)?(=|$)/;

/**
 * Imports a database by the command, because reading it would block the process of the server.
 *
 * @param folder of the running server to import into
 * @param stopMillis after this time, an import that does not stop is killed
 */
export function runImport(file: string, folder: string, stopMillis: number = STOP_MILLIS): RunningImport {
  const [entry = ""] = process.argv.slice(1);
  const nodeFlags = process.execArgv.filter((flag) => !INSPECT_FLAG.test(flag));
  const target = ["--storage", "leveldb", "--data", folder];
  const child: ChildProcess = spawn(
    process.execPath,
    [...nodeFlags, entry, "import", "--from", file, ...target, "--yes", "--json"],
    { stdio: ["ignore", "pipe", "pipe"], env: withoutOwnVariables(process.env) },
  );
  let progress: ImportProgress = { state: "running", done: 0, total: 0 };
  let lost = 0;
  let stderr = "";

  const ended = new Promise<void>((resolve) => {
    const end = (message: string): void => {
      if (progress.state === "running") progress = { state: "failed", message };
      resolve();
    };
    child.once("error", ({ message }) => end(message));
    child.once("close", (code, signal) => end(explainEnd(stderr.trim(), signal ?? `exit code ${code}`)));
  });
  // Without any, if the process could not be started.
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { event, done = 0, total = 0, imported = 0, known = 0 } = parseLine(line);
      if (event === "progress") progress = { state: "running", done, total };
      else if (event === "lost") lost++;
      else if (event === "imported") progress = { state: "done", imported, known, lost };
    });
  }
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-MAX_MESSAGE);
  });
  return {
    get progress() {
      return progress;
    },
    async stop() {
      child.kill();
      const limit = setTimeout(() => child.kill("SIGKILL"), stopMillis);
      await ended;
      clearTimeout(limit);
    },
  };
}

/** The settings of the server are not those of the import, and may contain secrets. */
function withoutOwnVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(ENVIRONMENT_PREFIX)));
}

/** @param end the exit code or the signal, for a process that could not report its error, such as a killed one */
function explainEnd(stderr: string, end: string): string {
  const { message } = parseLine(stderr.split("\n").at(-1) ?? "");
  return message ?? `${stderr}\nthe import ended with ${end}`.trim();
}

/** The fields of a line that are read here. */
interface Line {
  readonly event?: string;
  readonly done?: number;
  readonly total?: number;
  readonly imported?: number;
  readonly known?: number;
  readonly message?: string;
}

/** Parses a line; without fields if it is a warning of Node, or cut off. */
function parseLine(line: string): Line {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
