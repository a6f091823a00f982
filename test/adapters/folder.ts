import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** Runs a body with a temporary folder, which is gone afterwards. */
export async function withFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await newFolder();
  try {
    return await body(folder);
  } finally {
    await removeFolder(folder);
  }
}

/** Makes a temporary folder; to be given to `removeFolder`. */
export async function newFolder(): Promise<string> {
  return fs.mkdtemp(path.join(os.tmpdir(), "activity-server-test-"));
}

/** Removes a temporary folder with all that is in it. */
export async function removeFolder(folder: string): Promise<void> {
  await fs.rm(folder, { recursive: true, force: true });
}
