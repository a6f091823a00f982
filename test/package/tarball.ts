// Packs the project as npm would publish it and unpacks it into a project of its own, without a network.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** The root of this project. */
export const ROOT: string = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const BLOCK_BYTES = 512;
const PAUSE_MILLIS = 100;
/** So often another process is given time: it may have been killed. */
const MAX_TRIES = 600;
/** Nothing reads a tarball of another build after this time. */
const OLD_MILLIS = 60 * 60_000;

/** Contents of the published package by path. */
export type Packed = ReadonlyMap<string, Buffer>;

/** Runs `npm pack` over the build that is there, once for each state of what is published. */
export function pack(): Packed {
  const kept = path.join(os.tmpdir(), `activity-server-${newestChange()}.tgz`);
  const mark = `${kept}.begun`;
  for (let tries = 0; tries < MAX_TRIES && !fs.existsSync(kept) && !isFirst(mark); tries++) pause();
  try {
    if (!fs.existsSync(kept)) packInto(kept);
  } finally {
    fs.rmSync(mark, { recursive: true, force: true });
  }
  return untar(gunzipSync(fs.readFileSync(kept)));
}

/** Whether no other process is packing: it takes seconds of the processor. */
function isFirst(mark: string): boolean {
  try {
    fs.mkdirSync(mark);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MILLIS);
}

/** The same without types and documents, nine of ten files: to install those takes longer than most programs. */
export function packPrograms(): Packed {
  return new Map([...pack()].filter(([name]) => !/^(?:docs|dist\/types)\//.test(name)));
}

function packInto(target: string): void {
  const folder = temporaryFolder();
  try {
    npm(ROOT, "pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder);
    const [tarball] = fs.readdirSync(folder);
    if (tarball === undefined) throw new Error("npm pack made nothing");
    // At once, as another process may look for it.
    fs.renameSync(path.join(folder, tarball), target);
    removeOld();
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes tarballs of earlier builds. */
function removeOld(): void {
  for (const name of fs.readdirSync(os.tmpdir())) {
    if (!/^activity-server-[\d.]+\.tgz$/.test(name)) continue;
    const file = path.join(os.tmpdir(), name);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > OLD_MILLIS) fs.rmSync(file, { force: true });
  }
}

/** When anything that is published was changed last, folders for what was removed. */
function newestChange(): number {
  const { files } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as { files: string[] };
  const published = files.filter((name) => !name.startsWith("!"));
  const places = [...published, "package.json"].map((name) => path.join(ROOT, name));
  const all = places.flatMap((place) =>
    fs.statSync(place).isDirectory()
      ? [place, ...fs.readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => path.join(place, name))]
      : [place],
  );
  return Math.max(...all.map((place) => fs.statSync(place).mtimeMs));
}

/** Runs npm in a folder and returns what it printed; throws with all of its output when it fails. */
function npm(cwd: string, ...args: readonly string[]): string {
  const own = process.env["npm_execpath"]?.endsWith("npm-cli.js") ? process.env["npm_execpath"] : undefined;
  const [command, first] = own === undefined ? ["npm", []] : [process.execPath, [own]];
  const shell = own === undefined && process.platform === "win32";
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args], { cwd, shell, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")}: exit ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** The files of a ustar archive, without the folder `package/` that npm puts around them. */
function untar(archive: Buffer): Packed {
  const files = new Map<string, Buffer>();
  for (let at = 0; at + BLOCK_BYTES <= archive.length; ) {
    const text = (start: number, end: number): string =>
      archive.toString("utf8", at + start, at + end).replace(/\0.*/s, "");
    const name = [text(345, 500), text(0, 100)].filter(Boolean).join("/");
    const size = Number.parseInt(text(124, 136), 8) || 0;
    const start = at + BLOCK_BYTES;
    if (text(156, 157) === "0") files.set(name.replace(/^package\//, ""), archive.subarray(start, start + size));
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return files;
}

/** A project that has the package installed. */
export interface Consumer {
  readonly folder: string;
  write(name: string, text: string): void;
  /** Copies a folder of ours with all that is in it, over what is there. */
  copy(from: string): void;
  /** Runs Node in the folder and returns what it printed; throws with all of its output when it fails. */
  node(...args: readonly string[]): string;
}

/** A project in a temporary folder, until it is closed. */
export interface OpenConsumer extends Consumer {
  /** Deletes the folder. */
  close(): void;
}

/**
 * Makes a project in a temporary folder.
 *
 * @param dependencies packages of ours that it may use beside the published one; nothing else can be resolved there
 */
export function openConsumer(packed: Packed, dependencies: readonly string[]): OpenConsumer {
  const folder = temporaryFolder();
  const write = (name: string, content: string | Buffer): void => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  };
  const node = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`node ${args.join(" ")}: exit ${status}\n${stdout}${stderr}`);
    return stdout;
  };
  write("package.json", JSON.stringify({ private: true, type: "module" }));
  for (const [name, content] of packed) write(`node_modules/activity-server/${name}`, content);
  for (const name of dependencies) {
    const link = path.join(folder, "node_modules", name);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.join(ROOT, "node_modules", name), link, "junction");
  }
  return {
    folder,
    write,
    copy: (from) => fs.cpSync(path.resolve(ROOT, from), folder, { recursive: true }),
    node,
    close: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** Makes a project in a temporary folder for the time of `use`. */
export function withConsumer(packed: Packed, dependencies: readonly string[], use: (consumer: Consumer) => void): void {
  const consumer = openConsumer(packed, dependencies);
  try {
    use(consumer);
  } finally {
    consumer.close();
  }
}

function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "activity-server-"));
}
