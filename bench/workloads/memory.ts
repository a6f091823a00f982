import { setTimeout as pause } from "node:timers/promises";
import type { Bench, Summary } from "../bench.js";
import { Launched, type Resident } from "../scale/launched.js";
import { readAll } from "../scale/readings.js";
import { folderOf } from "../scale/sets.js";
import type { SetName } from "../scale/watchers.js";

const STORED = ["200k", "10m"] as const;
/** After the first answer: what a start leaves to do is done by then. */
const IDLE_MILLIS = 3000;
const LOOK_EVERY_MILLIS = 20;
const facts = { via: "http", storage: "leveldb", unit: "MB" } as const;

/** How much memory a server keeps, idle and after everything has been read. */
export async function memory(bench: Bench): Promise<void> {
  for (const set of STORED) if (bench.wants(`memory/idle/${set}`)) await idle(bench, set);
  for (const set of STORED) if (bench.wants(`memory/reads/${set}`)) await afterReads(bench, set);
}

async function idle(bench: Bench, set: SetName): Promise<void> {
  const folder = await folderOf(bench, set);
  const [ours, plain]: [Resident[], Resident[]] = [[], []];
  const idleMillis = Math.min(IDLE_MILLIS, bench.quietSeconds * 1000);
  for (let round = 0; round < bench.rounds; round++) {
    plain.push(await residentIdle(Launched.plain(), idleMillis));
    ours.push(await residentIdle(Launched.launcher(folder), idleMillis));
  }
  const [mine, floor] = [megabytes(ours, {}), megabytes(plain, {})];
  const ratio = (100 * mine.rate) / floor.rate;
  const workload = `memory idle, ${set} events`;
  bench.report({ id: `memory/idle/${set}`, workload, ...facts, connections: 1, ours: mine, floor, ratio });
}

async function residentIdle(starting: Promise<Launched>, idleMillis: number): Promise<Resident> {
  const launched = await starting;
  try {
    await pause(idleMillis);
    return launched.resident();
  } finally {
    await launched.stop();
  }
}

/** Once only: what counts is where a server ends after all this, and that it comes down again. */
async function afterReads(bench: Bench, set: SetName): Promise<void> {
  const launched = await Launched.launcher(await folderOf(bench, set));
  try {
    let peak = 0;
    const look = (): void => {
      peak = Math.max(peak, launched.resident().all);
    };
    const looking = setInterval(look, LOOK_EVERY_MILLIS);
    const clients = 4;
    await readAll(launched.port, { set, clients, seconds: bench.seconds });
    clearInterval(looking);
    const after = launched.resident();
    await pause(bench.quietSeconds * 1000);
    const quiet = launched.resident();
    const ours = megabytes([after], {
      "peak MB": Math.max(peak, after.all) / 1e6,
      "quiet MB": quiet.all / 1e6,
      "quiet anonymous MB": quiet.anonymous / 1e6,
      "quiet s": bench.quietSeconds,
    });
    const workload = `memory after reads, ${set} events`;
    bench.report({ id: `memory/reads/${set}`, workload, ...facts, connections: clients, ours });
  } finally {
    await launched.stop();
  }
}

function megabytes(seen: readonly Resident[], notes: Record<string, number>): Summary {
  const ascending = seen.toSorted((a, b) => a.all - b.all);
  const { all, anonymous } = ascending[ascending.length >> 1] as Resident;
  const unmeasured = { cpuMicros: Number.NaN, p50Millis: Number.NaN, p99Millis: Number.NaN };
  const rates = seen.map((resident) => resident.all / 1e6);
  return { ...unmeasured, rate: all / 1e6, rates, notes: { "anonymous MB": anonymous / 1e6, ...notes } };
}
