import { restoreBackup } from "../../storage/backup.js";
import type { CommandOptions } from "../command-options.js";
import { readEncryption, readKeyFile } from "../encryption-key.js";
import { openFolder } from "../open-folder.js";
import { createDataFolder } from "./new-folder.js";
import { requireValue } from "./options.js";
import { requireFolder } from "./place.js";
import { formatCount, type Report } from "./report.js";
import { refuseMissing, refuseServer } from "./target.js";

/** Copies a data folder, plain or encrypted, into a new one with its own keys. @returns the exit code */
export async function encrypt(options: CommandOptions<"encrypt">, report: Report): Promise<number> {
  const { place, to, newKeyFile } = options;
  const { path, key } = requireFolder(
    place,
    "only data folders can be encrypted; encrypt a database with its own server",
  );
  const target = requireValue(to === "-" ? undefined : to, options);
  const { key: newKey } = await readKeyFile(requireValue(newKeyFile, options));
  await refuseMissing(path);
  await refuseServer(path);
  const source = await openFolder(path, await readEncryption(key));
  try {
    const advice = "choose a new folder with --to";
    const folder = { folder: target, options: { encryption: { key: newKey } }, advice };
    const { buckets, events, ...counts } = await createDataFolder(folder, async (storage) => {
      try {
        return await restoreBackup(storage, () => source.backup(), {
          onProgress: ({ step, doneEvents, totalEvents }) => {
            const label = step === "check" ? "checking" : "writing";
            report.progress(label, doneEvents, totalEvents, (count) => formatCount(count, "event"));
          },
        });
      } finally {
        await storage.close();
      }
    });
    const left = `${path} is unchanged; remove it when you use the new folder`;
    const text = `${target}: ${formatCount(buckets, "bucket")}, ${formatCount(events, "event")}, encrypted\n${left}`;
    report.event("encrypted", { to: target, buckets, events, ...counts }, text);
    return 0;
  } finally {
    await source.close();
  }
}
