import { STEP_EVENTS, type Steps } from "../transforms/steps.js";

/** Sorts a list of any length with pauses in between, which `Array.sort` would not have. */
export function* sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += STEP_EVENTS) {
    runs.push(items.slice(from, from + STEP_EVENTS).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(yield* mergeRuns(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function* mergeRuns<T>(one: readonly T[], other: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  if (other.length === 0) return one;
  const all: T[] = [];
  let [at, otherAt] = [0, 0];
  while (all.length < one.length + other.length) {
    const isOne = otherAt >= other.length || (at < one.length && compare(one[at] as T, other[otherAt] as T) <= 0);
    all.push((isOne ? one[at++] : other[otherAt++]) as T);
    if (all.length % STEP_EVENTS === 0) yield;
  }
  return all;
}
