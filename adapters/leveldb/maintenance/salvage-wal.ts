import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { ValueOpener } from "../../segments/vault.js";
import { type FoundRecord, findRecords, HEADER_BYTES, readWal, recordAt } from "../wal-format.js";
import type { FoundBatch, LogFragment } from "./salvage-fragments.js";

const NAME = /(?:^|-)(\d{8})\.wal$/;

/** Reads everything readable of all log files in a folder and its subfolders, including damaged ones. */
export async function findLogs(folder: string, values: ValueOpener): Promise<LogFragment[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.flatMap((name) => {
    const number = NAME.exec(path.basename(name))?.[1];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  // Numbers grow from file to file.
  files.sort((a, b) => a.number - b.number || a.name.length - b.name.length);
  const logs: LogFragment[] = [];
  for (const { name } of files) logs.push(decryptLog(await readLog(path.join(folder, name), name), values));
  return logs;
}

/** Batches that cannot be decrypted count as unreadable. */
function decryptLog(log: LogFragment, values: ValueOpener): LogFragment {
  let { skippedBytes, isOnlyCutOff } = log;
  const batches = log.batches.flatMap(({ isAfterGap, ...batch }): FoundBatch[] => {
    try {
      const { sequence, text } = values.openBatch(batch);
      return [{ sequence, text, isAfterGap: isAfterGap }];
    } catch {
      skippedBytes += batch.text.length;
      isOnlyCutOff = false;
      return [];
    }
  });
  return { ...log, batches, skippedBytes, isOnlyCutOff };
}

async function readLog(file: string, name: string): Promise<LogFragment> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch {
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    return { name, batches: [], skippedBytes: Math.max(1, size), isOnlyCutOff: false };
  }
  const content = readWal(bytes);
  const salt = recordAt(bytes, HEADER_BYTES)?.salt;
  const start = content.batches.length === 0 ? 0 : content.end;
  // A disk may return bytes of an earlier file.
  const after = findRecords(bytes, start).filter((record) => salt === undefined || record.salt.equals(salt));
  const batches: FoundBatch[] = content.batches.map((batch) => ({ ...batch, isAfterGap: false }));
  batches.push(...after.map(({ batch }) => ({ ...batch, isAfterGap: true })));
  const skippedBytes = bytes.length - start - sizeOf(after);
  return { name, batches, skippedBytes, isOnlyCutOff: after.length === 0 && isCutOff(content) };
}

/** Whether a file is unreadable only at its end: a crash interrupted a write, which was never acknowledged. */
function isCutOff({ batches, isTorn }: ReturnType<typeof readWal>): boolean {
  return batches.length > 0 || isTorn;
}

function sizeOf(records: readonly FoundRecord[]): number {
  return records.reduce((sum, { at, end }) => sum + end - at, 0);
}
