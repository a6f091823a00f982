import { readFile } from "node:fs/promises";

/** Limits of a server that may open enough files. */
const MAX_CONNECTIONS = 512;
const MAX_READERS = 1000;

/** How many connections a server accepts, and how many readers of the feed in addition. */
export interface Limits {
  readonly connections: number;
  readonly feedReaders: number;
}

/**
 * The limits: half of the files that this process may open. The storage needs the other half, and fails without it.
 *
 * @param limits content of `/proc/self/limits` @default the file of this process, if it exists
 */
export async function connectionLimits(limits?: string): Promise<Limits> {
  const [, found] = /^Max open files +(\d+)/m.exec(limits ?? (await readLimits())) ?? [];
  if (found === undefined) return { connections: MAX_CONNECTIONS, feedReaders: MAX_READERS };
  const files = Math.floor(Number(found) / 2);
  const connections = Math.max(8, Math.min(MAX_CONNECTIONS, Math.floor(files / 2)));
  return { connections, feedReaders: Math.max(8, Math.min(MAX_READERS, files - connections)) };
}

function readLimits(): Promise<string> {
  return readFile("/proc/self/limits", "utf8").catch(() => "");
}
