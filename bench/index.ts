import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Bench, Row, Workload } from "./bench.js";
import { positive, runCommand } from "./command.js";
import { type Sample, sample } from "./data.js";
import { judge } from "./goals.js";
import { machineFacts, table } from "./table.js";
import { bulk } from "./workloads/bulk.js";
import { day } from "./workloads/day.js";
import { disk } from "./workloads/disk.js";
import { durability } from "./workloads/durability.js";
import { encryption } from "./workloads/encryption.js";
import { exportAll } from "./workloads/export.js";
import { flat } from "./workloads/flat.js";
import { heartbeats } from "./workloads/heartbeats.js";
import { importAll } from "./workloads/import.js";
import { keys } from "./workloads/keys.js";
import { latest } from "./workloads/latest.js";
import { memory } from "./workloads/memory.js";
import { postgres } from "./workloads/postgres.js";
import { query } from "./workloads/query.js";
import { start } from "./workloads/start.js";
import { unstorage } from "./workloads/unstorage.js";

const WORKLOADS = new Map<string, Workload>([
  ["heartbeats", heartbeats],
  ["keys", keys],
  ["bulk", bulk],
  ["latest", latest],
  ["day", day],
  ["export", exportAll],
  ["import", importAll],
  ["query", query],
  ["unstorage", unstorage],
  ["durability", durability],
  ["encryption", encryption],
  ["postgres", postgres],
  ["start", start],
  ["memory", memory],
  ["flat", flat],
  ["disk", disk],
]);

const USAGE = `npm run bench -- [name ...] [--rounds N] [--seconds S] [--quiet S] [--refill] [--quick] [--json]
                 [--profile FOLDER]
names: ${[...WORKLOADS.keys()].join(", ")}, or the beginning of a row's id, such as heartbeats/merge/http/64`;

type Settings = Pick<Bench, "rounds" | "seconds" | "profileFolder" | "quietSeconds" | "refill">;

interface Command {
  readonly names: readonly string[];
  readonly settings: Settings;
  readonly json: boolean;
}

/** @throws TypeError for arguments that cannot be meant */
function parseCommand(): Command {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string" },
      seconds: { type: "string" },
      quiet: { type: "string" },
      refill: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      profile: { type: "string" },
    },
  });
  const unknown = names.find((name) => !WORKLOADS.has(name.split("/")[0] as string));
  if (unknown !== undefined) throw new TypeError(`no workload named '${unknown}'`);
  const settings = {
    rounds: positive("rounds", values.rounds ?? (values.quick ? "1" : "3")),
    seconds: positive("seconds", values.seconds ?? (values.quick ? "0.2" : "0.8")),
    quietSeconds: positive("quiet", values.quiet ?? (values.quick ? "3" : "60")),
    refill: values.refill,
    profileFolder: values.profile === undefined ? undefined : resolve(values.profile),
  };
  return { names, settings, json: values.json };
}

async function measure(names: readonly string[], settings: Settings): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), "activity-bench-"));
  const rows: Row[] = [];
  let generated: Sample | undefined;
  const bench: Bench = {
    ...settings,
    sample: () => (generated ??= sample()),
    wants: (id) => names.length === 0 || names.some((name) => id === name || id.startsWith(`${name}/`)),
    temporaryFolder: () => mkdtempSync(join(root, "db-")),
    report(row) {
      rows.push(row);
      // Standard output is for the result alone.
      console.error(`${row.id} ${row.storage}: ${progress(row)}`);
    },
  };
  try {
    for (const [name, workload] of WORKLOADS) {
      if (names.length === 0 || names.some((wanted) => wanted.split("/")[0] === name)) await workload(bench);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return rows;
}

function progress({ ratio, ours, unit }: Row): string {
  return ratio === undefined ? `${ours.rate.toFixed(0)} ${unit}` : `${ratio.toFixed(0)} %`;
}

function print({ names, settings, json }: Command, rows: readonly Row[]): void {
  if (rows.length === 0) throw new Error(`no row has an id that begins with ${names.join(" or ")}`);
  const machine = machineFacts();
  if (json)
    console.log(
      JSON.stringify({ machine, ...settings, rows: rows.map((row) => ({ ...row, goals: judge(row) })) }, null, 2),
    );
  else console.log(`${table(rows)}\n\n${machine}; ${settings.rounds} rounds of ${settings.seconds} s, medians`);
}

await runCommand(parseCommand, USAGE, async (command) =>
  print(command, await measure(command.names, command.settings)),
);
