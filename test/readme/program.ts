// Programs out of the pages, run where only the packages of this project can be found.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { IS_LONG } from "../faults/sizes.js";
import { ROOT } from "./markdown.js";

/** What a program may import: the build of this project, and what it tells people to bring. */
const PACKAGES: Readonly<Record<string, string>> = {
  "activity-server": ROOT,
  "memory-level": path.join(ROOT, "node_modules/memory-level"),
  pg: path.join(ROOT, "node_modules/pg"),
  unstorage: path.join(ROOT, "node_modules/unstorage"),
};
const LIMIT_MILLIS = 120_000;

/** In the short tests a program runs a part of the contract suite: all of it passes elsewhere. */
export function withFewerCases(source: string): string {
  const isSuite = /of (storageContract\(\{ create: .*? memory\(\) \}\))\)/;
  return IS_LONG ? source : source.replace(isSuite, "of $1.slice(0, 20))");
}

/** Writes a program into a project of its own, which is gone after `body`. */
async function withProgram(source: string, body: (folder: string) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "activity-readme-"));
  try {
    fs.mkdirSync(path.join(folder, "node_modules"));
    for (const [name, target] of Object.entries(PACKAGES)) {
      fs.symlinkSync(target, path.join(folder, "node_modules", name), "junction");
    }
    fs.writeFileSync(path.join(folder, "program.mjs"), source);
    await body(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program to its end and gives what it printed; throws with all of its output when it fails. */
export async function printedBy(source: string): Promise<string> {
  let printed = "";
  await withProgram(source, async (cwd) => {
    const options = { cwd, encoding: "utf8", timeout: LIMIT_MILLIS } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["program.mjs"], options);
    if (status !== 0) throw new Error(`exit ${status}\n${stdout}${stderr}`);
    printed = stdout;
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
  await withProgram(source, async (cwd) => {
    const child = spawn(process.execPath, ["program.mjs"], {
      cwd,
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
