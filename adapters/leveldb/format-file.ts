import fs from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { ActivityError, ifCode } from "../../src/errors.js";
import { sumText } from "../segments/checksum.js";
import { FORMAT, tooNew } from "../segments/root.js";
import { exists, replaceFile } from "./file-system.js";

// The file FORMAT contains the format of a folder, so that a folder of another format is refused before an engine
// touches it. It is written last in a first start: a folder without it is new.

const NAME = "FORMAT";

function content(isEncrypted: boolean): string {
  const text = `activity-server format ${FORMAT} cipher ${isEncrypted ? 1 : 0} key 0`;
  return `${text} checksum ${sumText(crc32(text))}\n`;
}

/** The state of the file. If it is damaged, the root in the database decides. */
export type FormatState = "missing" | "plain" | "encrypted" | "damaged";

/**
 * @param name of the folder in messages
 * @throws ActivityError `STORAGE_TOO_OLD`, `STORAGE_TOO_NEW`
 */
export async function readFormat(folder: string, name: string): Promise<FormatState> {
  const text = await fs.readFile(path.join(folder, NAME), "utf8").catch(ifCode("ENOENT", undefined));
  if (text === undefined) return "missing";
  if (text === content(false)) return "plain";
  if (text === content(true)) return "encrypted";
  if (/^1?\n?$/.test(text) && (await exists(path.join(folder, "CURRENT")))) throw tooOld(name);
  const [, said, format, checksum] = /^(activity-server format (\d+) .*) checksum ([0-9a-f]{8})\n$/.exec(text) ?? [];
  const isWhole = said !== undefined && sumText(crc32(said)) === checksum;
  if (isWhole && Number(format) > FORMAT) throw tooNew(name, format);
  return "damaged";
}

/** Writes the file and forces it to the disk, with its entry in the folder. */
export async function writeFormat(folder: string, isEncrypted: boolean): Promise<void> {
  await replaceFile(path.join(folder, NAME), content(isEncrypted));
}

/** The error of a folder from version 0.1. */
export function tooOld(name: string): ActivityError {
  const message = [
    `${name} has the storage format 1 of activity-server 0.1, which this version does not read. To migrate it:`,
    "start activity-server 0.1 on it, write a backup from it with `node scripts/migrate-format-1.mjs URL --to FILE`,",
    "stop it, and restore that into a new folder with `activity-server restore FILE --data NEW_FOLDER`",
    "(docs/guides/upgrading.md)",
  ];
  return new ActivityError("STORAGE_TOO_OLD", message.join(" "));
}
