// npm run bench: rows against floors and goals (bench/README.md).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/postgres/server.js";
import { positive, runCommand } from "./command.js";
import { compareRows, FLOOR, type RunSettings, type Side } from "./contest.js";
import { sample } from "./data.js";
import type { Result } from "./measure.js";
import { command, floor, profileInto } from "./process.js";
import { resultsTable, summaryLine, writeResults } from "./results.js";
import { isMeant, ROWS, type Row } from "./rows.js";
import { FLAT_ROWS, flatSides, measureOther, OTHER_ROWS, START_ROWS, sideOf } from "./sets/rows.js";
import { removeSets } from "./sets/sets.js";
import type { SetName } from "./sets/watchers.js";
import { compareStorages, POSTGRES_ROWS, STORAGE_ROWS } from "./storage.js";

/** Rows for comparisons of checkouts only. */
const SMOKE_ONLY = ["heartbeats/mixed", "start"];

/** Rows that run together, and about how long one takes with three rounds of 0.8 s. */
interface Part {
  readonly ids: readonly string[];
  secondsOf(id: string): number;
  run(wanted: readonly string[], settings: RunSettings, report: (result: Result) => void): Promise<void>;
}

const HTTP_ROWS = ROWS.filter(({ id, onDemand }) => !onDemand && !isMeant(SMOKE_ONLY, id));
const DURABILITY_ROWS = renamed("durability", ["merge/1", "merge/64", "insert/64"], "heartbeats/");
const POSTGRES_HTTP_ROWS = renamed("postgres", [
  "heartbeats/merge/64",
  "heartbeats/insert/64",
  "export/1",
  "query/month/cold",
  "query/month/warm",
]);
const POSTGRES_IDS = [...POSTGRES_ROWS, ...POSTGRES_HTTP_ROWS].map(({ id }) => id);

const OURS: Side = { program: (folder) => command(folder, { isWatched: true }) };
const DURABLE: readonly [Side, Side] = [
  { program: (folder) => command(folder, { flags: ["--durability", "power-loss"] }) },
  { isFloor: true, program: (folder) => floor(folder) },
];

const PARTS: readonly Part[] = [
  contest(HTTP_ROWS, () => [OURS, FLOOR]),
  contest(DURABILITY_ROWS, () => DURABLE),
  {
    ids: STORAGE_ROWS.map(({ id }) => id),
    secondsOf: () => 8,
    run: (wanted, settings, report) =>
      compareStorages(
        STORAGE_ROWS.filter(({ id }) => wanted.includes(id)),
        settings,
        report,
      ),
  },
  { ids: POSTGRES_IDS, secondsOf: () => 15, run: runPostgres },
  contest(FLAT_ROWS, flatSides),
  ...START_ROWS.map((row) => contest([row], (settings) => [sideOf(row.id.split("/")[1] as SetName, settings), FLOOR])),
];

const USAGE = `npm run bench -- [ROW ...] [--rounds N] [--seconds S] [--quiet S] [--refill] [--quick] [--json] [--write]
                 [--profile FOLDER]
rows: the start of an ID, such as heartbeats/merge; all of them are
  ${[...PARTS.flatMap(({ ids }) => ids), ...OTHER_ROWS].join("\n  ")}`;

interface Command extends Pick<RunSettings, "rounds" | "seconds"> {
  readonly names: readonly string[];
  /** Seconds between reads and the second look at the memory. */
  readonly quiet: number;
  readonly refill: boolean;
  readonly json: boolean;
  readonly write: boolean;
  readonly profile: string | undefined;
}

/** @throws TypeError for invalid arguments */
function parseCommand(): Command {
  const flag = { type: "boolean", default: false } as const;
  const string = { type: "string" } as const;
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ rounds: string, seconds: string, quiet: string, profile: string },
      ...{ refill: flag, quick: flag, json: flag, write: flag },
    },
  });
  const ids = [...PARTS.flatMap((part) => part.ids), ...OTHER_ROWS];
  const unknown = names.find((name) => !ids.some((id) => isMeant([name], id)));
  if (unknown !== undefined) throw new TypeError(`no row has an ID that begins with '${unknown}'`);
  const { quick, refill, json, write, profile } = values;
  return {
    rounds: positive("rounds", values.rounds ?? (quick ? "1" : "3")),
    seconds: positive("seconds", values.seconds ?? (quick ? "0.2" : "0.8")),
    quiet: positive("quiet", values.quiet ?? (quick ? "3" : "60")),
    ...{ names, refill, json, write, profile: profile === undefined ? undefined : resolve(profile) },
  };
}

