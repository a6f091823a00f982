import type { ClientHealth } from "../../../client/index.js";

/** What is known of a storage by who may know it. */
export type StorageState = NonNullable<ClientHealth["storage"]>;

/** How the space of a disk is used; shares from 0 to 1. */
export interface DiskUse {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly usedShare: number;
  /** `none`: writes are refused; `little`: not far from that. */
  readonly left: "enough" | "little" | "none";
}

/** With less than so many times the space that has to stay free there is little left. */
const LITTLE = 8;

/** Reads what the server tells of a disk. */
export function diskUseOf(disk: StorageState["disk"]): DiskUse | undefined {
  if (disk === null) return undefined;
  const { free_bytes: freeBytes, total_bytes: totalBytes, min_free_bytes: least } = disk;
  const usedShare = totalBytes > 0 ? Math.min(1, Math.max(0, 1 - freeBytes / totalBytes)) : 0;
  const left = freeBytes < least ? "none" : freeBytes < least * LITTLE ? "little" : "enough";
  return { freeBytes, totalBytes, usedShare, left };
}
