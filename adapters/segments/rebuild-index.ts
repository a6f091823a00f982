import { byTime, type StoredEvent } from "../../src/domain/event.js";
import { messageOf, quote } from "../../src/errors.js";
import { IdSet } from "../../src/util/id-set.js";
import type { BucketState } from "./bucket-state.js";
import { groupBySegment } from "./compaction.js";
import type { Engine } from "./engine.js";
import { describeSegment } from "./keys.js";
import { type CommitPart, planSegments } from "./prepare-commit.js";
import { regroup } from "./regroup.js";
import { decodeSegment } from "./segment-codec.js";
import { compareKeys, mayContainOneOf, type SegmentEntry } from "./segment-entry.js";
import { corrupt, type Disordered } from "./state.js";
import type { SegmentName } from "./store.js";

/**
 * Rebuilds the indexes that version 0.2 left out of order. Lists of late events could make it write overlapping
 * segments, store events twice and miscount segments. The segments themselves are intact, so that the index can be
 * derived from them: if they contain an event twice, the newest segment wins. An event that was deleted from one of two
 * copies may reappear.
 *
 * A single commit repairs all indexes. It must be the first one, since it marks the folder as checked.
 *
 * @throws ActivityError `STORAGE_CORRUPT` if anything in the store is damaged as well
 */
export async function rebuildIndexes(engine: Engine): Promise<void> {
  const disordered = engine.state.disordered.filter(({ bucket }) => engine.state.buckets.has(bucket.bucket.id));
  if (disordered.length === 0) return;
  const [problem] = (await engine.store.check?.()) ?? [];
  if (problem !== undefined) throw corrupt(engine.store.name, problem.message);
  const segments: SegmentName[] = [];
  for await (const segment of engine.store.segments()) segments.push(segment);
  const parts: CommitPart[] = [];
  for (const each of disordered) parts.push(await rebuild(engine, each, segments));
  await engine.committer.run(() => parts);
}

async function rebuild(
  engine: Engine,
  { bucket, entries }: Disordered,
  segments: readonly SegmentName[],
): Promise<CommitPart> {
  const { bucketNo, memtable, index } = bucket;
  const newestFirst = entries.toSorted((a, b) => b.segmentNo - a.segmentNo);
  const known = new Set([...entries, ...engine.pins.waiting].map(describeSegment));
  const lost = segments.filter((name) => name.bucketNo === bucketNo && !known.has(describeSegment(name)));
  const ids = new Map<SegmentEntry, Float64Array>();
  for (const entry of newestFirst) ids.set(entry, (await read(engine, bucket, entry)).ids);
  const twice = await IdSet.of(repeated([...ids.values(), Float64Array.from(memtable.events, ({ id }) => id)]));
  const rewritten = new Set([...overlapping(entries), ...entries.filter((entry) => mayContainOneOf(entry, twice))]);
  index.load(entries.filter((entry) => !rewritten.has(entry)));
  const taken = new Set(memtable.events.map(({ id }) => id));
  const events: StoredEvent[] = [];
  for (const entry of newestFirst) {
    if (rewritten.has(entry)) takeNew((await read(engine, bucket, entry)).events);
    else if (lost.length > 0) for (const id of ids.get(entry) ?? []) taken.add(id);
  }
  for (const name of lost) takeNew((await read(engine, bucket, name)).events);
  for (const { segmentNo } of lost) bucket.nextSegmentNo = Math.max(bucket.nextSegmentNo, segmentNo + 1);
  const groups = groupBySegment(bucket, events.sort(byTime));
  const made = await regroup(bucket, groups, async (entry) => (await read(engine, bucket, entry)).events);
  const change = planSegments(bucket, made.oldEntries, made.newSegments);
  return {
    lines: [],
    bucket,
    segments: { ...change, oldEntries: [...rewritten, ...made.oldEntries] },
    dropped: lost,
    committed() {
      index.install(change.index);
      const found = `${entries.length + lost.length} segments, ${rewritten.size} of them out of order`;
      const { id } = bucket.bucket;
      engine.problems.noteDisorder(`the index of bucket ${quote(id)} was rebuilt from ${found}`, id);
    },
  };

  function takeNew(found: readonly StoredEvent[]): void {
    for (const event of found) {
      if (taken.has(event.id)) continue;
      taken.add(event.id);
      events.push(event);
    }
  }
}

interface Content {
  readonly events: StoredEvent[];
  readonly ids: Float64Array;
}

async function read(engine: Engine, bucket: BucketState, name: SegmentName): Promise<Content> {
  try {
    const bytes = await engine.store.readSegment(name);
    if (bytes === undefined) throw new Error("it is missing");
    const { batch } = decodeSegment(name, bytes);
    return { events: batch.events(), ids: batch.ids as Float64Array };
  } catch (cause) {
    const reason = `segment ${name.segmentNo} of bucket ${quote(bucket.bucket.id)} cannot be read: ${messageOf(cause)}`;
    throw corrupt(engine.store.name, reason, cause);
  }
}

/** The numbers that occur more than once. */
function repeated(lists: readonly Float64Array[]): number[] {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  all.sort();
  return Array.from(all.filter((id, index) => index > 0 && id === all[index - 1]));
}

/** The segments whose time ranges overlap another one's. */
function overlapping(entries: readonly SegmentEntry[]): SegmentEntry[] {
  const found = new Set<SegmentEntry>();
  let widest: SegmentEntry | undefined;
  for (const entry of entries.toSorted((a, b) => compareKeys(a.first, b.first))) {
    if (widest !== undefined && compareKeys(widest.last, entry.first) >= 0) found.add(widest).add(entry);
    if (widest === undefined || compareKeys(widest.last, entry.last) < 0) widest = entry;
  }
  return [...found];
}
