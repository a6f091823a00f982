// Adds running entries of the stopwatch, which have no duration yet, to their lane. Pure.
import type { Entry } from "../../stopwatch/entries.js";
import type { Assembly } from "./pieces.js";

/** Adds running entries as events until now. */
export function withRunning(assembly: Assembly, entries: readonly Entry[], now: number): Assembly {
  if (entries.length === 0) return assembly;
  const length = entries.length;
  const starts = entries.map(({ start }) => start);
  const ends = starts.map((start) => Math.max(start, now));
  const [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const tile = {
    ...{ isBinned: false, from, to, length },
    starts: Float64Array.from(starts),
    ends: Float64Array.from(ends),
    seconds: Float64Array.from(starts, (start) => Math.max(0, now - start) / 1000),
    shares: new Float32Array(length).fill(1),
    counts: new Uint32Array(length).fill(1),
    ids: Float64Array.from(entries, ({ id }) => id),
    kinds: Uint32Array.from(starts.keys()),
    datas: entries.map(({ data }) => data),
  };
  return { ...assembly, pieces: [...assembly.pieces, { tile, start: from, end: to }] };
}
