import type { EventList, Step } from "./steps.js";

/**
 * Makes a failing play smaller: leaves out steps, then makes lists shorter, as long as it still fails.
 *
 * @param fails plays steps; resolves whether they fail
 * @param tries the most plays
 */
export async function shrink(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
  tries: number,
): Promise<readonly Step[]> {
  let smallest = steps;
  let left = tries;
  const accept = async (candidate: readonly Step[]): Promise<boolean> => {
    if (left <= 0 || !(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length && left > 0; ) {
      left--;
      if (!(await accept([...smallest.slice(0, at), ...smallest.slice(at + size)]))) at += size;
    }
  }
  for (let at = 0; at < smallest.length; at++) {
    for (let shorter = halved(smallest[at] as Step); shorter !== undefined && left > 0; ) {
      left--;
      if (!(await accept(smallest.with(at, shorter)))) break;
      shorter = halved(shorter);
    }
  }
  return smallest;
}

/** The same step with half of its events. */
function halved(step: Step): Step | undefined {
  if (!("list" in step) || step.list.count <= 1) return undefined;
  const list: EventList = { ...step.list, count: Math.floor(step.list.count / 2) };
  return { ...step, list };
}
