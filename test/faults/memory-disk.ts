// Imported for its effect: temporary folders lie in memory where there is room. No test here needs a real disk, and
// forcing one thousands of times would take most of the time.
import { statfsSync } from "node:fs";

const MEMORY = "/dev/shm";
const ROOM_BYTES = 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

if (process.platform === "linux" && process.env["TMPDIR"] === undefined && hasRoom()) process.env["TMPDIR"] = MEMORY;
