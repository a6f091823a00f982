// Programs out of the pages, run where only the packages of this project can be found.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { IS_LONG } from "../faults/sizes.js";
import { ROOT } from "./markdown.js";

/** What a program may import: the build of this project, and what it tells people to bring. */
const PACKAGES: Readonly<Record<string, string>> = {
  "activity-server": ROOT,
  "memory-level": path.join(ROOT, "node_modules/memory-level"),
  pg: path.join(ROOT, "node_modules/pg"),
  unstorage: path.join(ROOT, "node_modules/unstorage"),
};
const LIMIT_MILLIS = 300_000;
const ONE_AFTER_ANOTHER = fileURLToPath(new URL("one-after-another.mjs", import.meta.url));

/** In the short tests a program runs a part of the contract suite: all of it passes elsewhere. */
export function withFewerCases(source: string): string {
  const isSuite = /of (storageContract\(\{ create: .*? memory\(\) \}\))\)/;
  return IS_LONG ? source : source.replace(isSuite, "of $1.slice(0, 20))");
}

/** Writes programs into a project, each into a folder of its own; the project is gone after `body`. */
async function withPrograms(
  sources: readonly string[],
  body: (files: readonly string[]) => Promise<void>,
): Promise<void> {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "activity-readme-"));
  try {
    fs.mkdirSync(path.join(folder, "node_modules"));
    for (const [name, target] of Object.entries(PACKAGES)) {
      fs.symlinkSync(target, path.join(folder, "node_modules", name), "junction");
    }
    const files = sources.map((_, index) => path.join(folder, String(index), "program.mjs"));
    for (const [index, file] of files.entries()) {
      fs.mkdirSync(path.dirname(file));
      fs.writeFileSync(file, sources[index] as string);
    }
    await body(files);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** How programs ended that ran one after the other. */
export interface Printed {
  /** What each printed that was begun. */
  readonly texts: readonly string[];
  /** What is wrong with the last of them, if anything. */
  readonly failure: string | undefined;
}

/** Runs programs to their end, in one process: to start one, and to load the package, takes most of the time. */
export async function printedBy(sources: readonly string[]): Promise<Printed> {
  let printed: Printed = { texts: [], failure: undefined };
  await withPrograms(sources, async (files) => {
    const options = { encoding: "utf8", timeout: LIMIT_MILLIS } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [ONE_AFTER_ANOTHER, ...files], options);
    printed = { texts: stdout.split("\0").slice(1), failure: status === 0 ? undefined : `exit ${status}\n${stderr}` };
  });
  return printed;
}

/** A program that stays. */
export interface Resident {
  readonly firstLine: string;
  /** Ends it like a service manager does; resolves to its exit code. */
  terminate(): Promise<number | null>;
}

/** Starts a program with a free port for `PORT` and waits for its first line. */
export async function whileRunning(source: string, body: (resident: Resident) => Promise<void>): Promise<void> {
  await withPrograms([source], async ([file = ""]) => {
    const child = spawn(process.execPath, [file], {
      cwd: path.dirname(file),
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      await body({ firstLine: await firstLineOf(child), terminate: () => terminate(child) });
    } finally {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    }
  });
}

async function firstLineOf(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const piece of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    text += piece;
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  throw new Error(`it ended without a line: ${text}`);
}

async function terminate(child: ChildProcess): Promise<number | null> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = await exited;
  return code;
}
