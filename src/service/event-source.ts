import { type DataTable, EventBatch } from "../domain/batch.js";
import { Interner } from "../domain/interner.js";
import { type JsonObject, serializeObject } from "../domain/json.js";
import { noSuchBucket } from "../errors.js";
import type { EventSource, SourceRead, Watch } from "../query/source.js";
import type { Storage, VersionToken } from "../storage/storage.js";
import type { CacheMemory } from "../util/memory-budget.js";
import { createTimeSlice } from "../util/time-slice.js";
import { ReadCache, ReadsInProgress, type TimeSpan } from "./read-cache.js";

/** Events between two checks of the clock: the data of each may have to be parsed. */
const SLICE = 512;
/** Memory of a data object in addition to its string, and per character of it. */
const BYTES_PER_DATA = 200;
const BYTES_PER_CHARACTER = 3;
/** Maximum characters of remembered data: a year has tens of thousands of distinct titles. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** The event source of queries and reports. */
export interface StorageSource extends EventSource {
  /**
   * Reads the events that overlap a range, oldest first, then by greatest ID. They are cut at its end, but not at its
   * start, because the start of overlapping events decides which one counts. Nothing is cached.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`
   */
  readForward(bucketId: string, span: TimeSpan, watch: Watch): Promise<SourceRead>;
}

