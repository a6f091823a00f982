import path from "node:path";
import { ROOT } from "./places.mjs";
import { start } from "./processes.mjs";

const LIMIT_SECONDS = 600;

const tool = (name) => path.join(ROOT, "node_modules", name);
const node = (...args) => [process.execPath, args];

/** Tests of the launcher, the package and the pages use what this makes if it is older than its sources. They wait for it. */
const BUILD = { name: "check: build", command: node("scripts/setup.mjs", "--build") };
const BESIDE_THE_BUILD = [
  { name: "check: types", command: node(tool("typescript/bin/tsc"), "-p", ".") },
  { name: "check: lint and format", command: node("test/runner/lint.mjs") },
];
const AFTER_THE_BUILD = [
  { name: "check: publint", command: node(tool("publint/src/cli.js"), "--strict") },
  {
    name: "check: are the types wrong",
    // It takes as long as all others, and test/package-types.test.ts compiles against the types in most of these ways.
    needsTime: true,
    command: node(tool("@arethetypeswrong/cli/dist/index.js"), "--pack", ".", "--profile", "node16"),
  },
];

async function run({ name, command }) {
  // The build is a check of its own: packing for another one must not run it again under the feet of the tests.
  const env = { ...process.env, npm_config_ignore_scripts: "true" };
  const started = Date.now();
  const { output, ended, kill, cpu } = start(command, { env });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, LIMIT_SECONDS * 1000);
  const { code, signal } = await ended;
  clearTimeout(timer);
  const text = output.text();
  output.end();
  const reason = timedOut ? "time limit" : code === 0 ? undefined : `exit ${code ?? signal}`;
  const seconds = (Date.now() - started) / 1000;
  return [{ name, passed: reason ? 0 : 1, failed: reason ? 1 : 0, reason, output: text, seconds, cpu: cpu() }];
}

/** Jobs of the checks whose name is wanted: the build, what may run beside it, and what reads what it made. */
export function checkJobs(isWanted) {
  const jobsOf = (checks) => checks.filter(isWanted).map((check) => () => run(check));
  return { build: jobsOf([BUILD]), beside: jobsOf(BESIDE_THE_BUILD), after: jobsOf(AFTER_THE_BUILD) };
}
