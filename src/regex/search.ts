import type { Meter } from "./meter.js";

/** The search of one text by one matcher. It keeps its place while it pauses. */
export interface Search {
  /**
   * Goes on, at least a little, until the answer is known or the slice of the meter is over.
   *
   * @returns whether the text holds a match; `undefined` when a pause is due. Not called again after an answer.
   */
  go(meter: Meter): boolean | undefined;
}
