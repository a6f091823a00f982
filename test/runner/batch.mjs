// Child program of batches.mjs: runs test files one after the other in one process, and tells on file descriptor 3 when
// it is ready, and when each has ended: a line with its exit code and where its output ends.
//
// A file has ended when nothing is left to wait for, as a process of its own would end. One whose tests never end is not
// followed by another, since what it has left could be anything. A red file may have left something open where its test
// failed: it is ended soon, and does not keep a worker until its time limit.
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";
import "./awake.mjs";

// Most code runs only a few times in a process of tests: to optimize it takes more of the processor than that saves. V8
// does so fifteen times later here.
v8.setFlagsFromString("--interrupt-budget=1000000");

// uvu then leaves starting to us.
globalThis.UVU_DEFER = 1;
globalThis.UVU_INDEX = 0;
globalThis.UVU_QUEUE = [];
const { exec } = await import("uvu");

const TELL = 3;
const NEVER_ENDS = 13;
/** What a red file has left to wait for after its tests, in milliseconds. */
const RED_MILLIS = 5_000;
const CATCHERS = ["uncaughtException", "unhandledRejection"];

/** Promises that have failed with nobody waiting yet: tests begin several calls and then wait for one after the other. */
const unheard = new Map();
const noteUnheard = (reason, promise) => unheard.set(promise, reason);
process.on("rejectionHandled", (promise) => unheard.delete(promise));

const [scratch, ...files] = process.argv.splice(2);
// tsx does so, too; what the runner has compiled comes without it.
process.setSourceMapsEnabled(true);
// Only now: tsx keeps what it has compiled in the folder that was the temporary one before, from run to run.
process.env.TMPDIR = scratch;
// What this process runs is noted all the same. Programs that it starts run the build, which has no sources.
delete process.env.NODE_V8_COVERAGE;
const env = { ...process.env };
const cwd = process.cwd();
const globals = Object.getOwnPropertyDescriptors(globalThis);

let isPlaying = false;
let started = 0;
let redEnding;

async function play(file) {
  UVU_QUEUE.splice(0, Number.POSITIVE_INFINITY, [null]);
  process.on("unhandledRejection", noteUnheard);
  isPlaying = true;
  started = performance.now();
  try {
    await import(pathToFileURL(file).href);
    await exec();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  isPlaying = false;
  if (process.exitCode) redEnding = setTimeout(() => process.exit(), RED_MILLIS).unref();
}

/** Undoes what a file has done to the process, so that the next one finds it as the first one did. */
function restore() {
  process.exitCode = undefined;
  if (process.cwd() !== cwd) process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
  for (const event of CATCHERS) process.removeAllListeners(event);
  for (const [name, found] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    const before = globals[name];
    if (before === undefined) delete globalThis[name];
    else if (found.value !== before.value || found.get !== before.get) Object.defineProperty(globalThis, name, before);
  }
}

/** What nobody has waited for until the end is as bad as an exception that nobody catches. */
function tellUnheard() {
  for (const reason of unheard.values()) console.error("nobody waited for what failed here:", reason);
  if (unheard.size > 0) process.exitCode = 1;
  unheard.clear();
}

let next = 0;

function goOn() {
  clearTimeout(redEnding);
  if (isPlaying) process.exit(NEVER_ENDS);
  if (next > 0) {
    tellUnheard();
    const ending = {
      code: process.exitCode ?? 0,
      at: fs.fstatSync(1).size,
      seconds: (performance.now() - started) / 1000,
    };
    fs.writeSync(TELL, `${JSON.stringify(ending)}\n`);
    if (next === files.length) {
      process.off("beforeExit", goOn);
      process.exitCode = undefined;
      return;
    }
    restore();
  }
  void play(files[next++]);
}

fs.writeSync(TELL, "ready\n");
process.on("beforeExit", goOn);
