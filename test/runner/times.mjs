// What each test file takes of the processor, in seconds, as `node test/run.mjs --record` has written it down: how long
// it takes depends on what runs beside it.
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./places.mjs";

const FILE = path.join(ROOT, "test/times.json");
const UNKNOWN_SECONDS = 1;

function read() {
  try {
    return JSON.parse(fs.readFileSync(FILE, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

const recorded = read();

/** In the long tests the limit, which was set with a look at how long they take: they are not recorded. */
export function secondsOf({ name, isLong, limitSeconds }) {
  return isLong ? limitSeconds : (recorded[name] ?? UNKNOWN_SECONDS);
}

/** A file that mostly waits is not to be the last one either. */
function weightOf(cpu, seconds) {
  return Math.max(cpu, seconds / 2);
}

/** Writes down what was measured, and forgets files that are gone. */
export function record(results) {
  const times = { ...recorded };
  for (const { name, cpu, seconds } of results) {
    // Not every system tells what a process took.
    if (name.endsWith(".test.ts")) times[name] = Math.max(0.1, Math.round(weightOf(cpu || seconds, seconds) * 10) / 10);
  }
  const kept = Object.entries(times).filter(([name]) => fs.existsSync(path.join(ROOT, name)));
  fs.writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(kept.sort()), null, 2)}\n`);
}
