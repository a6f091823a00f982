// Brings a checkout to the point where the command that was asked for can run: installs what is missing and, with
// `--build`, builds `dist` when it is missing or older than its sources. Says nothing when there is nothing to do.
// Runs before anything is installed, so it uses Node alone, and syntax that Node 14 can read, to be able to complain.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const SOURCES = [
  "src",
  "adapters",
  "test/contract",
  "scripts/dts-cjs.mjs",
  "scripts/api-browser.mjs",
  "tsup.config.ts",
  "package.json",
];
const DEPENDENCY_KINDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

function fail(message) {
  console.error(`setup: ${message}`);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node ${process.versions.node} is too old, this project needs Node 20.19 or newer`);
}

function readJson(name) {
  try {
    return JSON.parse(fs.readFileSync(path.join(ROOT, name), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    return fail(`${name} cannot be read: ${error.message}`);
  }
}

/** Why `npm install` has to run, or `undefined`. Looks at versions, not at times, which a clone or a copy changes. */
function installReason(manifest) {
  const lock = readJson("package-lock.json");
  const installed = readJson("node_modules/.package-lock.json");
  if (!installed) return "node_modules is missing";
  if (!lock) return "package-lock.json is missing";
  for (const kind of DEPENDENCY_KINDS) {
    const wanted = Object.entries(manifest[kind] ?? {});
    const locked = lock.packages[""][kind] ?? {};
    const changed = wanted.find(([name, range]) => locked[name] !== range);
    if (changed) return `package.json asks for ${changed.join(" ")}`;
  }
  for (const [place, { version, optional, peer }] of Object.entries(lock.packages)) {
    if (place === "") continue;
    const found = installed.packages[place]?.version;
    // An optional package that this platform has no build of stays away, a peer when npm is told so.
    if (found === undefined && (optional || peer)) continue;
    if (found !== version) return `${place} is not at version ${version}`;
    if (!fs.existsSync(path.join(ROOT, place))) return `${place} is missing`;
  }
  return undefined;
}

/** Time of the newest change below the given places. Folders count too: theirs tells of deleted files. */
function newestChange(places) {
  let newest = 0;
  for (const place of places) {
    const full = path.join(ROOT, place);
    if (!fs.existsSync(full)) continue;
    const entries = fs.statSync(full).isDirectory() ? fs.readdirSync(full, { recursive: true }) : [];
    for (const file of ["", ...entries]) newest = Math.max(newest, fs.statSync(path.join(full, file)).mtimeMs);
  }
  return newest;
}

/** Every file that package.json promises. */
function builtFiles(manifest) {
  const files = [...Object.values(manifest.bin)];
  const collect = (value) => {
    if (typeof value === "string") files.push(value);
    else for (const inner of Object.values(value)) collect(inner);
  };
  collect(manifest.exports);
  return files.filter((file) => file.startsWith("./dist/"));
}

/** Why the build has to run, or `undefined`. */
function buildReason(manifest) {
  const files = builtFiles(manifest).map((file) => path.join(ROOT, file));
  if (!files.every((file) => fs.existsSync(file))) return "dist is missing or not complete";
  const oldest = Math.min(...files.map((file) => fs.statSync(file).mtimeMs));
  return oldest < newestChange(SOURCES) ? "dist is older than its sources" : undefined;
}

/** Runs npm, the one that started this script when there is one. Shows what it printed only when it failed. */
function npm(args) {
  const own = process.env.npm_execpath?.endsWith("npm-cli.js") ? process.env.npm_execpath : undefined;
  const [command, first] = own ? [process.execPath, [own]] : ["npm", []];
  const shell = !own && process.platform === "win32";
  const result = spawnSync(command, [...first, ...args], { cwd: ROOT, shell, encoding: "utf8" });
  if (result.error) fail(`npm could not be started: ${result.error.message}`);
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout}${result.stderr}`);
  fail(
    `npm ${args[0] === "run" ? "run build" : args[0]} failed (exit code ${result.status ?? result.signal}), see above`,
  );
}

checkNode();
const manifest = readJson("package.json") ?? fail("package.json is missing");
const missing = installReason(manifest);
if (missing) {
  console.log(`setup: installing packages, ${missing}`);
  // Development packages build the server, so they are needed under NODE_ENV=production too.
  npm(["install", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"]);
}
const outdated = process.argv.includes("--build") ? buildReason(manifest) : undefined;
if (outdated) {
  console.log(`setup: building, ${outdated}`);
  npm(["run", "--silent", "build"]);
}
