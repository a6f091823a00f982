import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench } from "../bench.js";
import { GENERATOR_VERSION, type SetName } from "./watchers.js";

const FILLER = fileURLToPath(new URL("fill.ts", import.meta.url));
/** What decides how a folder looks. */
const ADAPTERS = ["leveldb", "segments"].map((name) =>
  fileURLToPath(new URL(`../../adapters/${name}`, import.meta.url)),
);

/** A folder with a set in it, which nobody opens: `folderOf` gives folders to work with. */
export interface FilledSet {
  readonly folder: string;
  readonly events: number;
  /** How long the filling took. */
  readonly seconds: number;
}

interface Stamp extends Omit<FilledSet, "folder"> {
  /** A digest of the adapter that filled it. */
  readonly adapter: string;
}

const filledInThisRun = new Set<SetName>();

/**
 * A set in the system's temporary folder, filled when it is not there yet (for the largest this takes a minute or two)
 * and left there for the next run.
 */
export async function filledSet(bench: Bench, name: SetName): Promise<FilledSet> {
  const folder = join(tmpdir(), `activity-bench-set-${name}-v${GENERATOR_VERSION}`);
  const stampFile = join(folder, "..", `activity-bench-set-${name}-v${GENERATOR_VERSION}.json`);
  const throwAway = bench.refill && !filledInThisRun.has(name);
  if (throwAway || !existsSync(stampFile) || !existsSync(folder)) {
    rmSync(stampFile, { force: true });
    rmSync(folder, { recursive: true, force: true });
    await fill(name, folder, stampFile);
  }
  filledInThisRun.add(name);
  const { adapter, ...facts } = JSON.parse(readFileSync(stampFile, "utf8")) as Stamp;
  if (adapter !== adapterDigest())
    console.error(`${folder} was filled by an adapter that has changed since; --refill fills it anew`);
  return { folder, ...facts };
}

/** A set in a folder of one's own. Tables are shared with the original, since LevelDB never changes one. */
export async function folderOf(bench: Bench, name: SetName): Promise<string> {
  const { folder } = await filledSet(bench, name);
  const own = bench.temporaryFolder();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [from, to] = [join(folder, entry.name), join(own, entry.name)];
    if (entry.isDirectory()) cpSync(from, to, { recursive: true });
    else if (entry.name.endsWith(".ldb")) linkOrCopy(from, to);
    else copyFileSync(from, to);
  }
  return own;
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Bytes that the files of a folder take on the disk. */
export function bytesOnDisk(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).blocks * 512, 0);
}

/** Fills beside the place and moves the result there, so that a run that was broken off leaves nothing half. */
async function fill(name: SetName, folder: string, stampFile: string): Promise<void> {
  const adapter = adapterDigest();
  const place = `${folder}-filling-${process.pid}`;
  console.error(`filling ${folder}, which is kept for the next run ...`);
  try {
    await new Promise<void>((resolve, reject) => {
      const filler = fork(FILLER, [name, place]);
      filler.once("error", reject);
      filler.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`filling ended with code ${code}`))));
    });
    const facts = JSON.parse(readFileSync(`${place}.json`, "utf8")) as Omit<Stamp, "adapter">;
    renameSync(place, folder);
    writeFileSync(stampFile, JSON.stringify({ ...facts, adapter } satisfies Stamp));
  } finally {
    rmSync(place, { recursive: true, force: true });
    rmSync(`${place}.json`, { force: true });
  }
}

function adapterDigest(): string {
  const hash = createHash("sha256");
  for (const folder of ADAPTERS) {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const name of files.map((entry) => entry.name).sort()) hash.update(readFileSync(join(folder, name)));
  }
  return hash.digest("hex");
}
