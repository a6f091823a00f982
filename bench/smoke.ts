// npm run bench:smoke: six rows against floors and a baseline, or many against another checkout (bench/README.md#smoke).
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { positive, runCommand } from "./command.js";
import { compareRows, FLOOR, type RunSettings } from "./contest.js";
import { sample } from "./data.js";
import { machineFacts, numberText, type Result, table } from "./measure.js";
import { command } from "./process.js";
import { isMeant, ROWS, type Row } from "./rows.js";

const BASELINE = new URL("baseline.json", import.meta.url);
/** The rows of the baseline: one for each kind of work. */
const BASELINE_ROWS = ["heartbeats/mixed/8", "bulk/1", "latest/100/8", "day/1", "query/day/warm", "start/window"];
/** Rows that take long, or that other rows cover. They run if they are named. */
const NAMED_ONLY = ["heartbeats/mixed", "watchers", "query/browser-month", "query/categories", "query/day", "start"];
/** A row fails below this share of the baseline's ratio. Less is within the noise of a shared machine. */
const FAILS_BELOW = 0.8;
/** Both sides of a comparison start so often. */
const STARTS = 4;
const BUSY_LOAD = 0.7;

const USAGE = `npm run bench:smoke -- [--update] [--rounds N] [--seconds S] [--json]
npm run bench:smoke -- --against CHECKOUT [ROW ...] [--durability WHAT] [--rounds N] [--seconds S] [--json]
rows: the start of an ID, such as heartbeats/merge; all of them are
  ${ROWS.map(({ id }) => (isNamedOnly(id) ? `${id} (only if it is named)` : id)).join("\n  ")}`;

type Baseline = Readonly<Record<string, { readonly ratio: number }>>;

interface Command {
  /** A built checkout; `undefined` for a run against the baseline. */
  readonly against: string | undefined;
  readonly rows: readonly Row[];
  readonly flags: readonly string[];
  readonly update: boolean;
  readonly json: boolean;
  readonly rounds: number;
  readonly seconds: number;
}

function isNamedOnly(id: string): boolean {
  return isMeant(NAMED_ONLY, id);
}

/** @throws TypeError for invalid arguments */
function parseCommand(): Command {
  const string = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: { against: string, durability: string, rounds: string, seconds: string, update: flag, json: flag },
  });
  const against = values.against === undefined ? undefined : resolve(values.against);
  if (against !== undefined && !existsSync(join(against, "dist")))
    throw new TypeError(`${values.against} has no dist; run 'npm run build' there`);
  if (against !== undefined && values.update) throw new TypeError("--update and --against exclude each other");
  if (against === undefined && (names.length > 0 || values.durability !== undefined))
    throw new TypeError("rows and --durability need --against");
  const unknown = names.find((name) => !ROWS.some(({ id }) => isMeant([name], id)));
  if (unknown !== undefined) throw new TypeError(`no row has an ID that begins with '${unknown}'`);
  const chosen = ROWS.filter(({ id, onDemand }) => {
    if (names.length === 0) return !isNamedOnly(id);
    return onDemand ? names.includes(id) : isMeant(names, id);
  });
  return {
    against,
    rows: against === undefined ? ROWS.filter(({ id }) => BASELINE_ROWS.includes(id)) : chosen,
    flags: values.durability === undefined ? [] : ["--durability", values.durability],
    update: values.update,
    json: values.json,
    rounds: positive("rounds", values.rounds ?? "5"),
    seconds: positive("seconds", values.seconds ?? (against === undefined ? "0.2" : "0.8")),
  };
}

async function compareWithCheckout(options: Command, against: string, settings: RunSettings): Promise<Result[]> {
  const { rows, flags, rounds } = options;
  const results: Result[] = [];
  const report = (result: Result): void => {
    results.push(result);
    console.error(`${result.id}: ${numberText(result.ratio)}`);
  };
  const sides = [{ flags }, { flags, checkout: against }].map((side) => ({
    program: (folder: string) => command(folder, side),
  }));
  await compareRows(rows, sides as [(typeof sides)[0], (typeof sides)[0]], settings, report, Math.min(STARTS, rounds));
  return results;
}

