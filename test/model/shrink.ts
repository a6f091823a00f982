import type { EventList, Step } from "./steps.js";

/**
 * Makes a failing play smaller: leaves out steps as long as it still fails.
 *
 * @param fails plays steps; resolves whether they fail
 * @param tries the most plays
 * @returns the steps, and how many tries are left
 */
export async function leaveOut<S>(
  steps: readonly S[],
  fails: (steps: readonly S[]) => Promise<boolean>,
  tries: number,
): Promise<{ readonly smallest: readonly S[]; readonly left: number }> {
  let smallest = steps;
  let left = tries;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length && left > 0; left--) {
      const candidate = [...smallest.slice(0, at), ...smallest.slice(at + size)];
      if (await fails(candidate)) smallest = candidate;
      else at += size;
    }
  }
  return { smallest, left };
}

/** The same, and then makes lists shorter. */
export async function shrink(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
  tries: number,
): Promise<readonly Step[]> {
  let { smallest, left } = await leaveOut(steps, fails, tries);
  for (let at = 0; at < smallest.length; at++) {
    for (let shorter = halved(smallest[at] as Step); shorter !== undefined && left > 0; left--) {
      const candidate = smallest.with(at, shorter);
      if (!(await fails(candidate))) break;
      smallest = candidate;
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
