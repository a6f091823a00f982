// The test command. Runs the checks (types, lint, build, package) beside every test file.
//
//   node test/run.mjs [name ...]     only the checks and files whose path contains one of the names
//   node test/run.mjs --watch name   these, and again after each change
//   node test/run.mjs --long [name ...]   only the files that have more to try when there is time, and no checks;
//                                    they find TEST_LONG=1 in their environment
//   node test/run.mjs --with-long [name ...]   everything, those files in their long form, and the checks that need time;
//                                    with --coverage, too
//   node test/run.mjs --record       also writes down what each file took: the largest start first
//   node test/run.mjs --coverage [name ...]   also tells what the tests reach of each folder; of all tests it demands the
//                                    thresholds of coverage.json
//   node test/run.mjs --again        also plays red files once more, alone (again.mjs); with any of the others
//   node test/run.mjs --dir FOLDER   only the test files of that folder, no checks (for the test of this runner)
//
// What test files say about themselves: runner/files.mjs. What is green: runner/verdict.mjs.
import { spawnSync } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { playAgain } from "./runner/again.mjs";
import { batchesOf, runBatch } from "./runner/batches.mjs";
import { checkJobs } from "./runner/checks.mjs";
import { compileCheckout, compileFolder } from "./runner/compiled.mjs";
import { beginCoverage, judgeCoverage } from "./runner/coverage.mjs";
import { findFiles, needsBuild } from "./runner/files.mjs";
import { readOptions } from "./runner/options.mjs";
import { ROOT, removeScratch } from "./runner/places.mjs";
import { killAll } from "./runner/processes.mjs";
import { Report } from "./runner/report.mjs";
import { record } from "./runner/times.mjs";
import { watch } from "./runner/watch.mjs";

/** One more than there are cores: tests wait for timers, disks and other processes, too. */
const WORKERS = Math.max(2, os.availableParallelism()) + 1;

/** Runs the jobs in their order, several at once. */
async function pool(jobs, report) {
  const waiting = [...jobs];
  const worker = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      for (const result of await job()) report.add(result);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

/** Jobs, and a promise of what has to be done before others may start. */
function shared(jobs) {
  let settle;
  const done = new Promise((resolve) => {
    settle = resolve;
  });
  if (jobs.length === 0) settle();
  return [done, jobs.map((job) => () => job().finally(settle))];
}

function build() {
  // A part of the tests may need the build, which then is not among the checks. Say so, but go on, when it fails.
  spawnSync(process.execPath, ["scripts/setup.mjs", "--build"], { cwd: ROOT, stdio: "inherit" });
}

async function run(options) {
  const { hasSecondChance, isCovered, isLong, isRecorded, isWatched, isWanted, isWhole, folder, names } = options;
  const report = new Report();
  const files = findFiles(folder, options).filter(isWanted);
  const hasChecks = isWhole && !isLong && !isWatched;
  const hasTime = options.withLong || names.length > 0;
  const checks = checkJobs((check) => hasChecks && isWanted(check) && (hasTime || !check.needsTime));
  const isPart = isWhole && (isLong || names.length > 0);
  if (isPart && (!isWatched || files.some(({ file }) => needsBuild(file)))) build();
  const [built, first] = shared(checks.build);
  const coverage = isCovered ? beginCoverage() : undefined;
  // Launchers that tests start take their compiled code from there, and Node 22 what else it loads. Of code that comes
  // from a cache V8 counts less exactly what runs.
  if (!isCovered) process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, "node_modules/.cache/compiled-code");
  // Links in the tree of compiled files need a privilege on Windows.
  const isCompiled = !isWatched && process.platform !== "win32";
  const compile = isWhole ? compileCheckout : () => compileFolder(folder);
  const means = { coverage, compiled: isCompiled ? await compile(isCovered) : undefined };
  const batches = batchesOf(files, WORKERS).map((batch) => () => runBatch(batch, means));
  const later = [...batches, ...checks.after];
  await pool([...first, ...checks.beside, ...later.map((job) => () => built.then(job))], report);
  if (hasSecondChance) await playAgain(files, report, means);
  if (coverage) report.add(await judgeCoverage(coverage, isWhole && !isLong && names.length === 0, means.compiled));
  if (isRecorded) record(report.results);
  process.exitCode = report.close() ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    killAll();
    process.exit(1);
  });
}
process.once("exit", removeScratch);
const options = readOptions(process.argv.slice(2));
if (options.isWatched) await watch(options.folder, () => run(options), killAll);
else await run(options);
