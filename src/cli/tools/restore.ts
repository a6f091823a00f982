import { stat } from "node:fs/promises";
import { firstItem, type RestoreReport, type RestoreStep, restoreBackup } from "../../storage/backup.js";
import type { Storage } from "../../storage/storage.js";
import type { CommandOptions } from "../command-options.js";
import { formatBytes, quotePath } from "../data-folder.js";
import { readEncryption } from "../encryption-key.js";
import { LaunchError, printable } from "../launch-error.js";
import { openFolder } from "../open-folder.js";
import { readBackupFile } from "./backup-file.js";
import { createDataFolder } from "./new-folder.js";
import { requireValue } from "./options.js";
import { type DatabasePlace, describePlace, type FolderPlace, placeFields } from "./place.js";
import { formatCount, type Report } from "./report.js";
import { openDatabasePlace, refuseServer } from "./target.js";

interface RestoreTask {
  readonly file: string;
  readonly merge: boolean;
  readonly report: Report;
}

/** Fills a data folder, or a namespace of a database, from a backup. @returns the exit code */
export async function restore(options: CommandOptions<"restore">, report: Report): Promise<number> {
  const { place, merge } = options;
  const source = requireValue(options.file, options);
  if (!(await stat(source).catch(() => undefined))?.isFile())
    throw new LaunchError(`cannot find the file ${quotePath(source)}`);
  const task: RestoreTask = { file: source, merge, report };
  const restored = place.kind === "folder" ? await fillFolder(place, task) : await fillDatabase(place, task);
  const { bucketsMerged, ...counts } = restored;
  const merged = merge ? `, ${bucketsMerged} of them existed` : "";
  const buckets = counts.buckets + bucketsMerged;
  const events = formatCount(counts.events, "event");
  const text = `${describePlace(place)}: ${formatCount(buckets, "bucket")}${merged}, ${events}`;
  report.event("restored", { ...placeFields(place), ...restored }, text);
  return 0;
}

async function fillFolder({ path: folder, key }: FolderPlace, task: RestoreTask): Promise<RestoreReport> {
  await refuseServer(folder);
  const options = await readEncryption(key);
  if (task.merge) return fill(await openFolder(folder, options), task);
  const advice = "choose a new folder with --data, or add to this one with --merge";
  return createDataFolder({ folder, options, advice }, (storage) => fill(storage, task));
}

/** Fills a namespace in place. A failure leaves the data written so far, and the error reports this. */
async function fillDatabase(place: DatabasePlace, task: RestoreTask): Promise<RestoreReport> {
  const storage = await openDatabasePlace(place);
  let isWriting = false;
  try {
    if (!task.merge && (await firstItem(storage)) !== undefined) {
      const advice = "choose a new one with --namespace, or add to this one with --merge";
      throw new LaunchError(`the ${describePlace(place)} is not empty; ${advice}`);
    }
    return await fill(storage, task, (step) => {
      isWriting = step === "write";
    });
  } catch (cause) {
    if (!isWriting) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    const left = `the ${describePlace(place)} is incomplete; add the rest with restore --merge`;
    throw new LaunchError(`${printable(message, 300)}; ${left}`, 1, { cause });
  } finally {
    await storage.close();
  }
}

/** Closes the storage at the end. @param onStep called at the start of each step */
async function fill(
  storage: Storage,
  { file, merge, report }: RestoreTask,
  onStep: (step: RestoreStep) => void = () => {},
): Promise<RestoreReport> {
  try {
    const { size } = await stat(file);
    const open = (step: RestoreStep) => {
      onStep(step);
      const label = step === "check" ? "checking" : "writing";
      return readBackupFile(file, (bytes) => report.progress(label, bytes, size, formatBytes));
    };
    return await restoreBackup(storage, open, { merge });
  } finally {
    await storage.close();
  }
}
