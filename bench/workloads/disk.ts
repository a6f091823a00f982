import type { Bench } from "../bench.js";
import { bytesOnDisk, filledSet } from "../scale/sets.js";

const SETS = ["200k", "10m"] as const;

/** How much room a filled folder takes when nothing is left to compact. */
export async function disk(bench: Bench): Promise<void> {
  for (const set of SETS) {
    const id = `disk/${set}`;
    if (!bench.wants(id)) continue;
    const { folder, events, seconds } = await filledSet(bench, set);
    const bytes = bytesOnDisk(folder);
    const unmeasured = { cpuMicros: Number.NaN, p50Millis: Number.NaN, p99Millis: Number.NaN };
    const notes = { "bytes an event": bytes / events, events, "fill s": seconds };
    bench.report({
      id,
      workload: `disk, ${set} events`,
      via: "storage",
      storage: "leveldb",
      connections: 1,
      unit: "MB",
      ours: { rate: bytes / 1e6, rates: [bytes / 1e6], ...unmeasured, notes },
    });
  }
}
