import { mkdir } from "node:fs/promises";
import { type Ended, type Environment, inWorkshop, type Launched, type Workshop } from "../cli/launcher.js";
import { Api } from "./api.js";
import { LAUNCHER } from "./package-under-test.js";
import { Shim } from "./shim.js";

/** A server that runs. */
export interface RunningServer {
  readonly api: Api;
  readonly pid: number;
  /** Ends it as an operator does. */
  stop(): Promise<Ended>;
  /** Ends it at once, as the kernel does. */
  kill(): Promise<Ended>;
  readonly ended: Promise<Ended>;
  /** What it has written to its log so far. */
  log(): string;
}

/** A data folder on a disk that goes wrong when it is told to. */
export interface Rig {
  readonly workshop: Workshop;
  readonly shim: Shim;
  /** The folder that stands for the disk. */
  readonly disk: string;
  /** The data folder, on that disk. */
  readonly data: string;
  /** Starts the launcher on the data folder and waits until it listens. */
  start(words?: readonly string[]): Promise<RunningServer>;
  /** Starts it without waiting. */
  spawn(words?: readonly string[]): Launched;
  /** Starts it with nothing between it and the disk. */
  startPlain(words?: readonly string[]): Promise<RunningServer>;
}

/** Runs a body with a rig of its own, which is gone afterwards. */
export function withRig(body: (rig: Rig) => Promise<void>): Promise<void> {
  return inWorkshop(async (workshop) => {
    const disk = workshop.path("disk");
    await mkdir(disk);
    const shim = await Shim.over(disk, workshop.folder);
    const data = `${disk}/user/data`;
    try {
      await body({
        workshop,
        shim,
        disk,
        data,
        start: (words = []) => running(launch(workshop, [...words, "--data", data], shim.env)),
        spawn: (words = []) => launch(workshop, [...words, "--data", data], shim.env),
        startPlain: (words = []) => running(launch(workshop, [...words, "--data", data], {})),
      });
    } finally {
      await shim.close();
    }
  });
}

function launch(workshop: Workshop, words: readonly string[], env: Environment): Launched {
  return workshop.spawn(["--json", "--port", "0", ...words], env, LAUNCHER);
}

async function running(launched: Launched): Promise<RunningServer> {
  const line: unknown = JSON.parse(await launched.line((text) => text.includes('"event":"listening"')));
  if (typeof line !== "object" || line === null || !("url" in line)) throw new Error("the first line names no URL");
  const end = (signal: "SIGTERM" | "SIGKILL") => {
    launched.kill(signal);
    return launched.ended;
  };
  return {
    api: new Api(`${line.url}`),
    pid: launched.pid,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    ended: launched.ended,
    log: () => launched.said().stdout + launched.said().stderr,
  };
}
