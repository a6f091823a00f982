import { open, rename, rm } from "node:fs/promises";

/** Writes a file that only its owner can read, in one step: nobody finds half of it. An older one is replaced. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  await rm(temporary, { force: true });
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
