import type { EventBatch } from "../../domain/batch.js";
import type { Outcome, RuleSet } from "../../privacy/rule-set.js";
import { ownCopyOf, TextCache } from "../../util/text-cache.js";
import { createTimeSlice } from "../../util/time-slice.js";

/** A batch, and the outcomes of its matching events. */
export interface BatchOutcomes {
  readonly batch: EventBatch;
  /** Ascending by row. */
  readonly matches: readonly { readonly row: number; readonly outcome: Exclude<Outcome, { kind: "keep" }> }[];
}

/** Maximum characters of data with remembered decisions. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Rows between two checks of the clock. */
const AT_ONCE = 64;

/**
 * Decides about each event, a slice at a time. Events of a bucket share few distinct data.
 *
 * @param check throws if it takes too long
 */
export async function* decideOutcomes(
  batches: AsyncIterable<EventBatch>,
  bucketId: string,
  set: RuleSet,
  check: () => void = () => undefined,
): AsyncGenerator<BatchOutcomes> {
  const timeSlice = createTimeSlice();
  const known = new TextCache<{ readonly text: string; readonly outcome: Outcome }>(MAX_CHARACTERS);
  for await (const batch of batches) {
    const met: BatchOutcomes["matches"][number][] = [];
    const ofRefs = new Map<number, Outcome>();
    for (let row = 0; row < batch.length; row++) {
      const ref = batch.refAt(row);
      let outcome = ofRefs.get(ref);
      if (outcome === undefined) {
        const text = batch.textAt(row);
        outcome = known.get(text)?.outcome;
        if (outcome === undefined) {
          const data = batch.dataAt(row);
          outcome = set.outcomeNow(bucketId, data) ?? (await set.outcomeInSlices(bucketId, data));
          known.add({ text: ownCopyOf(text), outcome });
        }
        ofRefs.set(ref, outcome);
      }
      if (outcome.kind !== "keep") met.push({ row, outcome });
      if (row % AT_ONCE !== 0) continue;
      check();
      await timeSlice.yield();
    }
    yield { batch, matches: met };
    await timeSlice.yield();
  }
}
