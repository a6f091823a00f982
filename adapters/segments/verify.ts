import { ActivityError } from "../../src/errors.js";
import { createPace } from "../../src/pace.js";
import type { StorageProblem, VerifyProgress, VerifyReport } from "../../src/storage/health.js";
import type { Engine } from "./engine.js";
import { bucketsByNumber } from "./state.js";

/**
 * Reads every segment and checks it, and looks for segments that nothing refers to.
 *
 * @param onProgress called after each segment
 * @param pause awaited before each segment; resolves `false` to end the check early
 * @returns the problems there are; `undefined` when it was ended
 */
export async function verifySegments(
  engine: Engine,
  onProgress: (progress: VerifyProgress) => void = () => undefined,
  pause?: () => Promise<boolean>,
): Promise<VerifyReport | undefined> {
  const pace = createPace();
  const problems: StorageProblem[] = [...engine.health().problems.filter(({ kind }) => kind !== "damaged")];
  // First the store itself: what it finds may keep segments from being read.
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
        // Compacted or deleted since: another segment has its events now.
        if (!bucket.isDeleted && bucket.index.entries.includes(entry)) {
          await engine.holds.during(() => engine.cache.read(bucket, entry));
        }
      } catch (thrown) {
        if (!ActivityError.is(thrown) || thrown.code === "STORAGE_CLOSED") throw thrown;
        problems.push({ kind: "damaged", message: thrown.message, bucketId: bucket.bucket.id });
      }
      doneBytes += entry.bytes;
      onProgress({ doneBytes, totalBytes });
      await pace.breathe();
    }
  }
  problems.push(...(await orphans(engine)));
  return { problems, buckets: buckets.length, events, bytes: doneBytes };
}

/** Segments without an entry that nobody is going to drop. */
async function orphans(engine: Engine): Promise<StorageProblem[]> {
  const kept: { bucketNo: number; segmentNo: number }[] = [];
  for await (const segment of engine.store.segments()) kept.push(segment);
  const known = new Set<string>();
  const { state, holds } = engine;
  for (const { index } of state.buckets.values()) for (const entry of index.entries) known.add(nameOf(entry));
  for (const segments of state.deleted.values()) for (const segment of segments) known.add(nameOf(segment));
  for (const segment of holds.waiting) known.add(nameOf(segment));
  return kept
    .filter((segment) => !known.has(nameOf(segment)) && !isNew(engine, segment))
    .map((segment) => ({ kind: "orphaned", message: `segment ${nameOf(segment)} belongs to nothing` }));
}

/** Being committed just now. */
function isNew({ state }: Engine, { bucketNo }: { readonly bucketNo: number }): boolean {
  return bucketsByNumber(state).get(bucketNo)?.restructuring !== undefined;
}

function nameOf({ bucketNo, segmentNo }: { readonly bucketNo: number; readonly segmentNo: number }): string {
  return `${bucketNo}/${segmentNo}`;
}
