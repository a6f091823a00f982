import type { Bench, Measurement, StorageName } from "./bench.js";
import { Child, type Watched } from "./children.js";
import { quantile } from "./client/load.js";
import { watchNotes } from "./servers.js";

export type InsideName = StorageName | "memory floor" | "leveldb floor" | "postgres floor";
export type Insides = ReadonlyMap<InsideName, Child>;

const NAMES: readonly InsideName[] = ["memory floor", "memory", "leveldb floor", "leveldb"];

/** Runs `use` with a process for each storage and each floor, and ends them. */
export function withInside(bench: Bench, use: (insides: Insides) => Promise<void>): Promise<void> {
  return withPlaces(new Map(NAMES.map((name) => [name, bench.temporaryFolder()])), bench, use);
}

/** The same for some storages, each with the folder or socket that it uses. */
export async function withPlaces(
  places: ReadonlyMap<InsideName, string>,
  { profileFolder }: Bench,
  use: (insides: Insides) => Promise<void>,
): Promise<void> {
  const insides = new Map<InsideName, Child>();
  try {
    for (const [name, place] of places) {
      insides.set(
        name,
        await Child.start({ script: "inside/index.mjs", args: [name.replace(" ", "-"), place], profileFolder }),
      );
    }
    await use(insides);
  } finally {
    for (const inside of insides.values()) await inside.stop();
  }
}

export interface InsideRun {
  /** A method of `inside/ours.mjs` and `inside/floor.mjs`. */
  readonly operation: string;
  readonly argument?: unknown;
  /** How many call at the same time. @default 1 */
  readonly callers?: number;
  readonly seconds: number;
  /** Most calls. @default no limit */
  readonly most?: number;
  /** Units of the row in one call. @default 1 */
  readonly unitsPerCall?: number;
  /** Rate by bytes of the answers, in MB/s, instead. @default false */
  readonly byBytes?: boolean;
  /** Whether to watch memory and event loop, without a warm-up. @default false */
  readonly watch?: boolean;
}

interface Answer {
  readonly calls: number;
  readonly bodyBytes: number;
  readonly seconds: number;
  readonly latencies: Float64Array;
  readonly cpuMicros: number;
  readonly watched?: Watched;
  readonly notes?: Record<string, number>;
}

/** Calls an operation for a while in its process. */
export async function measureInside(inside: Child, run: InsideRun): Promise<Measurement> {
  const { unitsPerCall = 1, byBytes = false, ...request } = run;
  const answer = await inside.ask<Answer>("run", {
    callers: 1,
    ...request,
    warmUpSeconds: run.watch ? 0 : inside.warmUpSeconds(run.seconds),
  });
  const units = byBytes ? answer.bodyBytes / 1e6 : answer.calls * unitsPerCall;
  return {
    rate: units / answer.seconds,
    cpuMicros: answer.cpuMicros / answer.calls,
    p50Millis: quantile(answer.latencies, 0.5),
    p99Millis: quantile(answer.latencies, 0.99),
    notes: { ...(answer.watched && watchNotes(answer.watched)), ...answer.notes },
  };
}
