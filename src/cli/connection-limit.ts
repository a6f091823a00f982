import { readFile } from "node:fs/promises";

/** Connections of a server that may open files enough. */
const MAX_CONNECTIONS = 512;

/**
 * How many connections to take at a time: half of the files that this process may have open. The other half is the
 * storage's, which fails where it gets none.
 *
 * @param limits text of `/proc/self/limits` @default that of this process; where there is none, nobody tells
 */
export async function connectionLimit(limits?: string): Promise<number> {
  const [, found] = /^Max open files +(\d+)/m.exec(limits ?? (await readLimits())) ?? [];
  return found === undefined ? MAX_CONNECTIONS : Math.max(8, Math.min(MAX_CONNECTIONS, Math.floor(Number(found) / 2)));
}

function readLimits(): Promise<string> {
  return readFile("/proc/self/limits", "utf8").catch(() => "");
}
