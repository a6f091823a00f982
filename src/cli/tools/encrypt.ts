import { restoreBackup } from "../../storage/backup.js";
import type { CommandOptions } from "../command-options.js";
import { readEncryption, readKeyFile } from "../encryption-key.js";
import { openFolder } from "../open-folder.js";
import { makeDataFolder } from "./new-folder.js";
import { needed } from "./options.js";
import { folderPlaceOf } from "./place.js";
import { counted, type Report } from "./report.js";
import { refuseMissing, refuseServer } from "./target.js";

/** Copies a data folder, plain or encrypted, into a new one with keys of its own. @returns the exit code */
export async function encrypt(options: CommandOptions<"encrypt">, report: Report): Promise<number> {
  const { place, to, newKeyFile } = options;
  const { path, key } = folderPlaceOf(place, "data folders are encrypted; a database is encrypted by its own server");
  const target = needed(to === "-" ? undefined : to, options);
  const { key: newKey } = await readKeyFile(needed(newKeyFile, options));
  await refuseMissing(path);
  await refuseServer(path);
  const source = await openFolder(path, await readEncryption(key));
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
    await source.close();
  }
}

function refuse(): never {
  throw new Error("this storage has no backup");
}
