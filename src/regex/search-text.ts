import { composed } from "../util/composed.js";
import type { Budget, Regex } from "./regex.js";

/**
 * Steps that a pattern may take for one text, about a second. The caller decides how to treat a text that takes more.
 */
const MAX_STEPS = 50_000_000;
/** Maximum duration of one slice of a search, in milliseconds. */
const SLICE_MILLIS = 2;

/** A search that exceeded its limit. */
export class WorkLimitError extends Error {
  constructor() {
    super("a pattern takes too long for one string");
    this.name = "TooMuchWork";
  }
}

/**
 * Searches the composed form of a text for a canonical pattern. Most searches finish immediately. For a slow one, run
 * the returned steps with pauses in between.
 *
 * @throws WorkLimitError, RegexLimitError here or in a step
 */
export function searchText(regex: Regex, text: string): boolean | Generator<void, boolean, void> {
  let deadline = performance.now() + SLICE_MILLIS;
  let steps = 0;
  const budget: Budget = {
    spend(more) {
      steps += more;
      if (steps > MAX_STEPS) throw new WorkLimitError();
    },
    isSliceOver: () => performance.now() > deadline,
  };
  const answer = regex.test(composed(text), budget);
  if (typeof answer === "boolean") return answer;
  return (function* (): Generator<void, boolean, void> {
    for (;;) {
      yield;
      deadline = performance.now() + SLICE_MILLIS;
      const known = answer.go();
      if (known !== undefined) return known;
    }
  })();
}
