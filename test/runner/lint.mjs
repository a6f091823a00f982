// Lints the files that changed since they last passed. No rule of biome.json reads a second file, except package.json,
// whose dependencies select rules. All files take ten seconds of processor time. Runs in the root of the checkout.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { fileURLToPath } from "node:url";

const TOOL = "node_modules/@biomejs/biome";
const CACHE = "node_modules/.cache";
const PASSED = `${CACHE}/lint.json`;
/** Biome finds the files itself if more of them changed. */
const MAX_FILES = 500;
const SETTINGS = ["biome.json", ".gitignore", "package.json", `${TOOL}/package.json`, fileURLToPath(import.meta.url)];

function readPassed() {
  try {
    return JSON.parse(fs.readFileSync(PASSED, "utf8"));
  } catch {
    return {};
  }
}

/** Renamed into place, because copies of node_modules may share the file as a hard link. */
function writePassed(passed) {
  const fresh = `${PASSED}.${process.pid}`;
  fs.mkdirSync(CACHE, { recursive: true });
  fs.writeFileSync(fresh, JSON.stringify(passed));
  fs.renameSync(fresh, PASSED);
}

/** The state of each file that git tracks or would add; `undefined` without git. Every write changes `ctime`. */
function readStates() {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  if (status !== 0) return undefined;
  const names = stdout.split("\0").filter((name) => name !== "");
  const stats = names.map((name) => [name, fs.statSync(name, { throwIfNoEntry: false })]);
  return Object.fromEntries(stats.flatMap(([name, stat]) => (stat ? [[name, `${stat.ctimeMs} ${stat.size}`]] : [])));
}

const settings = SETTINGS.reduce((hash, file) => hash.update(fs.readFileSync(file)), createHash("sha256")).digest(
  "hex",
);
const states = readStates();
const passed = readPassed();
const known = passed.settings === settings ? passed.files : {};
const changed = states && Object.keys(states).filter((name) => known[name] !== states[name]);
if (changed?.length === 0) process.exit(0);

const places = changed && changed.length <= MAX_FILES ? changed : ["."];
const flags = ["--no-errors-on-unmatched", "--files-ignore-unknown=true"];
const command = [`${TOOL}/bin/biome`, "check", ...flags, ...places];
const { status } = spawnSync(process.execPath, command, { stdio: "inherit" });
if (status === 0 && states) writePassed({ settings, files: states });
process.exitCode = status ?? 1;
