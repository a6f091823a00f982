import fs from "node:fs/promises";
import path from "node:path";
import { ActivityError } from "../../../src/errors.js";
import { createKeySource, keyIdOf } from "../../segments/encryption.js";
import { Vault } from "../../segments/vault.js";
import { readFormat } from "../format-file.js";
import type { RotateKeyOptions } from "../index.js";
import { readKeys, writeKeys } from "../key-files.js";

/** See `rotateKey` of index.ts. */
export async function rotateKey({ path: given, key, newKey }: RotateKeyOptions): Promise<{ readonly keyId: string }> {
  const source = createKeySource({ key: newKey, previousKeys: [key] });
  const folder = path.resolve(given);
  const name = `folder ${folder}`;
  if (!(await fs.stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new ActivityError("STORAGE_UNUSABLE", `there is no ${name}`);
  }
  const format = await readFormat(folder, name);
  const isEncrypted = format === "plain" ? false : format === "encrypted" ? true : undefined;
  const keys = await readKeys({ folder, isNew: false, isEncrypted }, name);
  if (keys.ring === undefined) throw new ActivityError("STORAGE_UNUSABLE", `${name} is not encrypted`);
  const ring = await new Vault(source).pass(keys.ring, { name, isNew: false });
  if (ring !== keys.ring || !keys.isWhole) await writeKeys(folder, ring);
  return { keyId: keyIdOf(newKey) };
}
