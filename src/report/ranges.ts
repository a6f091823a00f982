// Ranges of time as JSON: the start of each, followed by its end.
import type { EventBatch } from "../domain/batch.js";
import type { Micros } from "../domain/time.js";
import type { Steps } from "../transforms/steps.js";
import { joinedWithin } from "./cover.js";

/** Ascending, without overlaps. */
export type Ranges = readonly Micros[];

/** Selects ranges between the first and the last one, which may still grow at the borders of a period. */
export type KeepInner = (inner: Ranges) => Ranges;

/** The events as ranges, joined over short gaps. */
export function* rangesOf(events: EventBatch, gap: Micros, keep: KeepInner): Steps<Ranges> {
  const joined = yield* joinedWithin(events, gap);
  const ranges: Micros[] = [];
  for (let at = 0; at < joined.length; at++) ranges.push(joined.timestamps[at] as number, joined.endAt(at));
  return keptIn(ranges, keep);
}

/** The ranges of successive parts of a period. */
export function joinRanges(parts: readonly Ranges[], gap: Micros, keep: KeepInner): Ranges {
  const all: Micros[] = [];
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 2) {
      const [start, end] = [part[at] as number, part[at + 1] as number];
      const before = all.at(-1);
      if (before !== undefined && start - before <= gap) all[all.length - 1] = end;
      else all.push(start, end);
    }
  }
  return keptIn(all, keep);
}

function keptIn(ranges: Ranges, keep: KeepInner): Ranges {
  if (ranges.length <= 4) return ranges;
  return [...ranges.slice(0, 2), ...keep(ranges.slice(2, -2)), ...ranges.slice(-2)];
}

/** The index of the longest range, the first of equal ones. */
export function longestIn(ranges: Ranges): number {
  let longest = 0;
  for (let at = 2; at < ranges.length; at += 2) if (lengthAt(ranges, at) > lengthAt(ranges, longest)) longest = at;
  return longest;
}

/** The length of the range at an index. */
export function lengthAt(ranges: Ranges, at: number): Micros {
  return (ranges[at + 1] as number) - (ranges[at] as number);
}
