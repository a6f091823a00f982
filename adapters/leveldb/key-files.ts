import fs from "node:fs/promises";
import path from "node:path";
import { ifCode } from "../../src/errors.js";
import type { StorageProblem } from "../../src/storage/health.js";
import { parseRing } from "../segments/key-ring.js";
import { keysDamaged } from "../segments/vault.js";
import { replaceFile } from "./file-system.js";
import type { CheckedFolder } from "./folder.js";

// The wrapped keys of an encrypted folder, in two copies: without them, all data are unreadable. The first intact copy
// applies.

/** Names of both copies, in the order of writing. */
export const KEY_FILES = ["KEYS", "KEYS.copy"] as const;

/** The wrapped keys of a folder. */
export interface FoundKeys {
  /** `undefined` for a folder that is not encrypted. */
  readonly ring: string | undefined;
  /** Whether both copies are equal. */
  readonly isWhole: boolean;
  readonly problems: readonly StorageProblem[];
}

/**
 * Reads the wrapped keys, unless the folder is known to be plain.
 *
 * @param name of the folder in messages
 * @throws ActivityError `STORAGE_CORRUPT` if both copies are damaged or missing, `STORAGE_TOO_NEW`
 */
export async function readKeys(
  { folder, isNew, isEncrypted }: Pick<CheckedFolder, "folder" | "isNew" | "isEncrypted">,
  name: string,
): Promise<FoundKeys> {
  if (isNew || isEncrypted === false) return { ring: undefined, isWhole: true, problems: [] };
  // Read the copy first: it is written last, so it is never newer than the other.
  const copy = await read(folder, KEY_FILES[1]);
  const first = await read(folder, KEY_FILES[0]);
  const lines = [first, copy].map((line) =>
    line !== undefined && parseRing(line, name) !== undefined ? line : undefined,
  );
  const ring = lines.find((line) => line !== undefined);
  const isThere = first !== undefined || copy !== undefined;
  if (ring === undefined && (isThere || isEncrypted)) throw keysDamaged(name);
  if (!isThere) return { ring, isWhole: true, problems: [] };
  const message = "a copy of the wrapped keys was damaged or missing; it is rewritten";
  const problems: StorageProblem[] = lines.includes(undefined) ? [{ kind: "damaged", message }] : [];
  return { ring, isWhole: first === copy, problems };
}

/** Writes both copies, one after the other, each forced to the disk: at every moment one of them is intact. */
export async function writeKeys(folder: string, ring: string): Promise<void> {
  for (const file of KEY_FILES) await replaceFile(path.join(folder, file), ring);
}

function read(folder: string, file: string): Promise<string | undefined> {
  return fs.readFile(path.join(folder, file), "latin1").catch(ifCode("ENOENT", undefined));
}
