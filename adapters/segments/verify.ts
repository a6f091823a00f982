import { ActivityError } from "../../src/errors.js";
import type { StorageProblem, VerifyProgress, VerifyReport } from "../../src/storage/health.js";
import { createTimeSlice } from "../../src/util/time-slice.js";
import type { Engine } from "./engine.js";
import { describeSegment } from "./keys.js";
import type { SegmentName } from "./store.js";

/**
 * Reads and checks every segment, and searches for unreferenced segments.
 *
 * @param onProgress called after each segment
 * @param pause awaited before each segment; resolves to `false` to stop the check early
 * @returns the problems; `undefined` if it was stopped
 */
export async function verifySegments(
  engine: Engine,
  onProgress: (progress: VerifyProgress) => void = () => undefined,
  pause?: () => Promise<boolean>,
): Promise<VerifyReport | undefined> {
  const timeSlice = createTimeSlice();
  const problems: StorageProblem[] = [...engine.health().problems.filter(({ kind }) => kind !== "damaged")];
  // The store first, since its problems may make segments unreadable.
  for (const problem of (await engine.store.check?.()) ?? []) {
    problems.push(problem);
    engine.problems.note(problem);
  }
  const buckets = [...engine.state.buckets.values()];
  const totalBytes = buckets.reduce(
    (sum, { index }) => index.entries.reduce((bytes, entry) => bytes + entry.bytes, sum),
    0,
  );
  let doneBytes = 0;
  let events = 0;
  for (const bucket of buckets) {
    events += bucket.count;
    for (const entry of [...bucket.index.entries]) {
      if (pause !== undefined && !(await pause())) return undefined;
      engine.assertNotClosed();
      try {
        // Skips segments that were compacted or deleted in the meantime.
        if (!bucket.isDeleted && bucket.index.entries.includes(entry)) {
          await engine.pins.whilePinned(() => engine.cache.read(bucket, entry));
        }
      } catch (thrown) {
        if (!ActivityError.is(thrown) || thrown.code === "STORAGE_CLOSED") throw thrown;
        problems.push({ kind: "damaged", message: thrown.message, bucketId: bucket.bucket.id });
      }
      doneBytes += entry.bytes;
      onProgress({ doneBytes, totalBytes });
      await timeSlice.yield();
    }
  }
  problems.push(...(await findOrphans(engine)));
  return { problems, buckets: buckets.length, events, bytes: doneBytes };
}

/** Segments without an entry that will not be dropped. */
function findOrphans(engine: Engine): Promise<StorageProblem[]> {
  // The pin prevents drops from now on, so that the segments known before and after are complete.
  return engine.pins.whilePinned(async () => {
    const known = new Set(knownSegments(engine));
    const kept: SegmentName[] = [];
    for await (const segment of engine.store.segments()) kept.push(segment);
    try {
      // Segments of a commit in progress are known after it.
      await engine.committer.idle;
    } catch {
      return [];
    }
    for (const name of knownSegments(engine)) known.add(name);
    return kept
      .filter((segment) => !known.has(describeSegment(segment)))
      .map((segment) => ({ kind: "orphaned", message: `segment ${describeSegment(segment)} is not referenced` }));
  });
}

function* knownSegments({ state, pins }: Engine): Generator<string> {
  for (const { index } of state.buckets.values()) for (const entry of index.entries) yield describeSegment(entry);
  for (const segments of state.deleted.values()) for (const segment of segments) yield describeSegment(segment);
  for (const segment of pins.waiting) yield describeSegment(segment);
}
