import type { CommandOptions } from "../command-options.js";
import { readKey, readKeyFile } from "../encryption-key.js";
import { loadOptional } from "../packages.js";
import { requireValue } from "./options.js";
import { requireFolder } from "./place.js";
import type { Report } from "./report.js";

/** Lets another key open an encrypted data folder, in place of the one before. @returns the exit code */
export async function rotateKey(options: CommandOptions<"rotate-key">, report: Report): Promise<number> {
  const { path, key } = requireFolder(options.place, "keys of data folders are rotated; a database has none of ours");
  const file = requireValue(options.newKeyFile, options);
  const oldKey = requireValue(key === undefined ? undefined : (await readKey(key)).key, options);
  const { key: newKey } = await readKeyFile(file);
  const { rotateKey: rotate } = await loadOptional(() => import("../../../adapters/leveldb/index.js"));
  const { keyId } = await rotate({ path, key: oldKey, newKey });
  const later = "a running server needs it at its next start";
  const text = `${path}: opened by the new key (${keyId}) alone from now on; ${later}`;
  report.event("key-rotated", { data: path, keyId }, text);
  return 0;
}
