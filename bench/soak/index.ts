import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../command.js";
import { progressLine, report, reportJson } from "./report.js";
import { Soak, type SoakOptions } from "./soak.js";

const USAGE = `npm run soak -- [--minutes N | --hours N] [--seed N] [--watchers N] [--rate BEATS_PER_SECOND]
  [--kill-every SECONDS] [--calm SHARE] [--events N] [--path EMPTY_FOLDER] [--json]`;

const PROGRESS_EVERY_MILLIS = 30_000;

interface Command {
  readonly options: Omit<SoakOptions, "folder" | "signal">;
  readonly path: string | undefined;
  readonly json: boolean;
}

/** @throws TypeError for arguments that cannot be meant */
function parseCommand(): Command {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string" },
      hours: { type: "string" },
      seed: { type: "string" },
      watchers: { type: "string", default: "16" },
      rate: { type: "string", default: "4" },
      "kill-every": { type: "string", default: "40" },
      calm: { type: "string", default: "0.25" },
      events: { type: "string", default: "40000" },
      path: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const { minutes, hours } = values;
  if (minutes !== undefined && hours !== undefined) throw new TypeError("--minutes and --hours exclude each other");
  const number = (name: string, text: string, least: number, most = Number.POSITIVE_INFINITY): number => {
    const value = Number(text);
    if (text !== "" && value >= least && value <= most) return value;
    throw new TypeError(`--${name} is ${text}; a number from ${least}${most < 1e9 ? ` to ${most}` : ""} is expected`);
  };
  return {
    options: {
      minutes: hours === undefined ? number("minutes", minutes ?? "3", 0.1) : 60 * number("hours", hours, 0.01),
      seed: number("seed", values.seed ?? String(Date.now() % 1_000_000), 0),
      watchers: Math.round(number("watchers", values.watchers, 1)),
      rate: number("rate", values.rate, 0.01),
      killEvery: number("kill-every", values["kill-every"], 1),
      calm: number("calm", values.calm, 0, 0.9),
      events: Math.round(number("events", values.events, 1000)),
    },
    path: values.path === undefined ? undefined : resolve(values.path),
    json: values.json,
  };
}

/** @throws TypeError when the folder that was named holds something */
function folderFor(path: string | undefined): string {
  if (path === undefined) return mkdtempSync(join(tmpdir(), "activity-soak-"));
  if (existsSync(path) && readdirSync(path).length > 0) throw new TypeError(`--path ${path} is not an empty folder`);
  mkdirSync(path, { recursive: true });
  return path;
}

async function run({ options, path, json }: Command): Promise<void> {
  const folder = folderFor(path);
  const interrupted = new AbortController();
  const soak = new Soak({ ...options, folder, signal: interrupted.signal });
  // The first signal ends the run with a last check, the second one at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => (interrupted.signal.aborted ? process.exit(130) : interrupted.abort()));
  }
  process.on("exit", () => soak.kill());
  console.error(`soak: ${options.minutes} minutes, seed ${options.seed}, in ${folder}`);
  const timer = setInterval(() => console.error(progressLine(soak.result())), PROGRESS_EVERY_MILLIS);
  const result = await soak.run();
  clearInterval(timer);
  console.log(json ? reportJson(result, options.seed) : report(result, options.seed));
  if (result.faults.length > 0) {
    console.error(`the data are kept in ${join(folder, "data")}`);
    process.exitCode = 1;
  } else if (path === undefined) rmSync(folder, { recursive: true, force: true });
}

await runCommand(parseCommand, USAGE, run);
