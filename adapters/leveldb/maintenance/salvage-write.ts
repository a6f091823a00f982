import type { Bucket } from "../../../src/domain/bucket.js";
import type { StoredEvent } from "../../../src/domain/event.js";
import { type Micros, serializeTimestamp } from "../../../src/domain/time.js";
import type { StorageProblem } from "../../../src/storage/health.js";
import { isBackedUp } from "../../../src/storage/records.js";
import type { Storage } from "../../../src/storage/storage.js";
import { parseRecordKey, SETTING_PREFIX } from "../../segments/keys.js";
import { decodeSegment } from "../../segments/segment-codec.js";
import { mayContain, type SegmentEntry } from "../../segments/segment-entry.js";
import type { SegmentName } from "../../segments/store.js";
import type { Fragments } from "./salvage-fragments.js";
import { combineFragments, type SalvagedBucketState } from "./salvage-state.js";

/** The result for one bucket. */
export interface SalvagedBucket {
  readonly bucketId: string;
  /** Whether its record was lost, so that its ID, type and other fields are made up. */
  readonly isRecovered: boolean;
  /** Events that were saved. */
  readonly events: number;
  /** Time ranges with unreadable events. */
  readonly missing: readonly MissingSpan[];
  /**
   * Number of lost segment entries: parts of the bucket with an unknown time range. `undefined` if it is unknown.
   */
  readonly lostSegments: number | undefined;
}

/** A time range with missing events. */
export interface MissingSpan {
  readonly start: Micros;
  readonly end: Micros;
  /** How many events are missing. */
  readonly events: number;
}

/** The saved and lost data of a salvage. */
export interface SalvageReport {
  readonly settings: number;
  readonly records: number;
  readonly buckets: readonly SalvagedBucket[];
  /** Unreadable bytes of logs, except interrupted writes at their end. */
  readonly skippedLogBytes: number;
  /** All losses and doubts, for display. */
  readonly problems: readonly StorageProblem[];
}

/** The progress of a salvage. */
export interface SalvageProgress {
  readonly doneSegments: number;
  readonly totalSegments: number;
}

/** Events written in one step. */
const STEP_LENGTH = 4096;

/** Writes everything readable of fragments into an empty storage. */
export async function rebuild(
  fragments: Fragments,
  target: Storage,
  onProgress: (progress: SalvageProgress) => void = () => {},
): Promise<SalvageReport> {
  const { buckets, values, problems } = combineFragments(fragments);
  const found: StorageProblem[] = [...problems];
  const counts = { settings: 0, records: 0 };
  for (const [key, value] of values) {
    if (key.startsWith(SETTING_PREFIX)) {
      await target.settings.put(JSON.parse(key.slice(SETTING_PREFIX.length)) as string, value);
      counts.settings++;
      continue;
    }
    const { kind, key: recordKey } = parseRecordKey(key);
    if (!isBackedUp({ recordKind: kind })) continue;
    const records = target.records(kind);
    await records.compareAndSet(recordKey, await records.get(recordKey), value);
    counts.records++;
  }
  const totalSegments = buckets.reduce((sum, { entries, orphans }) => sum + entries.length + orphans.length, 0);
  let doneSegments = 0;
  const saved: SalvagedBucket[] = [];
  for (const state of buckets) {
    const writer = new BucketWriter(fragments, target, state, () => {
      onProgress({ doneSegments: ++doneSegments, totalSegments });
    });
    const bucket = await writer.write();
    saved.push(bucket);
    found.push(...problemsOf(bucket, writer.damagedOrphans));
  }
  const bad = fragments.logs.filter(({ isOnlyCutOff }) => !isOnlyCutOff);
  const skippedLogBytes = bad.reduce((sum, log) => sum + log.skippedBytes, 0);
  return { ...counts, buckets: saved, skippedLogBytes, problems: found };
}

function problemsOf({ bucketId, missing, lostSegments }: SalvagedBucket, damagedOrphans: number): StorageProblem[] {
  const problems: StorageProblem[] = missing.map(({ start, end, events }) => {
    const span = `from ${serializeTimestamp(start)} to ${serializeTimestamp(end)}`;
    return { kind: "damaged", message: `${events} events ${span} are lost`, bucketId };
  });
  if (lostSegments === undefined) {
    problems.push({ kind: "missing", message: "the number of its events is unknown", bucketId });
  } else if (lostSegments > 0) {
    const message = `the index of ${lostSegments} segments is lost; their readable events are saved`;
    problems.push({ kind: "missing", message, bucketId });
  }
  if (damagedOrphans > 0) {
    problems.push({ kind: "orphaned", message: `${damagedOrphans} segments without index are unreadable`, bucketId });
  }
  return problems;
}

