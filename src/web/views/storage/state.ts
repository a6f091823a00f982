import type { ClientHealth } from "../../../client/index.js";

/** State of the storage, for callers with permission. */
export type StorageState = NonNullable<ClientHealth["storage"]>;

/** Use of the disk; shares from 0 to 1. */
export interface DiskUse {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly usedShare: number;
  /** `none`: writes are rejected; `little`: nearly. */
  readonly left: "enough" | "little" | "none";
}

/** Factor of the required free space below which little is left. */
const LITTLE = 8;

/** Computes the use of a disk. */
export function diskUseOf(disk: StorageState["disk"]): DiskUse | undefined {
  if (disk === null) return undefined;
  const { free_bytes: freeBytes, total_bytes: totalBytes, min_free_bytes: least } = disk;
  const usedShare = totalBytes > 0 ? Math.min(1, Math.max(0, 1 - freeBytes / totalBytes)) : 0;
  const left = freeBytes < least ? "none" : freeBytes < least * LITTLE ? "little" : "enough";
  return { freeBytes, totalBytes, usedShare, left };
}