/** Creates the event source on a storage: one batch for each read, with one object for equal data. */
export function createEventSource(storage: Storage, memory?: CacheMemory): StorageSource {
  const sharing = new DataSharing(memory);
  const kept = new ReadCache(memory);
  const underWay = new ReadsInProgress();

  const versions: EventSource["versions"] = (ids) => storage.versions?.(ids) ?? ids.map(() => undefined);

  async function versionOf(bucketId: string): Promise<VersionToken> {
    const [version] = await versions([bucketId]);
    return version;
  }

  /** The storage does not see a range that ends before it starts. */
  async function refuseUnknown(bucketId: string): Promise<void> {
    if ((await storage.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
  }

  async function readFromStorage(
    bucketId: string,
    span: TimeSpan,
    watch: Watch,
    isForward = false,
  ): Promise<SourceRead> {
    const { version, batches } = await storage.read(bucketId, { ...span, order: "oldest" });
    const all = await collectBatches(batches, watch);
    if (!isForward) all.reverse();
    const columns = await joinAndClip(all, span, { sharing, watch, isForward });
    if (isForward) reverseTies(columns);
    return { version, events: EventBatch.of(columns) };
  }

  return {
    versions,
    listBuckets: () => storage.listBuckets(),
    readForward: (bucketId, span, watch) => readFromStorage(bucketId, span, watch, true),

    async readEvents(bucketId, start, end, watch, version) {
      if (start > end) {
        const version = await versionOf(bucketId);
        await refuseUnknown(bucketId);
        return { version, events: NO_EVENTS };
      }
      const span = { start, end };
      // Without `versions`, the cache could not detect changes.
      if (storage.versions === undefined) return readFromStorage(bucketId, span, watch);
      for (let current = version; ; current = undefined) {
        const known = kept.get(bucketId, span, current ?? (await versionOf(bucketId)));
        if (known !== undefined) return known;
        const other = underWay.findCovering(bucketId, span);
        if (other === undefined) break;
        await other;
      }
      const isOver = underWay.begin(bucketId, span);
      try {
        const read = await readFromStorage(bucketId, span, (events, dataBytes) => {
          const pause = watch(events, dataBytes);
          if (pause !== undefined) isOver();
          return pause;
        });
        if (read.version !== undefined) kept.put(bucketId, span, read);
        return read;
      } finally {
        isOver();
      }
    },

    async countEvents(bucketId, start, end) {
      if (start <= end) return storage.countEvents(bucketId, { start, end });
      await refuseUnknown(bucketId);
      return 0;
    },
  };
}

const NO_EVENTS = EventBatch.from([]);

async function collectBatches(batches: AsyncIterable<EventBatch>, watch: Watch): Promise<EventBatch[]> {
  const all: EventBatch[] = [];
  const timeSlice = createTimeSlice();
  let count = 0;
  for await (const batch of batches) {
    all.push(batch);
    count += batch.length;
    await watch(count, 0);
    await timeSlice.yield();
  }
  return all;
}

/** The columns of a batch in progress. */
interface Columns {
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  readonly ids: Float64Array | null;
  readonly datas: JsonObject[];
}

interface JoinOptions {
  readonly sharing: DataSharing;
  readonly watch: Watch;
  /** Whether the batches and their events stay oldest first, without IDs; otherwise newest first. */
  readonly isForward: boolean;
}

/** Joins batches into one, with events clipped to the range (docs/reference/compatibility.md#reading-buckets). */
async function joinAndClip(
  batches: readonly EventBatch[],
  span: TimeSpan,
  { sharing, watch, isForward }: JoinOptions,
): Promise<Columns> {
  const timeSlice = createTimeSlice();
  const length = batches.reduce((sum, batch) => sum + batch.length, 0);
  const columns: Columns = {
    timestamps: new Float64Array(length),
    durations: new Float64Array(length),
    ids: isForward ? null : new Float64Array(length),
    datas: [],
  };
  const before = sharing.madeBytes;
  for (const batch of batches) {
    await watch(length, sharing.madeBytes - before);
    const dataAt = sharing.createLookup(batch);
    for (let done = 0; done < batch.length; done += SLICE) {
      const left = batch.length - done;
      const size = Math.min(SLICE, left);
      if (isForward) addForward(columns, { batch, dataAt, from: done, to: done + size }, span);
      else addReversed(columns, { batch, dataAt, from: left - size, to: left }, span);
      await timeSlice.yield();
    }
  }
  await watch(length, sharing.madeBytes - before);
  return columns;
}

/** Some rows of a batch, and their data. */
interface Rows {
  readonly batch: EventBatch;
  readonly dataAt: (index: number) => JsonObject;
  readonly from: number;
  /** Index after the last one. */
  readonly to: number;
}

/** Appends rows in reverse order, clipped to the range. */
function addReversed(columns: Columns, rows: Rows, { start, end }: TimeSpan): void {
  const { dataAt } = rows;
  const { timestamps, durations, ids } = rows.batch;
  const { datas } = columns;
  let place = datas.length;
  for (let index = rows.to - 1; index >= rows.from; index--, place++) {
    const timestamp = timestamps[index] as number;
    const from = timestamp < start ? start : timestamp;
    const to = Math.min(timestamp + (durations[index] as number), end);
    columns.timestamps[place] = from;
    columns.durations[place] = to - from;
    if (columns.ids !== null) columns.ids[place] = ids === null ? 0 : (ids[index] as number);
    datas.push(dataAt(index));
  }
}

/** Appends rows in their order without IDs, cut at the end of the range. */
function addForward(columns: Columns, { batch, dataAt, from, to }: Rows, { end }: TimeSpan): void {
  const { timestamps, durations } = batch;
  const { datas } = columns;
  for (let index = from, place = datas.length; index < to; index++, place++) {
    const timestamp = timestamps[index] as number;
    columns.timestamps[place] = timestamp;
    columns.durations[place] = Math.min(timestamp + (durations[index] as number), end) - timestamp;
    datas.push(dataAt(index));
  }
}

/** Reverses the order of events with the same start. @param columns ascending, without IDs */
function reverseTies({ timestamps, durations, datas }: Columns): void {
  for (let from = 0; from < datas.length; ) {
    let to = from + 1;
    while (to < datas.length && timestamps[to] === timestamps[from]) to++;
    if (to - from > 1) {
      durations.subarray(from, to).reverse();
      const reversed = datas.slice(from, to).reverse();
      for (const [index, data] of reversed.entries()) datas[from + index] = data;
    }
    from = to;
  }
}

/** Returns one object for equal data. Looks up each object, or entry of a table, only once. */
class DataSharing {
  /** Estimated memory of the created objects. */
  madeBytes = 0;
  readonly #texts: Interner;

  constructor(memory: CacheMemory | undefined) {
    this.#texts = new Interner(MAX_CHARACTERS, memory && { memory, name: "data" });
  }

  /** Returns a function that looks up the data of an event in a batch. */
  createLookup(batch: EventBatch): (index: number) => JsonObject {
    const { table } = batch;
    // A table in which events share entries, or a repeated one.
    if (batch.isKept || table.size < batch.length) return this.#lookUpTable(batch, table);
    let last: JsonObject | undefined;
    let one: JsonObject = {};
    return (index) => {
      const data = batch.dataAt(index);
      if (data !== last) {
        last = data;
        one = this.#shareObject(data);
      }
      return one;
    };
  }

  #lookUpTable(batch: EventBatch, table: DataTable): (index: number) => JsonObject {
    let known = sharedRows.get(table);
    if (known === undefined) {
      known = new Array<JsonObject | undefined>(table.size).fill(undefined);
      sharedRows.set(table, known);
    }
    const ones = known;
    return (index) => {
      const ref = batch.refAt(index);
      const before = ones[ref];
      if (before !== undefined) return before;
      const text = table.textAt(ref);
      // A table of strings would first look for the same object in its storage, and keep it.
      const made = (): JsonObject => {
        if (table.utf8 === undefined) return table.valueAt(ref);
        this.madeBytes += BYTES_PER_DATA + BYTES_PER_CHARACTER * text.length;
        return JSON.parse(text) as JsonObject;
      };
      const one = this.#texts.intern(text, made);
      ones[ref] = one;
      return one;
    };
  }

  #shareObject(data: JsonObject): JsonObject {
    const before = sharedObjects.get(data);
    if (before !== undefined) return before;
    const one = this.#texts.intern(serializeObject(data), () => data);
    sharedObjects.set(data, one);
    return one;
  }
}

/** The shared object for each data object, and for each row of a table. */
const sharedObjects: WeakMap<JsonObject, JsonObject> = new WeakMap();
const sharedRows: WeakMap<DataTable, (JsonObject | undefined)[]> = new WeakMap();
