import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The progress of an import, in events. */
export type ImportProgress =
  | { readonly state: "running"; readonly done: number; readonly total: number }
  | { readonly state: "done"; readonly imported: number; readonly known: number; readonly lost: number }
  | { readonly state: "failed"; readonly message: string };

/** An import in another process. */
export interface RunningImport {
  readonly progress: ImportProgress;
  /** Stops it, if it still runs. */
  stop(): Promise<void>;
}

const MAX_MESSAGE = 10_000;

/**
 * Imports a database by the command, because reading it would block the process of the server.
 *
 * @param folder of the running server to import into
 */
export function runImport(file: string, folder: string): RunningImport {
  const [entry = ""] = process.argv.slice(1);
  const words = [...process.execArgv, entry, "import", "--from", file, "--data", folder, "--yes", "--json"];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  let progress: ImportProgress = { state: "running", done: 0, total: 0 };
  let lost = 0;
  let complaints = "";

  createInterface({ input: child.stdout }).on("line", (line) => {
    const { event, done = 0, total = 0, imported = 0, known = 0 } = parseLine(line);
    if (event === "progress") progress = { state: "running", done, total };
    else if (event === "lost") lost++;
    else if (event === "imported") progress = { state: "done", imported, known, lost };
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-MAX_MESSAGE);
  });
  const ended = new Promise<void>((resolve) => {
    const fail = (message: string): void => {
      if (progress.state === "running") progress = { state: "failed", message };
      resolve();
    };
    child.once("error", ({ message }) => fail(message));
    child.once("close", () => fail(parseLine(complaints.trim().split("\n").at(-1) ?? "").message ?? complaints));
  });
  return {
    get progress() {
      return progress;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
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
