// npm run bench:smoke: six rows against floors and a baseline, or many against another checkout (bench/README.md#smoke).
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { positive, runCommand } from "../command.js";
import { machineFacts } from "../table.js";
import { readBaseline, writeBaseline } from "./baseline.js";
import { againstHeading, againstLine, baselineHeading, baselineLine, hasFailed } from "./report.js";
import { ROWS, type SmokeRow } from "./rows.js";
import { measureRows, type RowResult, type RunSettings } from "./runner.js";

/** The rows of the baseline: one for each kind of work. */
const BASELINE_ROWS = new Set([
  "heartbeats/mixed/8",
  "bulk/1",
  "latest/100/8",
  "day/1",
  "query/day/warm",
  "start/200k",
]);
/** Rows that only stand in the baseline, since they mix what others measure apart. */
const BASELINE_ALONE = new Set(["heartbeats/mixed/8", "query/day/warm"]);

/** Processes that others run at the same time. */
const BUSY_LOAD = 0.7;

const USAGE = `npm run bench:smoke -- [--update] [--rounds N] [--seconds S] [--json]
npm run bench:smoke -- --against CHECKOUT [row ...] [--durability WHAT] [--rounds N] [--seconds S] [--json]
rows: the beginning of an id, such as heartbeats/merge; all of them are
  ${ROWS.map(({ id, onDemand }) => (onDemand ? `${id} (only when it is named)` : id)).join("\n  ")}`;

interface Command {
  /** A built checkout; absent for a run against the baseline. */
  readonly against: string | undefined;
  readonly rows: readonly SmokeRow[];
  readonly flags: readonly string[];
  readonly update: boolean;
  readonly json: boolean;
  readonly rounds: number;
  readonly seconds: number;
}

/** @throws TypeError for arguments that cannot be meant */
function parseCommand(): Command {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: {
      against: { type: "string" },
      durability: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      update: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const against = values.against === undefined ? undefined : resolve(values.against);
  if (against !== undefined && !existsSync(join(against, "dist")))
    throw new TypeError(`${values.against} has no dist; run 'npm run build' there`);
  if (against !== undefined && values.update) throw new TypeError("--update goes without --against");
  if (against === undefined && (names.length > 0 || values.durability !== undefined))
    throw new TypeError("rows and --durability go with --against");
  const rows = against === undefined ? ROWS.filter(({ id }) => BASELINE_ROWS.has(id)) : chosen(names);
  return {
    against,
    rows,
    flags: values.durability === undefined ? [] : ["--durability", values.durability],
    update: values.update,
    json: values.json,
    rounds: positive("rounds", values.rounds ?? "5"),
    seconds: positive("seconds", values.seconds ?? (against === undefined ? "0.2" : "0.8")),
  };
}

function chosen(names: readonly string[]): SmokeRow[] {
  const isMeant = (name: string, { id }: SmokeRow): boolean => id === name || id.startsWith(`${name}/`);
  const unknown = names.find((name) => !ROWS.some((row) => isMeant(name, row)));
  if (unknown !== undefined) throw new TypeError(`no row has an id that begins with '${unknown}'`);
  if (names.length === 0) return ROWS.filter(({ id, onDemand }) => !onDemand && !BASELINE_ALONE.has(id));
  // What only runs when it is named must be named in full.
  return ROWS.filter((row) => names.some((name) => (row.onDemand ? row.id === name : isMeant(name, row))));
}

async function compareWithCheckout(command: Command, against: string, settings: RunSettings): Promise<void> {
  const { rows, flags, json } = command;
  const results: RowResult[] = [];
  if (!json) console.log(againstHeading());
  await measureRows(rows, { flags }, { checkout: against, flags }, settings, (result) => {
    results.push(result);
    if (!json) console.log(againstLine(result));
  });
  if (json) console.log(JSON.stringify({ machine: machineFacts(), ...numbersOf(command), rows: results }, null, 2));
}

async function compareWithBaseline(command: Command, settings: RunSettings): Promise<void> {
  const { rows, update, json } = command;
  const baseline = update ? {} : readBaseline();
  const results = new Map<string, RowResult>();
  const failing = (): SmokeRow[] =>
    rows.filter(({ id }) => {
      const result = results.get(id);
      return result !== undefined && hasFailed(result, baseline[id]);
    });
  const measure = (some: readonly SmokeRow[]): Promise<void> =>
    measureRows(some, {}, "floor", settings, (result) => {
      results.set(result.id, result);
      if (!json) console.log(baselineLine(result, baseline[result.id]));
    });
  if (!json) console.log(baselineHeading());
  await measure(rows);
  const again = failing();
  if (again.length > 0) {
    if (!json) console.log("once more, as it may have been noise:");
    await measure(again);
  }
  if (update) writeBaseline([...results.values()]);
  const failed = failing().map(({ id }) => id);
  if (json)
    console.log(
      JSON.stringify(
        { machine: machineFacts(), ...numbersOf(command), failed, baseline, rows: [...results.values()] },
        null,
        2,
      ),
    );
  else if (failed.length > 0) console.log(`slower than the baseline: ${failed.join(", ")}`);
  if (failed.length > 0) process.exitCode = 1;
}

function numbersOf({ rounds, seconds }: Command): Pick<Command, "rounds" | "seconds"> {
  return { rounds, seconds };
}

/** Two servers and a client share the cores: with others at work, only the ratio of CPU says something. */
function warnWhenBusy(): void {
  const [load = 0] = loadavg();
  if (load > BUSY_LOAD) console.error(`the machine is busy (load ${load.toFixed(1)}): rates and ratios say little`);
}

async function run(command: Command): Promise<void> {
  warnWhenBusy();
  const root = mkdtempSync(join(tmpdir(), "activity-smoke-"));
  const { rounds, seconds, against } = command;
  const settings = { rounds, seconds, temporaryFolder: () => mkdtempSync(join(root, "db-")) };
  try {
    if (against === undefined) await compareWithBaseline(command, settings);
    else await compareWithCheckout(command, against, settings);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

await runCommand(parseCommand, USAGE, run);
