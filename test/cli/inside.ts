// Imported for its effect, too: here as well nothing may depend on the accounts of the machine.
import "./accounts.mjs";
import { PassThrough, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { type LaunchEnvironment, launch, reportFailure } from "../../src/cli/launch.js";
import type { StopSignal } from "../../src/cli/stop.js";
import {
  bareEnvironment,
  inWorkshop,
  type Launched,
  type Starter,
  starterOf,
  type Workshop,
  watch,
} from "./launcher.js";

/** A workshop whose launchers run in the process of the test. */
export interface Inside extends Workshop {
  /** Starts the built launcher all the same, in a process of its own. */
  readonly program: Starter;
}

/**
 * Runs launchers in this process, from the sources: to start a program takes longer than most of what it then does.
 * What a process does at its end, with signals, pipes and its umask is shown by programs.
 *
 * Working folder and environment are this process's own, so that the environment is that of the launcher started last.
 */
export function inside(body: (workshop: Inside) => Promise<void>): Promise<void> {
  return inWorkshop(async (program) => {
    const [cwd, env] = [process.cwd(), { ...process.env }];
    const all: Launched[] = [];
    const spawn: Starter["spawn"] = (words, given) => {
      become({ ...bareEnvironment(program.folder), ...given });
      const launched = launchHere(words);
      all.push(launched);
      return launched;
    };
    process.chdir(program.folder);
    try {
      await body({ ...program, ...starterOf(spawn), program });
    } finally {
      for (const launched of all) launched.kill("SIGTERM");
      await Promise.all(all.map(({ ended }) => ended));
      process.chdir(cwd);
      become(env);
    }
  });
}

function become(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

function launchHere(words: readonly string[]): Launched {
  const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
  let stop: (signal: StopSignal) => void = () => undefined;
  const stopped = new Promise<StopSignal>((resolve) => {
    stop = resolve;
  });
  const surroundings: LaunchEnvironment = { env: { ...process.env }, streams, stopSignal: () => stopped };
  const ending = launch(words, surroundings).catch((error: unknown) => reportFailure(error, words, surroundings));
  const closed = ending.then(async (code) => {
    // An import tells V8 to use little memory, for the process that ends with it.
    setFlagsFromString("--semi-space-growth-factor=2");
    await Promise.all([streams.stdout, streams.stderr].map((stream) => finished(stream.end())));
    return [code, null] as const;
  });
  return {
    ...watch(streams, closed),
    pid: process.pid,
    kill(signal) {
      if (signal !== "SIGINT" && signal !== "SIGTERM") throw new Error(`${signal} would end the tests`);
      stop(signal);
    },
  };
}
