import { readFile } from "node:fs/promises";

/** Connections of a server that may open enough files. */
const MAX_CONNECTIONS = 512;

/**
 * The maximum number of connections: half of the files that this process may open. The storage needs the other half,
 * and fails without it.
 *
 * @param limits content of `/proc/self/limits` @default the file of this process, if it exists
 */
export async function connectionLimit(limits?: string): Promise<number> {
  const [, found] = /^Max open files +(\d+)/m.exec(limits ?? (await readLimits())) ?? [];
  return found === undefined ? MAX_CONNECTIONS : Math.max(8, Math.min(MAX_CONNECTIONS, Math.floor(Number(found) / 2)));
}

function readLimits(): Promise<string> {
  return readFile("/proc/self/limits", "utf8").catch(() => "");
}
