import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode } from "../../errors.js";
import { errorCode, exists, quotePath } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import type { Framework, FrameworkFile } from "./framework.js";

/** A file of a framework in a project. */
export interface ProjectFile extends FrameworkFile {
  /** `kept`: another file has its place and stays unchanged. */
  readonly state: "new" | "unchanged" | "kept";
  /** The path of that other file. */
  readonly existing?: string;
  /** The lines that the other file lacks. */
  readonly missing?: ReadonlySet<string>;
}

const MANIFESTS = ["package.json", "deno.json", "deno.jsonc"];
const SCRIPT = /\.[cm]?[jt]s$/;

/** Compares the files of a framework with a project. @throws LaunchError if the folder is not a project */
export async function compareWithProject(folder: string, { files }: Framework): Promise<ProjectFile[]> {
  const manifests = await Promise.all(MANIFESTS.map((name) => exists(join(folder, name))));
  if (!manifests.includes(true)) {
    throw new LaunchError(
      `no package.json in ${quotePath(folder)}; run npm init -y there, or name the project with --to`,
    );
  }
  const root = (await hasSourceFolder(folder, files)) ? "src/" : "";
  return Promise.all(
    files.map(({ path, text }) => compare(folder, { path: path.includes(".config.") ? path : root + path, text })),
  );
}

/** Next ignores `src/app` if there is an `app` as well. */
async function hasSourceFolder(folder: string, files: readonly FrameworkFile[]): Promise<boolean> {
  if (!files.some(({ path }) => path.startsWith("app/"))) return false;
  return (await exists(join(folder, "src/app"))) && !(await exists(join(folder, "app")));
}

async function compare(folder: string, file: FrameworkFile): Promise<ProjectFile> {
  const existing = await findExisting(folder, file.path);
  if (existing === undefined) return { ...file, state: "new" };
  const text = await readFile(join(folder, existing), "utf8").catch((error: unknown) => {
    throw new LaunchError(`cannot read ${quotePath(existing)} (${errorCode(error)})`);
  });
  const found = linesOf(text);
  if (linesOf(file.text).join("\n") === found.join("\n")) return { ...file, state: "unchanged" };
  const present = new Set(found.map((line) => line.trim()));
  const missing = new Set(linesOf(file.text).filter((line) => !present.has(line.trim())));
  return { ...file, state: "kept", existing, missing };
}

export function linesOf(text: string): string[] {
  return text.trimEnd().split(/\r?\n/);
}

/** Finds the file itself, or the same module in another form: frameworks read `next.config.ts` or `next.config.js`. */
async function findExisting(folder: string, path: string): Promise<string | undefined> {
  const parent = dirname(path);
  const names = await readdir(join(folder, parent)).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw new LaunchError(`cannot read ${quotePath(parent)} (${errorCode(error)})`);
  });
  const siblings = names.map((name) => (parent === "." ? name : `${parent}/${name}`));
  if (siblings.includes(path)) return path;
  const stem = path.replace(SCRIPT, "");
  return SCRIPT.test(path)
    ? siblings.find((name) => SCRIPT.test(name) && name.replace(SCRIPT, "") === stem)
    : undefined;
}

/** Writes the new files. Never replaces one that was created after the comparison. @throws LaunchError */
export async function writeNew(folder: string, files: readonly ProjectFile[]): Promise<void> {
  const written: string[] = [];
  // Source files are as readable as their project, although data folders are private (program.ts).
  const umask = process.umask(0o777 & ~(await stat(folder)).mode);
  try {
    for (const { path, text } of files.filter(({ state }) => state === "new")) {
      await write(join(folder, path), text).catch((error: unknown) => {
        const before = written.length === 0 ? "nothing was written" : `written before: ${written.join(", ")}`;
        throw new LaunchError(`cannot write ${quotePath(path)} (${errorCode(error)}); ${before}`);
      });
      written.push(path);
    }
  } finally {
    process.umask(umask);
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: "wx" });
}
