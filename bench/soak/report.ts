import { machineFacts } from "../table.js";
import type { Drift } from "./measurements.js";
import type { SoakResult } from "./soak.js";

/** Windows that the table shows; of a longer run only so many, evenly spread. */
const MAX_WINDOWS = 12;

/** A number with two digits behind the point at the most. */
function print(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : value < 1000 ? 1 : 0 });
}

function drift(name: string, { first, last }: Drift, unit: string): string {
  const cells = [print(first).padStart(9), print(last).padStart(9), ` ${unit.padEnd(4)}`];
  return `  ${name.padEnd(28)}${cells.join("")}${print((100 * (last - first)) / first).padStart(8)} %`;
}

/** One line about the run so far, for standard error. */
export function progressLine({ ends, checks, client, measurements, verified }: SoakResult): string {
  const { windows, lives } = measurements;
  const beats = windows.at(-1)?.beats;
  const memory = lives.at(-1)?.memory.at(-1)?.[1] ?? Number.NaN;
  const answered = [...client.tallies.values()].reduce((sum, tally) => sum + tally.answered, 0);
  return [
    `${measurements.minutes().toFixed(1)} min`,
    `${answered} answers`,
    `${ends.kills} kills, ${ends.stops} stops, ${checks} checks`,
    `${verified?.events ?? 0} events`,
    `beats p50 ${print(beats?.quantile(0.5) ?? Number.NaN)} p99 ${print(beats?.quantile(0.99) ?? Number.NaN)} ms`,
    `memory ${print(memory)} MB`,
    `folder ${print(measurements.folder.at(-1)?.[1] ?? Number.NaN)} MB`,
  ].join("; ");
}

/** The whole result as text. */
export function report(result: SoakResult, seed: number): string {
  const { ends, checks, verified, pauses, measurements, faults } = result;
  const { kills, stops, killsWhileStarting } = ends;
  const longest = measurements.longestLife();
  const minutes = measurements.minutes();
  const { user, system } = process.cpuUsage();
  const cores = (seconds: number): string => `${print((100 * seconds) / 60 / minutes)} %`;
  return [
    machineFacts(),
    `${print(minutes)} minutes, seed ${seed}: ${kills} SIGKILL, ${killsWhileStarting} SIGKILL while starting, ` +
      `${stops} SIGTERM, ${checks} checks, the last one of ${verified?.buckets ?? 0} buckets with ` +
      `${verified?.events ?? 0} events; ${pauses} pauses`,
    `of a core: server ${cores(measurements.serverSeconds)}, soak ${cores((user + system) / 1e6)}`,
    "",
    ...requestLines(result),
    "",
    ...windowLines(result),
    "",
    `  ${"".padEnd(28)}${"first".padStart(9)}${"last".padStart(9)} third`,
    drift("beats p50", measurements.beatDrift(0.5), "ms"),
    drift("beats p99", measurements.beatDrift(0.99), "ms"),
    drift("memory at 15 s of a life", measurements.memoryDrift("adultMegabytes"), "MB"),
    drift("peak memory of a life", measurements.memoryDrift("peakMegabytes"), "MB"),
    drift("data folder", measurements.folderDrift(), "MB"),
    `  longest life, ${print(longest.minutes)} min: memory ${print(longest.early)} MB in its second quarter, ` +
      `${print(longest.late)} MB in its last; ${print(longest.slope)} MB a minute`,
    "",
    ...(faults.length === 0
      ? ["no lost, wrong or half write, no refusal"]
      : faults.map((fault) => `FAULT (seed ${seed}): ${fault}`)),
  ].join("\n");
}

function requestLines({ client }: SoakResult): string[] {
  const columns = (cells: readonly (string | number)[]): string => {
    return `  ${cells.map((cell, at) => (at === 0 ? String(cell).padEnd(28) : String(cell).padStart(9))).join("")}`;
  };
  const rows = [...client.tallies].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    columns(["request", "answered", "cut", "left", "refused"]),
    ...rows.map(([kind, { answered, cut, left, refused }]) => columns([kind, answered, cut, left, refused])),
  ];
}

function windowLines({ measurements: { windows, cold } }: SoakResult): string[] {
  const every = Math.max(1, Math.ceil(windows.length / MAX_WINDOWS));
  const shown = windows.filter((_, at) => at % every === 0).map(({ at, beats }) => ({ name: `minute ${at}`, beats }));
  return [
    `  ${"beats".padEnd(28)}${["count", "p50 ms", "p99 ms", "max ms"].map((cell) => cell.padStart(9)).join("")}`,
    ...[...shown, { name: "first 5 s of all lives", beats: cold }].map(({ name, beats }) => {
      const cells = [beats.quantile(0.5), beats.quantile(0.99), beats.max].map((millis) => print(millis).padStart(9));
      return `  ${name.padEnd(28)}${String(beats.count).padStart(9)}${cells.join("")}`;
    }),
  ];
}

/** The whole result for programs. */
export function reportJson(result: SoakResult, seed: number): string {
  const { measurements, client, ends, checks, verified, pauses, faults } = result;
  const { windows, lives, folder } = measurements;
  return JSON.stringify(
    {
      machine: machineFacts(),
      seed,
      minutes: measurements.minutes(),
      faults,
      ends,
      checks,
      verified,
      pauses,
      requests: Object.fromEntries(client.tallies),
      windows: windows.map(({ at, beats }) => ({
        minute: at,
        beats: beats.count,
        p50Millis: beats.quantile(0.5),
        p99Millis: beats.quantile(0.99),
        maxMillis: beats.max,
      })),
      drift: {
        p50Millis: measurements.beatDrift(0.5),
        p99Millis: measurements.beatDrift(0.99),
        adultMegabytes: measurements.memoryDrift("adultMegabytes"),
        peakMegabytes: measurements.memoryDrift("peakMegabytes"),
        folderMegabytes: measurements.folderDrift(),
      },
      longestLife: measurements.longestLife(),
      lives: lives.map(({ memory: _, ...life }) => life),
      folder,
    },
    null,
    2,
  );
}