async function run({ names, quiet, refill, json, write, profile, ...lengths }: Command): Promise<void> {
  profileInto(profile);
  if (refill) removeSets();
  const root = mkdtempSync(join(tmpdir(), "activity-bench-"));
  const settings: RunSettings = { ...lengths, sample: sample(), root };
  const parts = [...PARTS, ...OTHER_ROWS.map((id) => other(id, quiet))];
  const stretch = (lengths.rounds * lengths.seconds) / 2.4;
  const wanted = parts.map((part) => ({ part, ids: part.ids.filter((id) => isMeant(names, id)) }));
  const seconds = new Map(wanted.flatMap(({ part, ids }) => ids.map((id) => [id, part.secondsOf(id)] as const)));
  const total = [...seconds.values()].reduce((sum, each) => sum + Math.max(1.5, each * stretch), 0);
  console.error(`${seconds.size} rows, about ${Math.ceil(total / 60)} minutes (the sets need two more the first time)`);
  const results: Result[] = [];
  const started = performance.now();
  const report = (result: Result): void => {
    results.push(result);
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.error(`[${results.length}/${seconds.size}, ${minutes} min] ${result.id}: ${summaryLine(result)}`);
  };
  try {
    for (const { part, ids } of wanted) if (ids.length > 0) await part.run(ids, settings, report);
  } finally {
    rmSync(root, { recursive: true, force: true });
    // Also if a row failed.
    console.log(json ? JSON.stringify({ ...lengths, results }, null, 2) : resultsTable(results, lengths));
  }
  if (write) writeResults(results, lengths);
}

function contest(rows: readonly Row[], sidesOf: (settings: RunSettings) => readonly [Side, Side]): Part {
  return {
    ids: rows.map(({ id }) => id),
    secondsOf: (id) => (id.startsWith("watchers") ? 28 : id.includes("cold") ? 8 : 9),
    run: (wanted, settings, report) =>
      compareRows(
        rows.filter(({ id }) => wanted.includes(id)),
        sidesOf(settings),
        settings,
        report,
      ),
  };
}

/** Memory of a process and size of a folder. */
function other(id: string, quiet: number): Part {
  return {
    ids: [id],
    secondsOf: () => (id.startsWith("memory/reads") ? quiet + 45 : id.startsWith("memory") ? 8 : 1),
    run: async (_, settings, report) => report(await measureOther(id, settings, quiet)),
  };
}

/** A PostgreSQL on this machine, which forces writes to disk. The other side of rows over HTTP is LevelDB. */
async function runPostgres(
  wanted: readonly string[],
  settings: RunSettings,
  report: (result: Result) => void,
): Promise<void> {
  const server = await startPostgres({ fsync: true });
  if (server === undefined) return;
  const env = { ACTIVITY_SERVER_DATABASE_URL: server.url };
  const ours: Side = {
    program: (_, fixture) => command(undefined, { flags: ["--storage", "postgres", "--namespace", fixture], env }),
  };
  const isWanted = ({ id }: { readonly id: string }): boolean => wanted.includes(id);
  try {
    await compareStorages(POSTGRES_ROWS.filter(isWanted), settings, report, server.url);
    await compareRows(
      POSTGRES_HTTP_ROWS.filter(isWanted),
      [ours, { program: (folder) => command(folder) }],
      settings,
      report,
    );
  } finally {
    await server.remove();
  }
}

/** Rows of `ROWS` in another place. */
function renamed(group: string, names: readonly string[], prefix = ""): Row[] {
  return names.flatMap((name) =>
    ROWS.filter(({ id }) => id === prefix + name).map((row) => ({ ...row, id: `${group}/${name}` })),
  );
}

await runCommand(parseCommand, USAGE, run);
