// How long each test file takes, in seconds, as `node test/run.mjs --record` has written it down.
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

export function secondsOf({ name }) {
  return recorded[name] ?? UNKNOWN_SECONDS;
}

/** Writes down what was measured, and forgets files that are gone. */
export function record(results) {
  const times = { ...recorded };
  for (const { name, seconds } of results) {
    if (name.endsWith(".test.ts")) times[name] = Math.max(0.1, Math.round(seconds * 10) / 10);
  }
  const kept = Object.entries(times).filter(([name]) => fs.existsSync(path.join(ROOT, name)));
  fs.writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(kept.sort()), null, 2)}\n`);
}
