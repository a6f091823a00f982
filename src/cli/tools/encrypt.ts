import { stat } from "node:fs/promises";
import { restoreBackup } from "../../storage/restore.js";
import type { CommandOptions } from "../command-options.js";
import { findServer } from "../control-file.js";
import { quoted } from "../data-folder.js";
import { encryptionWith, readKeyFile } from "../encryption-key.js";
import { LaunchError } from "../launch-error.js";
import { openFolder } from "../open-folder.js";
import { makeDataFolder } from "./new-folder.js";
import { needed } from "./options.js";
import { folderPlaceOf } from "./place.js";
import { counted, createReport } from "./report.js";

const USAGE = "encrypt --to DIR --new-key-file FILE [--data DIR] [--encryption-key-file FILE]";

/** Copies a data folder, plain or encrypted, into a new one with keys of its own. @returns the exit code */
export async function encrypt({ place, to, newKeyFile, json, streams }: CommandOptions<"encrypt">): Promise<number> {
  const { path, key } = folderPlaceOf(place, "data folders are encrypted; a database is encrypted by its own server");
  const target = needed(to === "-" ? undefined : to, USAGE);
  const { key: newKey } = await readKeyFile(needed(newKeyFile, USAGE));
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) {
    throw new LaunchError(`there is no data folder ${quoted(path)}`);
  }
  const server = await findServer(path);
  if (server !== undefined) {
    throw new LaunchError(`a server (process ${server.pid}) uses ${quoted(path)}; stop it before encrypting`);
  }
  const report = createReport({ json, streams });
  const source = await openFolder(path, await encryptionWith(key));
  try {
    const way = "choose a new folder with --to";
    const folder = { folder: target, options: { encryption: { key: newKey } }, way };
    const { buckets, events, ...counts } = await makeDataFolder(folder, async (storage) => {
      try {
        return await restoreBackup(storage, () => source.backup?.() ?? refuse(), {
          onProgress: ({ step, doneEvents, totalEvents }) => {
            const label = step === "check" ? "checking" : "writing";
            report.progress(label, doneEvents, totalEvents, (count) => counted(count, "event"));
          },
        });
      } finally {
        await storage.close();
      }
    });
    const left = `${path} is as it was: remove it when the new folder is in use`;
    const text = `${target}: ${counted(buckets, "bucket")}, ${counted(events, "event")}, encrypted\n${left}`;
    report.event("encrypted", { to: target, buckets, events, ...counts }, text);
    return 0;
  } finally {
    report.end();
    await source.close();
  }
}

function refuse(): never {
  throw new Error("this storage has no backup");
}
