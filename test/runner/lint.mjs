// Lints what has changed since it was found in order: no rule of biome.json looks at more than one file. All files take
// ten seconds of the processor. Started in the root of the checkout.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";

const TOOL = "node_modules/@biomejs/biome";
const NOTES = "node_modules/.cache/lint.json";
/** With more, the tool finds them itself. */
const MOST = 500;

function readNotes() {
  try {
    return JSON.parse(fs.readFileSync(NOTES, "utf8"));
  } catch {
    return {};
  }
}

/** The state of each file that git knows or would take, or `undefined` where there is no git. */
function statesOfFiles() {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  if (status !== 0) return undefined;
  const stats = stdout.split("\0").map((name) => [name, name && fs.statSync(name, { throwIfNoEntry: false })]);
  return Object.fromEntries(stats.filter(([, stat]) => stat).map(([name, stat]) => [name, [stat.mtimeMs, stat.size]]));
}

const rules = createHash("sha256");
for (const file of ["biome.json", ".gitignore", `${TOOL}/package.json`]) {
  rules.update(fs.readFileSync(file));
}
const wanted = rules.digest("hex");
const states = statesOfFiles();
const { rules: known, files = {} } = readNotes();
const changed = Object.keys(states ?? {}).filter(
  (name) => known !== wanted || String(files[name]) !== String(states[name]),
);
if (states && changed.length === 0) process.exit(0);
const names = states && changed.length <= MOST ? changed : ["."];
const flags = ["--no-errors-on-unmatched", "--files-ignore-unknown=true"];
const { status } = spawnSync(process.execPath, [`${TOOL}/bin/biome`, "check", ...flags, ...names], {
  stdio: "inherit",
});
if (status === 0 && states) {
  fs.mkdirSync("node_modules/.cache", { recursive: true });
  fs.writeFileSync(NOTES, JSON.stringify({ rules: wanted, files: states }));
}
process.exitCode = status ?? 1;
