import { createTimeSlice } from "../../src/util/time-slice.js";
import { numberIn } from "./keys.js";
import { bucketLine, committedLine, deleteBucketLine, memtableLine, nextIdLine, recordLine } from "./log-codec.js";
import { bucketsByNumber, type State } from "./state.js";

/**
 * Log lines for everything that no commit contains yet, as of the call: what changes afterwards is in later batches. In
 * time slices, for the p99 of rows `heartbeats/*` of the bench: many full memtables take long to serialize.
 */
export async function createSnapshot(state: State): Promise<string> {
  const lines: string[] = [nextIdLine(state.nextEventId), committedLine(state.commitNumber)];
  const byNumber = bucketsByNumber(state);
  for (const key of state.dirty) {
    if (key.startsWith("x/")) continue;
    if (!key.startsWith("b/")) lines.push(recordLine(key, state.values.get(key)));
    else {
      const bucketNo = numberIn(key);
      const bucket = byNumber.get(bucketNo);
      lines.push(bucket === undefined ? deleteBucketLine(bucketNo) : bucketLine(bucketNo, bucket.bucket));
    }
  }
  const memtables = Array.from(byNumber.values(), ({ bucketNo, memtable, mergeTargetId }) => {
    return { bucketNo, mergeTargetId, events: [...memtable.events] };
  });
  const timeSlice = createTimeSlice();
  for (const { bucketNo, mergeTargetId, events } of memtables) {
    if (events.length === 0) continue;
    lines.push(memtableLine(bucketNo, mergeTargetId, events));
    await timeSlice.yield();
  }
  return lines.join("\n");
}

/** Estimated size of a snapshot. */
export function snapshotBytes({ buckets, dirty }: State): number {
  let { bytes } = dirty;
  for (const { memtable } of buckets.values()) bytes += memtable.weight;
  return bytes;
}
