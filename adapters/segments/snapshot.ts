import { numberIn } from "./keys.js";
import { bucketLine, committedLine, deleteBucketLine, memtableLine, nextIdLine, recordLine } from "./log-codec.js";
import { bucketsByNumber, type State } from "./state.js";

/** Log lines for everything that no commit contains yet. */
export function createSnapshot(state: State): string {
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
  for (const { bucketNo, memtable, mergeTargetId } of byNumber.values()) {
    if (memtable.events.length > 0) lines.push(memtableLine(bucketNo, mergeTargetId, memtable.events));
  }
  return lines.join("\n");
}

/** Estimated size of a snapshot. */
export function snapshotBytes({ buckets, dirty }: State): number {
  let { bytes } = dirty;
  for (const { memtable } of buckets.values()) bytes += memtable.weight;
  return bytes;
}
