import type { CommandOptions } from "../command-options.js";
import { readKey, readKeyFile } from "../encryption-key.js";
import { loadOptional } from "../packages.js";
import { needed } from "./options.js";
import { folderPlaceOf } from "./place.js";
import { createReport } from "./report.js";

const USAGE = "rotate-key --new-key-file FILE --encryption-key-file FILE [--data DIR]";

/** Lets another key open an encrypted data folder, in place of the one before. @returns the exit code */
export async function rotateKey({ place, newKeyFile, json, streams }: CommandOptions<"rotate-key">): Promise<number> {
  const { path, key } = folderPlaceOf(place, "keys of data folders are rotated; a database has none of ours");
  const file = needed(newKeyFile, USAGE);
  const former = needed(key === undefined ? undefined : (await readKey(key)).key, USAGE);
  const { key: newKey } = await readKeyFile(file);
  const { rotateKey: rotate } = await loadOptional(() => import("../../../adapters/leveldb/index.js"));
  const { keyId } = await rotate({ path, key: former, newKey });
  const later = "a running server needs it at its next start";
  const text = `${path}: opened by the new key (${keyId}) alone from now on; ${later}`;
  createReport({ json, streams }).event("key-rotated", { data: path, keyId }, text);
  return 0;
}
