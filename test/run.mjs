// The test command. Runs the checks (types, lint, build, package), then every test file in a process of its own.
//
//   node test/run.mjs [name ...]     only the checks and files whose path contains one of the names
//   node test/run.mjs --long [name ...]   only the files that have more to try when there is time, and no checks
//   node test/run.mjs --dir FOLDER   only the test files of that folder, no checks (for the test of this runner)
//
// uvu alone is not trusted: it exits 0 after a hook that threw, a forgotten `run()` and a left-over `.only`. A file is
// green when its closing block says that every test ran and passed, and nothing else went wrong.
// A file that needs more time says so in a line of its own: `// time limit: 600 s`. One that has more to try in the long
// tests says how much time that takes at most, `// long: 1500 s`, and finds TEST_LONG=1 in its environment.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const DEFAULT_LIMIT_SECONDS = 300;
const LIMIT_LINE = /^\/\/ time limit: (\d+) s$/m;
const LONG_LINE = /^\/\/ long: (\d+) s$/m;
const ONLY = /\.only\s*\(/;
const CLOSING_BLOCK = /^\s*Total:\s+(\d+)\s+Passed:\s+(\d+)\s+Skipped:\s+(\d+)\s+Duration:/gm;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a colour code
const ANSI = /\u001b\[[0-9;]*m/g;

const tool = (name) => path.join(ROOT, "node_modules", name);
const node = (...args) => [process.execPath, args];
const FIRST_CHECKS = [
  { name: "check: types", command: node(tool("typescript/bin/tsc"), "-p", ".") },
  { name: "check: lint and format", command: node(tool("@biomejs/biome/bin/biome"), "check", ".") },
  { name: "check: build", command: ["npm", ["run", "--silent", "build"]], shell: process.platform === "win32" },
];
const PACKAGE_CHECKS = [
  { name: "check: publint", command: node(tool("publint/src/cli.js"), "--strict") },
  {
    name: "check: are the types wrong",
    command: node(tool("@arethetypeswrong/cli/dist/index.js"), "--pack", ".", "--profile", "node16"),
  },
];

/** Process groups under way, to be ended with the runner. */
const running = new Set();

function killGroup(child) {
  try {
    if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
    else process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Runs a command in a process group of its own, so that nothing it started outlives it. */
function run([command, args], { limitSeconds = DEFAULT_LIMIT_SECONDS, shell = false, env = process.env } = {}) {
  return new Promise((resolve) => {
    const stdio = ["ignore", "pipe", "pipe"];
    const child = spawn(command, args, { cwd: ROOT, env, shell, detached: process.platform !== "win32", stdio });
    const chunks = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child);
    }, limitSeconds * 1000);
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => chunks.push(Buffer.from(`${error.message}\n`)));
    child.on("exit", () => killGroup(child));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, signal, timedOut, output: Buffer.concat(chunks).toString().replace(ANSI, "") });
    });
  });
}

async function runCheck({ name, command, shell }) {
  // The build is a check of its own: packing for another one must not run it again under the feet of the tests.
  const env = { ...process.env, npm_config_ignore_scripts: "true" };
  const { code, signal, timedOut, output } = await run(command, { shell, env });
  const reason = timedOut ? "time limit" : code === 0 ? undefined : `exit ${code ?? signal}`;
  return { name, passed: reason ? 0 : 1, failed: reason ? 1 : 0, reason, output };
}

/** Why a file is red, or `undefined`. */
function faultOf({ code, signal, timedOut }, counts, limitSeconds) {
  const [total, passed, skipped] = counts;
  const exit = `exit ${code ?? signal}`;
  if (timedOut) return `time limit of ${limitSeconds} s`;
  if (total === undefined) return `no closing block, ${exit}`;
  if (total === 0) return "no test at all";
  if (passed !== total) return `${total - passed} of ${total} failed or did not run`;
  if (skipped > 0) return `${skipped} skipped`;
  return code === 0 ? undefined : exit;
}

