import { readFileSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import * as assert from "uvu/assert";
import { listing } from "../adapters/folder.js";
import { intOf, randomOf } from "../contract/case.js";
import { Disk, LEFTOVERS, type Leftover } from "./disk.js";
import { type Embedded, type EmbeddedOptions, openEmbedded, tryOpen } from "./embedded.js";
import { History, type Moment, readAll } from "./history.js";
import { BulkLoad, HeartbeatLoad, type Load, type LoadOptions, ShortLivedLoad } from "./load.js";
import { SettingsLoad } from "./other-loads.js";
import { type Rig, withRig } from "./rig.js";
import { freshOptions } from "./rounds.js";
import { parseTrace, type Step } from "./trace.js";

/** What a series of power cuts is made of. */
export interface Series {
  readonly seed: number;
  readonly durability: "process-crash" | "power-loss";
  /** The key of an encrypted folder, as the launcher takes it. */
  readonly key?: string;
  /** How many waves of requests are recorded, in each of two lives of the server. */
  readonly waves: number;
  /** How many states are tried. */
  readonly states: number;
  /** Instead of random moments: every step of the first start, each with all that a disk may leave. */
  readonly isFirstStart?: boolean;
}

/** What came of it. */
export interface Outcomes {
  states: number;
  readonly defects: string[];
}

/** Longest time, beyond the interval, that a force in the background may take on a busy machine. */
const SLACK_NANOS = 3_000_000_000n;
const FLUSH_NANOS = 5_000_000_000n;

/** Records what the launcher does under load, cuts the power at random moments, and looks at what is left. */
export async function cutPower(series: Series): Promise<Outcomes> {
  const outcomes: Outcomes = { states: 0, defects: [] };
  await withRig(async (rig) => {
    const recorded = await recordLoad(rig, series);
    const random = randomOf(series.seed);
    const cuts = cutsOf(recorded, series, random);
    const disk = new Disk(rig.disk);
    let played = 0;
    for (const [index, cut] of cuts.entries()) {
      for (; played < cut; played++) disk.play(recorded.steps[played] as Step);
      const choice = series.isFirstStart ? index % LEFTOVERS.length : intOf(random, 0, LEFTOVERS.length - 1);
      const leftover = LEFTOVERS[choice] ?? "nothing";
      const folder = rig.workshop.path(`state-${index}`);
      disk.leave(leftover, random, folder);
      const defect = await defectOf({ folder: `${folder}/user/data`, recorded, cut, leftover, series });
      outcomes.states++;
      if (defect !== undefined) outcomes.defects.push(`cut ${cut} of ${recorded.steps.length}, ${leftover}: ${defect}`);
      await rm(folder, { recursive: true });
    }
  });
  return outcomes;
}

/** Steps of a first start, and some of what comes behind it. */
const FIRST_STEPS = 120;

function cutsOf(recorded: Recorded, { states, isFirstStart }: Series, random: () => number): readonly number[] {
  if (!isFirstStart) return Array.from({ length: states }, () => cutAt(recorded, random)).sort((a, b) => a - b);
  const length = Math.min(FIRST_STEPS, recorded.steps.length) * LEFTOVERS.length;
  return Array.from({ length }, (_, index) => Math.floor(index / LEFTOVERS.length));
}

interface Recorded {
  readonly steps: readonly Step[];
  readonly history: History;
  /** Everything before these moments is promised in any mode: clean stops. */
  readonly stops: readonly Moment[];
}

/** Two lives of a server under load, the first one ended by a clean stop, the second one under way. */
async function recordLoad({ start, shim, workshop }: Rig, { seed, durability, key, waves }: Series): Promise<Recorded> {
  const now = (): Moment => ({ mark: shim.trace.mark(), nanos: process.hrtime.bigint() });
  const history = new History(now);
  const options: LoadOptions = { ...freshOptions(randomOf(seed)), observer: history };
  const loads = cutLoads(options);
  const stops: Moment[] = [];
  const keyFile = workshop.path("key");
  if (key !== undefined) await writeFile(keyFile, key, { mode: 0o600 });
  const keyWords = key === undefined ? [] : ["--encryption-key-file", keyFile];
  for (const life of [1, 2]) {
    const server = await start(["--durability", durability, ...keyWords]);
    for (let wave = 0; wave < waves; wave++) {
      history.nextWave();
      const alive = await Promise.all(loads.map((load) => load.step(server.api)));
      assert.ok(alive.every(Boolean), server.log());
    }
    if (life === 1) {
      await server.stop();
      stops.push(now());
    } else {
      await server.kill();
    }
  }
  return { steps: parseTrace(readFileSync(shim.trace.file)), history, stops };
}

function cutLoads(options: LoadOptions): Load[] {
  return [
    new HeartbeatLoad("beats-1", options),
    new HeartbeatLoad("beats-2", options),
    new BulkLoad("bulk", options, { usual: 6, large: 1_500, share: 0.04 }),
    new ShortLivedLoad("short-lived-1", options),
    new ShortLivedLoad("short-lived-2", options),
    new SettingsLoad(options),
  ];
}

/** A place in the trace: any, but those of the first start, of deletions and of commits more often than by chance. */
function cutAt({ steps }: Recorded, random: () => number): number {
  const any = intOf(random, 0, steps.length);
  const kind = random();
  if (kind < 0.5) return any;
  if (kind < 0.6) return intOf(random, 0, Math.min(steps.length, 60));
  const next = steps.findIndex(({ kind, path }, index) => {
    return index >= any && (kind !== "write" || !/\.(wal|log)$|journal/.test(path)) && kind !== "sync";
  });
  return next < 0 ? any : Math.min(steps.length, next + intOf(random, 0, 2));
}

interface Cut {
  readonly folder: string;
  readonly recorded: Recorded;
  readonly cut: number;
  readonly leftover: Leftover;
  readonly series: Series;
}

async function defectOf(cut: Cut): Promise<string | undefined> {
  const { recorded, folder, series } = cut;
  const options = series.key === undefined ? {} : { encryption: { key: series.key } };
  const judged = async (open: Embedded): Promise<string | undefined> => {
    const defect = recorded.history.defectOf(await readAll(open.api), promisedAt(cut));
    return defect ?? (await defectOfNextTimeline(open, folder, options));
  };
  const result = await tryOpen(folder, judged, options).catch((error: Error) => ({ value: error.message }));
  if ("value" in result) return result.value;
  return `refused: ${result.refused}`;
}

/** What must be there after a cut. */
function promisedAt({ recorded, cut, leftover, series }: Cut): (acknowledged: Moment) => boolean {
  const mark = cut === 0 ? 0 : (recorded.steps[cut - 1]?.end ?? 0);
  // A kill loses nothing, in any mode: the system has it all.
  if (leftover === "everything" || series.durability === "power-loss") return (moment) => moment.mark <= mark;
  const nanos = (recorded.steps[cut]?.nanos ?? recorded.steps[cut - 1]?.nanos ?? 0n) - FLUSH_NANOS - SLACK_NANOS;
  const stop = recorded.stops.findLast((moment) => moment.mark <= mark);
  return (moment) => moment.mark <= (stop?.mark ?? -1) || (moment.mark <= mark && moment.nanos < nanos);
}

/** New writes on what is left, and then `kill -9`: they are there, and nothing of the timeline that was lost. */
async function defectOfNextTimeline(
  open: Embedded,
  folder: string,
  options: EmbeddedOptions,
): Promise<string | undefined> {
  const history = new History(() => ({ mark: 0, nanos: 0n }));
  for (const [subject, state] of await readAll(open.api)) history.begins(subject, state);
  const random = randomOf(1);
  let n = 1_000_000;
  const loads = cutLoads({ ...freshOptions(random), nextN: () => ++n, observer: history });
  // They take over what is there.
  for (const load of loads) await load.verify(open.api);
  for (let wave = 0; wave < 3; wave++) {
    history.nextWave();
    for (const load of loads) await load.step(open.api);
  }
  const killed = `${folder}-killed`;
  await copyAtRest(folder, killed);
  const again = await openEmbedded(killed, options);
  try {
    const defect = history.defectOf(await readAll(again.api), () => true);
    return defect === undefined ? undefined : `after new writes and kill -9: ${defect}`;
  } finally {
    await again.close();
    await rm(killed, { recursive: true });
  }
}

/** Copies a folder in which something may be under way, until nothing has changed meanwhile. */
async function copyAtRest(folder: string, target: string): Promise<void> {
  while (!(await isCopied(folder, target))) await rm(target, { recursive: true, force: true });
}

async function isCopied(folder: string, target: string): Promise<boolean> {
  try {
    const before = await listing(folder);
    await cp(folder, target, { recursive: true });
    const all = [before, await listing(target), await listing(folder)].map((lines) => lines.join());
    return new Set(all).size === 1;
  } catch (error) {
    // A file went while it was read.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