/** Writes the readable events of one bucket. */
class BucketWriter {
  damagedOrphans = 0;
  readonly #fragments: Fragments;
  readonly #target: Storage;
  readonly #state: SalvagedBucketState;
  readonly #onSegment: () => void;
  readonly #lost: SegmentEntry[] = [];
  #bucketId = "";
  #waiting: StoredEvent[] = [];

  constructor(fragments: Fragments, target: Storage, state: SalvagedBucketState, onSegment: () => void) {
    this.#fragments = fragments;
    this.#target = target;
    this.#state = state;
    this.#onSegment = onSegment;
  }

  async write(): Promise<SalvagedBucket> {
    const { bucket, entries, orphans, log, lostEntries } = this.#state;
    const isRecovered = await this.#createBucket(bucket);
    for (const entry of entries) {
      const events = await this.#read(entry);
      if (events === undefined) this.#lost.push(entry);
      else await this.#put(events);
    }
    await this.#flush();
    for (const orphan of orphans) {
      const events = await this.#read(orphan);
      if (events === undefined) this.damagedOrphans++;
      else await this.#putUnknown(events);
    }
    if (log !== undefined) {
      await this.#put([...log.memtable.values()]);
      await this.#flush();
    }
    const missing = await this.#recoverSeen();
    return {
      bucketId: this.#bucketId,
      isRecovered,
      events: await this.#target.countEvents(this.#bucketId),
      missing,
      lostSegments: lostEntries,
    };
  }

  /** @returns whether its fields are made up */
  async #createBucket(bucket: Bucket | undefined): Promise<boolean> {
    if (bucket !== undefined && (await this.#target.createBucket(bucket)) !== undefined) {
      this.#bucketId = bucket.id;
      return false;
    }
    const { bucketNo, entries } = this.#state;
    const known = bucket ?? { type: "recovered", client: "activity-server", hostname: "unknown", name: null, data: {} };
    const created = bucket?.created ?? entries[0]?.first[0] ?? 0;
    for (let attempt = 0; ; attempt++) {
      const id = `recovered-${bucketNo}${attempt === 0 ? "" : `-${attempt}`}`;
      if ((await this.#target.createBucket({ ...known, id, created })) === undefined) continue;
      this.#bucketId = id;
      return true;
    }
  }

  async #read(name: SegmentName): Promise<StoredEvent[] | undefined> {
    try {
      const bytes = await this.#fragments.readSegment(name);
      return bytes === undefined ? undefined : decodeSegment(name, bytes).batch.events();
    } catch {
      return undefined;
    } finally {
      this.#onSegment();
    }
  }

  async #put(events: readonly StoredEvent[]): Promise<void> {
    for (const event of events) this.#waiting.push(event);
    if (this.#waiting.length >= STEP_LENGTH) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length > 0) await this.#target.putEvents(this.#bucketId, this.#waiting);
    this.#waiting = [];
  }

  /** Writes unknown events of a segment without an entry. It may have been replaced: existing events are newer. */
  async #putUnknown(events: readonly StoredEvent[]): Promise<void> {
    const unknown: StoredEvent[] = [];
    for (const event of events) {
      if ((await this.#target.getEvent(this.#bucketId, event.id)) === undefined) unknown.push(event);
    }
    await this.#put(unknown);
    await this.#flush();
  }

  /**
   * Adds missing events from the log: events of unreadable segments, and events that no opening has seen.
   *
   * @returns the events that are still missing
   */
  async #recoverSeen(): Promise<MissingSpan[]> {
    const found = new Map<SegmentEntry, number>();
    const again: StoredEvent[] = [];
    for (const { event, isDropped } of this.#state.log?.seen.values() ?? []) {
      const entry = this.#lost.find((lost) => mayContainEvent(lost, event));
      if (entry === undefined && !isDropped) continue;
      const known = await this.#target.getEvent(this.#bucketId, event.id);
      if (known === undefined) {
        await this.#put([event]);
        if (entry !== undefined) found.set(entry, (found.get(entry) ?? 0) + 1);
      } else if (known.timestamp !== event.timestamp) again.push(event);
    }
    await this.#flush();
    // Their IDs were assigned twice.
    if (again.length > 0) await this.#target.mergeEvents(this.#bucketId, again);
    return this.#lost.flatMap((entry) => {
      const events = entry.count - (found.get(entry) ?? 0);
      return events > 0 ? [{ start: entry.first[0], end: entry.ends[1], events }] : [];
    });
  }
}

function mayContainEvent(entry: SegmentEntry, { timestamp, id }: StoredEvent): boolean {
  return timestamp >= entry.first[0] && timestamp <= entry.last[0] && mayContain(entry, id);
}
