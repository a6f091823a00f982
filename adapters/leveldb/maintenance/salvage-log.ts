import type { Bucket } from "../../../src/domain/bucket.js";
import type { StoredEvent } from "../../../src/domain/event.js";
import type { JsonValue } from "../../../src/domain/json.js";
import { bucketKey } from "../../segments/keys.js";
import { type LogLine, parseLine } from "../../segments/log-codec.js";
import type { BucketRecord, Root } from "../../segments/root.js";
import type { FoundBatch, LogFragment } from "./salvage-fragments.js";

/** The content of the logs for one bucket. */
export interface BucketLog {
  /** The record, if the log has a newer one than the latest commit. */
  bucket: Bucket | undefined;
  isDeleted: boolean;
  /** Events in no segment, by ID. */
  readonly memtable: Map<number, StoredEvent>;
  /** The latest form of every event in the log that it does not delete, by ID. */
  readonly seen: Map<number, SeenEvent>;
}

/** An event in the log. */
export interface SeenEvent {
  readonly event: StoredEvent;
  /** Whether no opening has ever seen it. */
  readonly isDropped: boolean;
}

/** The readable records of the latest commit. */
export interface CommitState {
  readonly root: Root | undefined;
  readonly records: ReadonlyMap<number, BucketRecord>;
  /** Whether a record of that key is readable. */
  has(key: string): boolean;
  /** Whether no record is missing. */
  readonly isComplete: boolean;
}

/** The content of all logs. */
export interface LogState {
  readonly buckets: Map<number, BucketLog>;
  /** Settings and private records by key; `undefined` for a deleted one. */
  readonly values: Map<string, JsonValue | undefined>;
  /** Lines of unknown form. */
  readonly unknownLines: number;
}

/** The number of the current commit, according to the logs. */
export function findCommitNumber(logs: readonly LogFragment[]): number {
  const texts = logs.flatMap(({ batches }) => batches.map(({ text }) => text));
  const numbers = texts.flatMap((text) =>
    Array.from(text.matchAll(/^\["L",(\d+)\]$/gm), ([, number]) => Number(number)),
  );
  return numbers.reduce((latest, number) => Math.max(latest, number), 0);
}

/**
 * Replays the readable parts of logs, including batches after unreadable bytes. Unlike an opening, it does not skip
 * committed data: each log starts with a snapshot, and each flush contains the whole memtable, so the result is equal.
 */
export function replayFragments(logs: readonly LogFragment[], commit: CommitState): LogState {
  const replay = new FragmentReplay(commit);
  for (const log of logs) replay.log(log);
  return replay.end();
}

class FragmentReplay {
  readonly #commit: CommitState;
  readonly #buckets: Map<number, BucketLog> = new Map();
  readonly #values: Map<string, JsonValue | undefined> = new Map();
  /** Commits that are current according to the log. */
  readonly #counted: Set<number> = new Set();
  #unknownLines = 0;

  constructor(commit: CommitState) {
    this.#commit = commit;
  }

  log({ batches }: LogFragment): void {
    const [first] = batches;
    // The first batch is a full snapshot: events outside of it no longer exist.
    if (first !== undefined && !first.isAfterGap) for (const { memtable } of this.#buckets.values()) memtable.clear();
    for (const batch of batches) this.#batch(batch);
  }

  end(): LogState {
    return { buckets: this.#buckets, values: this.#values, unknownLines: this.#unknownLines };
  }

  #batch({ sequence, text, isAfterGap }: FoundBatch): void {
    const logged = this.#commit.root?.logged;
    let isOld = logged !== undefined && sequence <= logged.sequence;
    for (const line of text.split("\n")) {
      if (line === "") continue;
      let parsed: LogLine;
      try {
        parsed = parseLine(line);
      } catch {
        this.#unknownLines++;
        continue;
      }
      // A batch may continue with changes that were made during the commit.
      if (sequence === logged?.sequence && parsed.kind === "commit" && parsed.commit === logged.commit) isOld = false;
      this.#apply(parsed, { isOld, isDropped: isAfterGap });
    }
  }

  #apply(line: LogLine, { isOld, isDropped }: { readonly isOld: boolean; readonly isDropped: boolean }): void {
    const { isComplete, has } = this.#commit;
    switch (line.kind) {
      case "commit":
      case "nextId":
        return;
      case "committed":
        this.#counted.add(line.commit);
        return;
      case "record":
        if (!isOld || (!isComplete && !has(line.key))) this.#values.set(line.key, line.value);
        return;
      case "bucket":
        if (!isOld || (!isComplete && !has(bucketKey(line.bucketNo))))
          this.#bucketLog(line.bucketNo).bucket = line.bucket;
        return;
      case "deleteBucket":
        this.#bucketLog(line.bucketNo).isDeleted = true;
        return;
      default:
        this.#applyEvents(line, isDropped);
    }
  }

  #applyEvents(
    line: Extract<LogLine, { kind: "put" | "extend" | "target" | "delete" | "memtable" | "flush" }>,
    isDropped: boolean,
  ): void {
    const { memtable, seen } = this.#bucketLog(line.bucketNo);
    const put = (event: StoredEvent): void => {
      memtable.set(event.id, event);
      seen.set(event.id, { event, isDropped });
    };
    if (line.kind === "put") line.events.forEach(put);
    else if (line.kind === "memtable" || line.kind === "flush") {
      if (line.kind === "flush" && !this.#isStored(line.bucketNo, line.commit)) return;
      memtable.clear();
      line.events.forEach(put);
    } else if (line.kind === "extend") {
      const event = memtable.get(line.eventId) ?? seen.get(line.eventId)?.event;
      if (event !== undefined) put({ ...event, duration: line.duration });
    } else if (line.kind === "delete") {
      for (const id of line.eventIds) {
        memtable.delete(id);
        seen.delete(id);
      }
    }
  }

  /** Whether the store contains a commit's changes to a bucket. */
  #isStored(bucketNo: number, commit: number): boolean {
    const { records, root } = this.#commit;
    const record = records.get(bucketNo);
    if (record !== undefined) return commit <= record.commit;
    return root === undefined ? this.#counted.has(commit) : commit <= root.number;
  }

  #bucketLog(bucketNo: number): BucketLog {
    const known = this.#buckets.get(bucketNo);
    if (known !== undefined) return known;
    const made: BucketLog = { bucket: undefined, isDeleted: false, memtable: new Map(), seen: new Map() };
    this.#buckets.set(bucketNo, made);
    return made;
  }
}
