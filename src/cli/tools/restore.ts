import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type RestoreReport, type RestoreStep, restoreBackup } from "../../storage/restore.js";
import { findServer } from "../control-file.js";
import { codeOf, printBytes, quoted } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { openFolder } from "../open-folder.js";
import { readBackupFile } from "./backup-file.js";
import { needed, type ToolOptions } from "./options.js";
import { counted, createReport, type Report } from "./report.js";
import { removeWhenInterrupted } from "./temporary.js";

/** Fills a data folder from a backup. @returns the exit code */
export async function restore({ data, file, merge, json }: ToolOptions): Promise<number> {
  const source = needed(file, "restore FILE [--data DIR] [--merge]");
  if (!(await stat(source).catch(() => undefined))?.isFile())
    throw new LaunchError(`there is no file ${quoted(source)}`);
  const report = createReport({ json });
  const server = await findServer(data);
  if (server !== undefined) {
    throw new LaunchError(`a server (process ${server.pid}) uses ${quoted(data)}; stop it before restoring`);
  }
  try {
    const restored = merge ? await fill(data, source, report, true) : await fillNew(data, source, report);
    const { bucketsMerged, ...counts } = restored;
    const merged = merge ? `, ${bucketsMerged} of them existed` : "";
    const buckets = counts.buckets + bucketsMerged;
    const text = `${data}: ${counted(buckets, "bucket")}${merged}, ${counted(counts.events, "event")}`;
    report.event("restored", { data, ...restored }, text);
    return 0;
  } finally {
    report.end();
  }
}

async function fill(folder: string, file: string, report: Report, merge: boolean): Promise<RestoreReport> {
  const storage = await openFolder(folder);
  try {
    const { size } = await stat(file);
    const open = (step: RestoreStep) => {
      const label = step === "check" ? "checking" : "writing";
      return readBackupFile(file, (bytes) => report.progress(label, bytes, size, printBytes));
    };
    return await restoreBackup(storage, open, { merge });
  } finally {
    await storage.close();
  }
}

/** A folder that is not whole yet stands beside its place, so that no server ever starts on half a restoration. */
async function fillNew(folder: string, file: string, report: Report): Promise<RestoreReport> {
  const entries = await readdir(folder).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw new LaunchError(`${quoted(folder)} cannot be read (${codeOf(cause)})`);
  });
  if (entries !== undefined && entries.length > 0) {
    const way = "choose a new folder with --data, or add to this one with --merge";
    throw new LaunchError(`the folder ${quoted(folder)} is not empty; ${way}`);
  }
  const staging = `${folder}.${randomUUID()}.partial`;
  const forget = removeWhenInterrupted(staging);
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    await mkdir(staging, { mode: 0o700 });
    const restored = await fill(staging, file, report, false);
    if (entries !== undefined) await rmdir(folder);
    await rename(staging, folder);
    return restored;
  } finally {
    await rm(staging, { recursive: true, force: true });
    forget();
  }
}
