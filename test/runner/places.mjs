import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const MEMORY = "/dev/shm";
const ROOM_BYTES = 1024 ** 3;

function hasRoom(folder) {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

/**
 * Temporary folder of this run, gone at its end with all that tests have left there. In memory where there is room: no
 * test needs a real disk, and forcing one thousands of times would take most of the time.
 */
export const SCRATCH = fs.mkdtempSync(
  path.join(process.platform === "linux" && hasRoom(MEMORY) ? MEMORY : os.tmpdir(), "activity-tests-"),
);

/** tsx keeps what it has compiled in a temporary folder: processes that tests start shall find it as well. */
function shareCompiled() {
  const name = `tsx-${process.geteuid?.() ?? os.userInfo().username}`;
  const shared = path.join(os.tmpdir(), name);
  fs.mkdirSync(shared, { recursive: true });
  fs.symlinkSync(shared, path.join(SCRATCH, name), "junction");
}
shareCompiled();

export function removeScratch() {
  fs.rmSync(SCRATCH, { recursive: true, force: true, maxRetries: 5 });
}
