import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BackupCounts, serializeBackup } from "../../codec/backup.js";
import { VERSION } from "../../util/version.js";
import type { CommandOptions } from "../command-options.js";
import { formatBytes } from "../data-folder.js";
import { isEncryptedFolder } from "../encryption-key.js";
import { LaunchError } from "../launch-error.js";
import { readBackupFile, refuseDevice, refuseExisting, throwUnwritten, writeAtomically } from "./backup-file.js";
import { requireValue } from "./options.js";
import { formatCount, type Report } from "./report.js";
import { sendOrFail } from "./send.js";
import { findReadable, refuseEmpty, type Target } from "./target.js";

export async function backup(options: CommandOptions<"backup">, report: Report): Promise<number> {
  const { place, force, streams } = options;
  const file = requireValue(options.to, options);
  if (file !== "-") await (force ? refuseDevice(file) : refuseExisting(file));
  const { target, close } = await findReadable(place);
  try {
    await refuseEmpty(place, target);
    const bytes = withProgress(await openBackup(target), report);
    if (file === "-") {
      await pipeline(Readable.from(bytes), streams.stdout, { end: false }).catch(throwUnwritten("the output"));
      return 0;
    }
    let counts: BackupCounts | undefined;
    await writeAtomically(file, bytes, {
      force,
      async check(written) {
        counts = await countItems(written, report);
      },
    });
    const { size } = await stat(file);
    const { buckets = 0, events = 0 } = counts ?? {};
    const isEncrypted = place.kind === "folder" && (await isEncryptedFolder(place.path));
    const note = isEncrypted ? "\nThe backup is not encrypted. Encrypt the file or its disk." : "";
    const counted = `${formatCount(buckets, "bucket")}, ${formatCount(events, "event")}`;
    const text = `${file}: ${counted}, ${formatBytes(size)}${note}`;
    report.event("backed-up", { file, bytes: size, ...counts, encrypted: false }, text);
    return 0;
  } finally {
    await close();
  }
}

async function openBackup(target: Target): Promise<AsyncIterable<Uint8Array>> {
  if (target.kind === "server") return readResponse(await sendOrFail(target.control, "backUpStorage"));
  return serializeBackup(target.storage.backup(), { producer: `activity-server ${VERSION}` });
}

async function* readResponse({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch (cause) {
    const message = "the server stopped in the middle of the backup; see its log";
    throw new LaunchError(message, 1, { cause });
  }
}

async function* withProgress(bytes: AsyncIterable<Uint8Array>, report: Report): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of bytes) {
    yield chunk;
    done += chunk.length;
    report.progress("writing", done, undefined, formatBytes);
  }
}

/** Reads a backup to its end, which checks it. */
async function countItems(file: string, report: Report): Promise<BackupCounts> {
  const { size } = await stat(file);
  const items = readBackupFile(file, (bytes) => report.progress("checking", bytes, size, formatBytes));
  const counts = { settings: 0, records: 0, buckets: 0, events: 0 };
  for await (const item of items) {
    if (item.kind === "events") counts.events += item.batch.length;
    else counts[`${item.kind}s`]++;
  }
  return counts;
}
