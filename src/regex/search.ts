import type { Meter } from "./meter.js";

/** The search of one text by one matcher. It keeps its position during pauses. */
export interface Search {
  /**
   * Continues until the result is known or the meter's slice ends, and always makes some progress.
   *
   * @returns whether the text contains a match; `undefined` when a pause is due. Do not call it after a result.
   */
  go(meter: Meter): boolean | undefined;
}
