// Backups as the tests make and read them.
import { memory } from "../../adapters/memory.js";
import { serializeBackup } from "../../src/codec/backup.js";
import { parseBackup } from "../../src/codec/parse-backup.js";
import type { Bucket } from "../../src/domain/bucket.js";
import type { BackupItem } from "../../src/storage/backup.js";
import type { Storage } from "../../src/storage/storage.js";

/** A bucket of that id. */
export function bucket(id: string): Bucket {
  return { id, type: "t", client: "c", hostname: "h", name: null, created: 1_709_283_600_000_001, data: {} };
}

/** A storage with something of everything, and of what is hard to write down. */
export async function filled(): Promise<Storage> {
  const storage = memory();
  await storage.settings.put("plain", { startOfDay: "04:00" });
  await storage.settings.put("lone \ud800", JSON.parse('{"__proto__":{"a":1},"":null}'));
  await storage.records("keys").compareAndSet("k\n", undefined, [1, "ü\u0000"]);
  await storage.deviceId();
  await storage.createBucket(bucket("first"), [
    { timestamp: 1_709_283_600_000_001, duration: 1_500_001, data: { app: "\udfff\u0000ü\n\u2028" } },
    { timestamp: 0, duration: -5, data: {} },
    { id: 77, timestamp: 5, duration: 2 ** 52 + 1, data: { x: 1e-7 } },
    { id: 2 ** 53 - 1, timestamp: -(2 ** 53 - 1), duration: 2 ** 53 - 1, data: JSON.parse('{"__proto__":1}') },
  ]);
  await storage.createBucket({ ...bucket("ünicode 😀"), name: "", data: { z: [1] } });
  const many = Array.from({ length: 2500 }, (_, index) => ({ timestamp: index, duration: 1, data: { n: index % 7 } }));
  await storage.createBucket({ ...bucket("many"), created: 2 ** 53 - 1 }, many);
  return storage;
}

/** The bytes of a backup. */
export async function bytesOf(items: AsyncIterable<BackupItem>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of serializeBackup(items, { created: 0, producer: "test" })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads a backup to its end. */
export async function itemsOf(bytes: Iterable<Uint8Array>): Promise<BackupItem[]> {
  const items: BackupItem[] = [];
  for await (const item of parseBackup(bytes)) items.push(item);
  return items;
}
