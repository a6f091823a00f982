// Ways to damage a file of a folder.
import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SmallFolder } from "./small-folder.js";

/** What happens to a file. */
export const FILE_DAMAGES = ["deleted", "emptied", "cut in the middle", "without its last byte", "half zeros"] as const;

/** Damage to a file: to one bit of it, or to all of it. */
export interface FileDamage {
  readonly file: string;
  readonly how: (typeof FILE_DAMAGES)[number] | number;
}

export function nameOf({ file, how }: FileDamage): string {
  return typeof how === "number" ? `bit ${how} of ${file} flipped` : `${file} ${how}`;
}

/** Every bit of every file with data. */
export function* allBits({ files }: SmallFolder): Generator<FileDamage> {
  for (const [file, bytes] of files) for (let bit = 0; bit < bytes * 8; bit++) yield { file, how: bit };
}

/** Every damage to a whole file. */
export function allFiles({ files }: SmallFolder): FileDamage[] {
  return [...files.keys()].flatMap((file) => FILE_DAMAGES.map((how) => ({ file, how })));
}

/** Damages a folder. */
export async function applyDamage(folder: string, { file, how }: FileDamage): Promise<void> {
  const target = path.join(folder, file);
  const bytes = await readFile(target);
  const half = bytes.length >> 1;
  switch (how) {
    case "deleted":
      return rm(target);
    case "emptied":
      return truncate(target, 0);
    case "cut in the middle":
      return truncate(target, half);
    case "without its last byte":
      return truncate(target, Math.max(0, bytes.length - 1));
    case "half zeros":
      return writeFile(target, bytes.fill(0, half));
    default:
      bytes[how >> 3] = (bytes[how >> 3] ?? 0) ^ (1 << (how & 7));
      return writeFile(target, bytes);
  }
}