async function runFile({ name, file, isLong }) {
  const source = fs.readFileSync(file, "utf8");
  const only = source.split("\n").findIndex((line) => ONLY.test(line));
  if (only >= 0) return { name, passed: 0, failed: 1, reason: `.only left in line ${only + 1}`, output: "" };
  const limitSeconds = Number((isLong ? LONG_LINE : LIMIT_LINE).exec(source)?.[1] ?? DEFAULT_LIMIT_SECONDS);
  const env = isLong ? { ...process.env, TEST_LONG: "1" } : process.env;
  const result = await run(node("--import", "tsx", file), { limitSeconds, env });
  const counts = [...result.output.matchAll(CLOSING_BLOCK)].at(-1)?.slice(1).map(Number) ?? [];
  const [total = 0, passed = 0] = counts;
  const reason = faultOf(result, counts, limitSeconds);
  const { output } = result;
  return { name, passed, failed: reason ? Math.max(1, total - passed) : 0, reason, output, tellsAlways: isLong };
}

/** Runs the jobs, as many at once as there are cores. */
async function pool(jobs, body) {
  const waiting = [...jobs];
  const worker = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      const started = Date.now();
      report(await body(job), (Date.now() - started) / 1000);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, os.availableParallelism()) }, worker));
}

const totals = { passed: 0, failed: 0 };

function report({ name, passed, failed, reason, output, tellsAlways = false }, seconds) {
  totals.passed += passed;
  totals.failed += failed;
  console.log(
    `${reason ? "FAIL" : "ok  "} ${name}  ${passed} passed, ${seconds.toFixed(1)} s${reason ? `, ${reason}` : ""}`,
  );
  // What the long tests have counted is the point of them.
  if ((reason || tellsAlways) && output.trim()) console.log(`${output.trimEnd().replace(/^/gm, "     | ")}\n`);
}

function findFiles(folder, isLong) {
  const files = fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".test.ts") && !name.startsWith(`conformance${path.sep}`))
    .map((name) => path.join(folder, name));
  const has = (line) => (file) => line.test(fs.readFileSync(file, "utf8"));
  const slow = new Set(files.filter(has(LIMIT_LINE)));
  // Slow files first: they must not be what everything else waits for at the end.
  return (isLong ? files.filter(has(LONG_LINE)) : files)
    .sort((a, b) => slow.has(b) - slow.has(a) || (a < b ? -1 : 1))
    .map((file) => ({ name: path.relative(ROOT, file).replaceAll(path.sep, "/"), file, isLong }));
}

async function main(args) {
  const longAt = args.indexOf("--long");
  const isLong = longAt >= 0;
  if (isLong) args.splice(longAt, 1);
  const dirAt = args.indexOf("--dir");
  const folder = dirAt < 0 ? path.join(ROOT, "test") : path.resolve(args.splice(dirAt, 2)[1]);
  const wanted = ({ name }) => args.length === 0 || args.some((filter) => name.includes(filter));
  const hasChecks = dirAt < 0 && !isLong;
  const firstChecks = hasChecks ? FIRST_CHECKS.filter(wanted) : [];
  const packageChecks = hasChecks ? PACKAGE_CHECKS.filter(wanted) : [];
  const files = findFiles(folder, isLong).filter(wanted);
  if (dirAt < 0 && (isLong || args.length > 0)) {
    // A part of the tests may need the build, which then is not among the checks. Say so, but go on, when it fails.
    spawnSync(process.execPath, ["scripts/setup.mjs", "--build"], { cwd: ROOT, stdio: "inherit" });
  }
  await pool(firstChecks, runCheck);
  await pool(packageChecks, runCheck);
  await pool(files, runFile);
  if (totals.passed + totals.failed === 0) {
    console.log("no test matches");
    totals.failed = 1;
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  process.exitCode = totals.failed === 0 ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    for (const child of running) killGroup(child);
    process.exit(1);
  });
}
await main(process.argv.slice(2));
