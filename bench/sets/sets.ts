import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GENERATOR_VERSION, type SetName } from "./watchers.js";

const FILLER = fileURLToPath(new URL("fill.ts", import.meta.url));

/** A filled folder, which no server opens: `copySet` returns folders to work with. */
export interface FilledSet {
  readonly folder: string;
  readonly events: number;
  /** How long the filling took. */
  readonly seconds: number;
}

/** Removes the stored sets, so that this run creates them again. */
export function removeSets(): void {
  for (const name of ["100k", "200k", "10m"] as const) remove(pathOf(name));
}

/** A set in the system's temporary folder. It stays there for later runs. */
export async function filledSet(name: SetName): Promise<FilledSet> {
  const folder = pathOf(name);
  if (!existsSync(folder) || !existsSync(`${folder}.json`)) {
    remove(folder);
    console.error(`filling ${folder}, which stays for the next run ...`);
    // Elsewhere first, so that an interrupted run leaves no incomplete set.
    const place = `${folder}-filling-${process.pid}`;
    try {
      const [code] = (await once(fork(FILLER, [name, place]), "exit")) as [number | null];
      if (code !== 0) throw new Error(`filling ended with code ${code}`);
      renameSync(place, folder);
      renameSync(`${place}.json`, `${folder}.json`);
    } finally {
      remove(place);
    }
  }
  return { folder, ...(JSON.parse(readFileSync(`${folder}.json`, "utf8")) as Omit<FilledSet, "folder">) };
}

/** Copies a set into an empty folder. Both share tables, because LevelDB never changes one. */
export async function copySet(name: SetName, own: string): Promise<string> {
  const { folder } = await filledSet(name);
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

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  rmSync(`${folder}.json`, { force: true });
}

function pathOf(name: SetName): string {
  return join(tmpdir(), `activity-bench-set-${name}-v${GENERATOR_VERSION}`);
}
