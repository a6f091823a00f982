import { counterAbove } from "../../src/domain/event.js";
import { BucketState } from "./bucket-state.js";
import { bucketKey, tombstoneKey } from "./keys.js";
import { type LogLine, parseLine } from "./log-codec.js";
import type { Root } from "./root.js";
import type { State } from "./state.js";
import type { LogBatch } from "./store.js";

type Line<Kind extends LogLine["kind"]> = Extract<LogLine, { kind: Kind }>;

/**
 * Applies the log to the state of the latest commit. Skips lines that the commit already contains: changes of records
 * up to its `commit` line, and changes of a bucket's events up to the `flush` line of the commit that its segments
 * contain.
 *
 * @param byNumber the buckets of the commit; copied to `state.buckets` at the end
 * @returns number of the latest successful commit in the log
 */
export async function replayLog(
  state: State,
  root: Root,
  log: Iterable<LogBatch> | AsyncIterable<LogBatch>,
  byNumber: Map<number, BucketState>,
): Promise<number> {
  const replay = new Replay(state, root, byNumber);
  for await (const { sequence, text } of log) replay.batch(sequence, text);
  replay.finish();
  return replay.committed;
}

class Replay {
  readonly #state: State;
  readonly #root: Root;
  readonly #byNumber: Map<number, BucketState>;
  /** Whether the commit contains the current changes of records. */
  #skipsRecords = false;
  /** Buckets whose segments contain the current changes. */
  readonly #skipped: Set<number> = new Set();
  committed = 0;
  #isFirst = true;

  constructor(state: State, root: Root, byNumber: Map<number, BucketState>) {
    this.#state = state;
    this.#root = root;
    this.#byNumber = byNumber;
  }

  batch(sequence: number, text: string): void {
    if (this.#isFirst) this.#begin(sequence);
    this.#isFirst = false;
    this.#state.sequence = Math.max(this.#state.sequence, sequence);
    for (const line of text.split("\n")) if (line !== "") this.#apply(parseLine(line), line);
  }

  finish(): void {
    const { buckets, problems } = this.#state;
    for (const bucket of [...this.#byNumber.values()].sort((a, b) => a.bucketNo - b.bucketNo)) {
      buckets.set(bucket.bucket.id, bucket);
    }
    const ends = [...this.#skipped].map((bucketNo) => this.#byNumber.get(bucketNo)?.bucket.id);
    if (ends.length === 0 && !this.#skipsRecords) return;
    const what = "the log ends before the latest commit: newest events are lost";
    for (const bucketId of ends)
      if (bucketId !== undefined) problems.push({ kind: "damaged", message: what, bucketId });
    if (this.#skipsRecords) problems.push({ kind: "damaged", message: "the log ends before the latest commit" });
  }

  #begin(first: number): void {
    this.#skipsRecords = this.#root.number > 0 && this.#root.logged.sequence >= first;
    for (const { bucketNo, flushed } of this.#byNumber.values()) {
      if (flushed.commit > 0 && flushed.sequence >= first) this.#skipped.add(bucketNo);
    }
  }

  #apply(line: LogLine, text: string): void {
    if (line.kind === "commit") this.#skipsRecords &&= line.commit !== this.#root.logged.commit;
    else if (line.kind === "committed") this.#endSkipping(line.commit);
    else if (
      line.kind === "bucket" ||
      line.kind === "deleteBucket" ||
      line.kind === "record" ||
      line.kind === "nextId"
    ) {
      if (!this.#skipsRecords) this.#applyRecord(line, text);
    } else {
      if ("events" in line) this.#count(line.events.map(({ id }) => id));
      const bucket = this.#byNumber.get(line.bucketNo);
      if (bucket !== undefined) this.#applyEvents(bucket, line);
    }
  }

  /** The next lines are newer than a successful commit. */
  #endSkipping(commit: number): void {
    this.committed = Math.max(this.committed, commit);
    if (commit >= this.#root.logged.commit) this.#skipsRecords = false;
    for (const { bucketNo, flushed } of this.#byNumber.values()) {
      if (commit >= flushed.commit) this.#skipped.delete(bucketNo);
    }
  }

  #count(ids: readonly number[]): void {
    this.#state.nextEventId = counterAbove(this.#state.nextEventId, ids);
  }

  #applyRecord(line: Line<"bucket" | "deleteBucket" | "record" | "nextId">, text: string): void {
    const { values, dirty, deleted } = this.#state;
    if (line.kind === "nextId") this.#state.nextEventId = Math.max(this.#state.nextEventId, line.nextId);
    else if (line.kind === "record") {
      if (line.value === undefined) values.delete(line.key);
      else values.set(line.key, line.value);
      dirty.add(line.key, text);
    } else if (line.kind === "bucket") {
      const known = this.#byNumber.get(line.bucketNo);
      if (known !== undefined) known.bucket = line.bucket;
      else this.#byNumber.set(line.bucketNo, new BucketState(line.bucketNo, line.bucket));
      this.#state.nextBucketNo = Math.max(this.#state.nextBucketNo, line.bucketNo + 1);
      dirty.add(bucketKey(line.bucketNo), text);
    } else {
      const known = this.#byNumber.get(line.bucketNo);
      dirty.add(bucketKey(line.bucketNo));
      if (known === undefined) return;
      this.#byNumber.delete(line.bucketNo);
      this.#skipped.delete(line.bucketNo);
      if (known.index.entries.length === 0) return;
      deleted.set(line.bucketNo, [...known.index.entries]);
      dirty.add(tombstoneKey(line.bucketNo));
    }
  }

  #applyEvents(bucket: BucketState, line: Line<"put" | "extend" | "target" | "delete" | "memtable" | "flush">): void {
    const { bucketNo, memtable, flushed } = bucket;
    if (line.kind === "flush") {
      if (line.commit !== flushed.commit) return;
      this.#skipped.delete(bucketNo);
    } else if (this.#skipped.has(bucketNo)) return;
    switch (line.kind) {
      case "put":
        bucket.put(lastOfEach(line.events));
        bucket.mergeTargetId = line.targetId || undefined;
        break;
      case "memtable":
      case "flush":
        bucket.take([...memtable.events]);
        bucket.put(line.events);
        bucket.mergeTargetId = line.targetId || undefined;
        break;
      case "extend": {
        const before = memtable.get(line.eventId);
        if (before !== undefined) memtable.replace(before, { ...before, duration: line.duration });
        bucket.mergeTargetId = line.eventId;
        break;
      }
      case "target":
        bucket.mergeTargetId = line.targetId || undefined;
        break;
      case "delete":
        bucket.take(line.eventIds.flatMap((id) => memtable.get(id) ?? []));
    }
  }
}

function lastOfEach<E extends { readonly id: number }>(events: readonly E[]): readonly E[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return byId.size === events.length ? events : [...byId.values()];
}
