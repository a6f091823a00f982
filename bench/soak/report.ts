import { machineFacts, numberText, table } from "../measure.js";
import type { Drift } from "./measurements.js";
import type { SoakResult } from "./soak.js";

/** One line about the run so far, for standard error. */
export function progressLine({ ends, checks, client, measurements, verified }: SoakResult): string {
  const answered = [...client.tallies.values()].reduce((sum, tally) => sum + tally.answered, 0);
  return [
    `${measurements.minutes().toFixed(1)} min`,
    `${answered} responses`,
    `${ends.kills} kills, ${ends.stops} stops, ${checks} checks`,
    `${verified?.events ?? 0} events`,
    `folder ${numberText(measurements.folder.at(-1)?.value)} MB`,
  ].join("; ");
}

function drifts({ measurements }: SoakResult): Readonly<Record<string, Drift>> {
  return {
    "heartbeats, p50 ms": measurements.beatDrift(0.5),
    "heartbeats, p99 ms": measurements.beatDrift(0.99),
    "memory at 15 s of a life, MB": measurements.drift(measurements.adult),
    "peak memory of a life, MB": measurements.drift(measurements.peak),
    "data folder, MB": measurements.drift(measurements.folder),
  };
}

/** The whole result as text. */
export function report(result: SoakResult, seed: number): string {
  const { ends, checks, verified, pauses, measurements, faults, client } = result;
  const { kills, stops, killsWhileStarting } = ends;
  const longest = measurements.longestLife();
  const requests = [...client.tallies].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    machineFacts(),
    `${numberText(measurements.minutes())} minutes, seed ${seed}: ${kills} SIGKILL, ${killsWhileStarting} SIGKILL ` +
      `while starting, ${stops} SIGTERM, ${checks} checks, the last one of ${verified?.buckets ?? 0} buckets with ` +
      `${verified?.events ?? 0} events; ${pauses} pauses`,
    "",
    table(
      ["request", "answered", "cut", "left", "refused"],
      requests.map(([kind, { answered, cut, left, refused }]) => [kind, ...[answered, cut, left, refused].map(String)]),
    ),
    "",
    table(
      ["", "first third", "last third"],
      Object.entries(drifts(result)).map(([name, { first, last }]) => [name, numberText(first), numberText(last)]),
    ),
    "",
    `longest life, ${numberText(longest.minutes)} min: memory ${numberText(longest.first)} MB in its second quarter, ` +
      `${numberText(longest.last)} MB in its last`,
    ...(faults.length === 0
      ? ["no lost, wrong or incomplete write, no refusal"]
      : faults.map((fault) => `FAULT (seed ${seed}): ${fault}`)),
  ].join("\n");
}

/** The whole result for programs. */
export function reportJson(result: SoakResult, seed: number): string {
  const { measurements, client, ends, checks, verified, pauses, faults } = result;
  const numbers = { drift: drifts(result), longestLife: measurements.longestLife(), folder: measurements.folder };
  const requests = Object.fromEntries(client.tallies);
  const facts = {
    machine: machineFacts(),
    seed,
    minutes: measurements.minutes(),
    faults,
    ends,
    checks,
    verified,
    pauses,
  };
  return JSON.stringify({ ...facts, requests, ...numbers }, null, 2);
}