/** Rows that fail are measured again, because it may have been noise. */
async function compareWithBaseline({ rows }: Command, baseline: Baseline, settings: RunSettings): Promise<Result[]> {
  const results = new Map<string, Result>();
  const measure = (some: readonly Row[]): Promise<void> =>
    compareRows(some, [{ program: (folder) => command(folder) }, FLOOR], settings, (result) => {
      results.set(result.id, result);
      console.error(`${result.id}: ${numberText(ofBefore(result, baseline))} of before`);
    });
  await measure(rows);
  const failed = failures([...results.values()], baseline);
  if (failed.length > 0) await measure(rows.filter(({ id }) => failed.includes(id)));
  return [...results.values()];
}

function ofBefore({ id, ratio = Number.NaN }: Result, baseline: Baseline): number {
  return ratio / (baseline[id]?.ratio ?? Number.NaN);
}

/** Rows without a baseline never fail. */
function failures(results: readonly Result[], baseline: Baseline): string[] {
  return results.filter((result) => ofBefore(result, baseline) < FAILS_BELOW).map(({ id }) => id);
}

function print(results: readonly Result[], other: string, baseline: Baseline): string {
  const headings = ["row", "unit", "ours", other, "ratio", "lowest", "highest", "p99 ms", other, "cpu µs", other];
  const cells = results.map((result) => {
    const { id, unit, ours, other: theirs, ratio, lowest, highest } = result;
    const numbers = [ours.rate, theirs?.rate, ratio, lowest, highest, ours.p99Millis, theirs?.p99Millis];
    const cpu = [ours.cpuMicros, theirs?.cpuMicros, (theirs?.cpuMicros ?? Number.NaN) / ours.cpuMicros];
    return [id, unit, ...[...numbers, ...cpu, ofBefore(result, baseline)].map(numberText)];
  });
  return table([...headings, "cpu ratio", "of before"], cells, 2);
}

async function run(options: Command): Promise<void> {
  const { rounds, seconds, against, update, json } = options;
  const [load = 0] = loadavg();
  if (load > BUSY_LOAD) console.error(`the machine is busy (load ${load.toFixed(1)}): only CPU is comparable`);
  const root = mkdtempSync(join(tmpdir(), "activity-smoke-"));
  const settings = { rounds, seconds, sample: sample(), root };
  const isPlain = against === undefined && !update;
  const baseline: Baseline = isPlain ? JSON.parse(readFileSync(BASELINE, "utf8")).rows : {};
  try {
    const results =
      against === undefined
        ? await compareWithBaseline(options, baseline, settings)
        : await compareWithCheckout(options, against, settings);
    const failed = failures(results, baseline);
    if (json)
      console.log(JSON.stringify({ machine: machineFacts(), rounds, seconds, failed, baseline, results }, null, 2));
    else console.log(print(results, against === undefined ? "floor" : "theirs", baseline));
    if (update) writeBaseline(results);
    if (failed.length > 0) {
      console.error(`slower than the baseline: ${failed.join(", ")}`);
      process.exitCode = 1;
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function writeBaseline(results: readonly Result[]): void {
  const rounded = (value = Number.NaN): number => Number(value.toPrecision(4));
  const rows = results.map(({ id, unit, ratio, ours, other }) => {
    return [id, { ratio: rounded(ratio), ours: rounded(ours.rate), floor: rounded(other?.rate), unit }] as const;
  });
  const text = JSON.stringify({ machine: machineFacts(), rows: Object.fromEntries(rows) }, null, 2);
  writeFileSync(BASELINE, `${text}\n`);
}

await runCommand(parseCommand, USAGE, run);
