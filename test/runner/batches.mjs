// Many small files share a process: starting one and loading the server takes longer than most of them.
import path from "node:path";
import { coverageEnv } from "./coverage.mjs";
import { ROOT, SCRATCH } from "./places.mjs";
import { start } from "./processes.mjs";
import { secondsOf } from "./times.mjs";
import { judge, judgeUnread } from "./verdict.mjs";

const PROGRAM = path.join(ROOT, "test/runner/batch.mjs");
/** A batch holds files for about so long, in seconds of the processor: a new process pays for loading the server. */
const MAX_SECONDS = 45;
const LEAST_SECONDS = 12;
const MAX_FILES = 40;
/**
 * Tests create many objects that live for a moment. V8 copies fewer of them if their space has its maximum size, in
 * MiB, from the start, which saves a tenth of the processor time.
 */
const YOUNG = "--min-semi-space-size=16";

/**
 * Puts files into batches, neighbours together, since they load the same; the slowest batch comes first. The less is
 * left, the smaller they are, so that no worker ends long after the others.
 */
export function batchesOf(files, workers) {
  const batches = [];
  let left = files.reduce((sum, file) => sum + secondsOf(file), 0);
  let open;
  let limit = 0;
  for (const file of files) {
    const seconds = secondsOf(file);
    const isAlone = file.isAlone || seconds >= MAX_SECONDS;
    const fits = !isAlone && open && open.files.length < MAX_FILES && open.seconds + seconds <= limit;
    if (fits) {
      open.files.push(file);
      open.seconds += seconds;
    } else {
      const batch = { files: [file], seconds };
      batches.push(batch);
      if (!isAlone) {
        open = batch;
        limit = Math.min(MAX_SECONDS, Math.max(LEAST_SECONDS, left / (2 * workers)));
      }
    }
    left -= seconds;
  }
  return batches.sort((a, b) => b.seconds - a.seconds).map(({ files }) => files);
}

/**
 * Runs files in one process, and those behind one that ended it in another.
 *
 * @param means `coverage`: the folder for what Node notes of it, if it is wanted; `compiled`: of compiled.mjs, if it is
 * to be used
 * @returns a result for each
 */
export async function runBatch(files, means = {}) {
  const results = files.map(judgeUnread).filter((result) => result !== undefined);
  let waiting = files.filter(({ onlyAt }) => onlyAt === undefined);
  while (waiting.length > 0) {
    const { endings, code, signal } = await runOnce(waiting, means);
    const played = endings.map((ending, index) => judge(waiting[index], ending));
    const hasEndedWell = code === 0 || endings.length < waiting.length || played.some(({ reason }) => reason);
    if (hasEndedWell) results.push(...played);
    else results.push(...(await findCulprit(waiting, played, `exit ${code ?? signal}`, means)));
    waiting = waiting.slice(endings.length);
  }
  return results;
}

/** All files passed, and yet the process ended badly: tells whose fault that is. */
async function findCulprit(files, played, reason, means) {
  const [only] = played;
  if (files.length === 1) return [{ ...only, failed: 1, reason }];
  const results = [];
  for (const file of files) results.push(...(await runBatch([file], means)));
  if (results.some((result) => result.reason)) return results;
  const name = files.map((file) => file.name).join(" ");
  return [
    ...results,
    { name, passed: 0, failed: 1, reason: `${reason}, but only together`, output: "", seconds: 0, cpu: 0 },
  ];
}

/** Runs files in one process until all have ended, or the process has. @returns how each ended that was begun */
async function runOnce(files, { coverage, compiled }) {
  const long = files[0].isLong && { TEST_LONG: "1" };
  const env = { ...process.env, ...long, ...(compiled && { TEST_COMPILED: compiled.tree }), ...coverageEnv(coverage) };
  const played = files.map(({ file }) => (compiled ? compiled.of(file) : file));
  const loader = compiled ? [] : ["--import", "tsx"];
  const command = [process.execPath, [YOUNG, ...loader, PROGRAM, SCRATCH, ...played]];
  const endings = [];
  let from = 0;
  let cpuBefore = 0;
  let began;
  let timer;
  let timedOut = false;
  function begin({ limitSeconds }) {
    clearTimeout(timer);
    began = Date.now();
    timer = setTimeout(() => {
      timedOut = true;
      child.kill();
    }, limitSeconds * 1000);
  }
  /** Since the file before ended. The first one pays for what all of them load. */
  function cpuSince() {
    const before = cpuBefore;
    cpuBefore = child.cpu();
    return cpuBefore - before;
  }
  function onLine(line) {
    if (line !== "ready") {
      const { code, at, seconds } = JSON.parse(line);
      endings.push({ code, signal: null, output: child.output.text(from, at), seconds, cpu: cpuSince() });
      from = at;
    }
    begin(files[endings.length] ?? files.at(-1));
  }
  const child = start(command, { env, onLine });
  begin(files[0]);
  const { code, signal } = await child.ended;
  clearTimeout(timer);
  const output = child.output.text(from);
  child.output.end();
  if (endings.length < files.length) {
    endings.push({ code, signal, timedOut, output, seconds: (Date.now() - began) / 1000, cpu: cpuSince() });
  } else {
    endings.at(-1).output += output;
  }
  return { endings, code, signal };
}
