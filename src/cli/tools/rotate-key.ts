import type { CommandOptions } from "../command-options.js";
import { readKey, readKeyFile } from "../encryption-key.js";
import { loadOptional } from "../packages.js";
import { requireValue } from "./options.js";
import { requireFolder } from "./place.js";
import type { Report } from "./report.js";

export async function rotateKey(options: CommandOptions<"rotate-key">, report: Report): Promise<number> {
  const { path, key } = requireFolder(options.place, "only a data folder has an encryption key");
  const file = requireValue(options.newKeyFile, options);
  const oldKey = requireValue(key === undefined ? undefined : (await readKey(key)).key, options);
  const { key: newKey } = await readKeyFile(file);
  const { rotateKey: rotate } = await loadOptional(() => import("../../../adapters/leveldb/index.js"));
  const { keyId } = await rotate({ path, key: oldKey, newKey });
  const advice = "a running server needs it at its next start";
  const text = `${path}: only the new key (${keyId}) opens it now; ${advice}`;
  report.event("key-rotated", { data: path, keyId }, text);
  return 0;
}
