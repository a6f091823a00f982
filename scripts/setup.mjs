// Brings a checkout to the point where the command that was asked for can run: installs what is missing and, with
// `--build`, builds `dist` when it is missing or older than its sources. Says nothing when there is nothing to do.
// Runs before anything is installed, so it uses Node alone, and syntax that Node 14 can read, to be able to complain.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
/** Everything that the build reads. */
const SOURCES = [
  "src",
  "adapters",
  "test/contract",
  "scripts",
  "tsup.config.ts",
  "tsconfig.json",
  "tsconfig.build.json",
  "package.json",
  "package-lock.json",
];
const PAGES = ["dashboard.cjs", "api-browser.cjs", "none.cjs"].map((file) => `./dist/pages/${file}`);
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

/**
 * The command of npm that has to run, and why, or `undefined`. `npm ci` installs what the lock says and nothing else, but
 * refuses a lock that is missing or behind package.json. Looks at versions, not at times, which a clone or a copy changes.
 */
function missingPackages(manifest) {
  const lock = readJson("package-lock.json");
  if (!lock) return { command: "install", reason: "package-lock.json is missing" };
  for (const kind of DEPENDENCY_KINDS) {
    const wanted = Object.entries(manifest[kind] ?? {});
    const locked = lock.packages[""][kind] ?? {};
    const changed = wanted.find(([name, range]) => locked[name] !== range);
    if (changed) return { command: "install", reason: `package.json asks for ${changed.join(" ")}` };
  }
  const reason = differenceFrom(lock);
  return reason && { command: "ci", reason };
}

/** In what way node_modules is not what the lock says, or `undefined`. */
function differenceFrom(lock) {
  const installed = readJson("node_modules/.package-lock.json");
  if (!installed) return "node_modules is missing";
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

/** Every file that package.json promises, and by which the pages are found. */
function builtFiles(manifest) {
  const files = [...PAGES, ...Object.values(manifest.bin)];
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

/**
 * Runs npm, the one that started this script when there is one. Shows what it printed only when it failed.
 *
 * @returns what to say about the failure, if it failed
 */
function npm(args) {
  const own = process.env.npm_execpath?.endsWith("npm-cli.js") ? process.env.npm_execpath : undefined;
  const [command, first] = own ? [process.execPath, [own]] : ["npm", []];
  const shell = !own && process.platform === "win32";
  const result = spawnSync(command, [...first, ...args], { cwd: ROOT, shell, encoding: "utf8" });
  if (result.error) fail(`npm could not be started: ${result.error.message}`);
  if (result.status === 0) return undefined;
  process.stderr.write(`${result.stdout}${result.stderr}`);
  const name = args[0] === "run" ? "run build" : args[0];
  return `npm ${name} failed (exit code ${result.status ?? result.signal}), see above`;
}

function install(command) {
  // Development packages build the server, so they are needed under NODE_ENV=production too.
  return npm([command, "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"]);
}

checkNode();
const manifest = readJson("package.json") ?? fail("package.json is missing");
const missing = missingPackages(manifest);
if (missing) {
  console.log(`setup: installing packages, ${missing.reason}`);
  let failure = install(missing.command);
  if (failure && missing.command === "ci") {
    console.error(`setup: ${failure}; trying npm install, which may change package-lock.json`);
    failure = install("install");
  }
  if (failure) fail(failure);
}
const outdated = process.argv.includes("--build") ? buildReason(manifest) : undefined;
if (outdated) {
  console.log(`setup: building, ${outdated}`);
  const failure = npm(["run", "--silent", "build"]);
  if (failure) fail(failure);
}
