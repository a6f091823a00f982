// Folders that cannot be written to.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a body while nothing in a folder can be written; root needs a mount for that. @returns whether it could */
export async function whileFixed(folder: string, body: () => Promise<void>): Promise<boolean> {
  if (process.platform === "win32") return false;
  if (process.getuid?.() !== 0) {
    await run("chmod", ["-R", "a-w", folder]);
    await body().finally(() => run("chmod", ["-R", "u+w", folder]));
    return true;
  }
  const isMounted = await run("mount", ["--bind", folder, folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return false;
  try {
    await run("mount", ["-o", "remount,ro,bind", folder]);
    await body();
  } finally {
    await run("umount", ["--lazy", folder]);
  }
  return true;
}
