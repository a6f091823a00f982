import { type Bench, type Measurement, STORAGES, type Summary, type Via } from "./bench.js";

/** Measures one entrant once. */
export type Entrant = () => Promise<Measurement>;

export interface Contest {
  readonly id: string;
  readonly workload: string;
  readonly via: Via;
  /** Connections over HTTP, callers in process. */
  readonly connections: number;
  readonly unit: string;
  /** By name: the storages, and `floor` for both or `memory floor` and `leveldb floor`. */
  readonly entrants: ReadonlyMap<string, Entrant>;
}

/**
 * Lets the entrants take turns, so that a slow spell of the machine hits all of them, and reports a row for every
 * storage.
 */
export async function hold(bench: Bench, contest: Contest): Promise<void> {
  const { entrants, ...facts } = contest;
  const seen = await takeTurns(bench.rounds, entrants);
  for (const storage of STORAGES) {
    const ours = seen.get(storage);
    const floor = seen.get(`${storage} floor`) ?? seen.get("floor");
    if (ours === undefined || floor === undefined) continue;
    const [mine, least] = [summarise(ours), summarise(floor)];
    bench.report({ ...facts, storage, ours: mine, floor: least, ratio: (100 * mine.rate) / least.rate });
  }
}

/** Measures every entrant once in each round. @returns all measurements of each, in the order of the rounds */
export async function takeTurns(
  rounds: number,
  entrants: ReadonlyMap<string, Entrant>,
): Promise<ReadonlyMap<string, readonly Measurement[]>> {
  const seen = new Map<string, Measurement[]>([...entrants.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const names = [...entrants.keys()];
    // Whoever comes after a heavy neighbour should not be the same one in every round.
    names.push(...names.splice(0, round % names.length));
    for (const name of names) seen.get(name)?.push(await (entrants.get(name) as Entrant)());
  }
  return seen;
}

/** Medians of several measurements of the same. */
export function summarise(measurements: readonly Measurement[]): Summary {
  const middle = (field: "rate" | "cpuMicros" | "p50Millis" | "p99Millis"): number =>
    median(measurements.map((measurement) => measurement[field]));
  const clientCpu = measurements.flatMap((measurement) => measurement.clientCpu ?? []);
  const notes: Record<string, number> = {};
  for (const measurement of measurements) {
    for (const [name, value] of Object.entries(measurement.notes ?? {})) {
      notes[name] = Math.max(value, notes[name] ?? 0);
    }
  }
  return {
    rate: middle("rate"),
    cpuMicros: middle("cpuMicros"),
    p50Millis: middle("p50Millis"),
    p99Millis: middle("p99Millis"),
    ...(clientCpu.length > 0 && { clientCpu: median(clientCpu) }),
    notes,
    rates: measurements.map((measurement) => measurement.rate),
  };
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b);
  const high = ascending.length >> 1;
  const low = (ascending.length - 1) >> 1;
  return ((ascending[low] as number) + (ascending[high] as number)) / 2;
}
