import { DistinctTexts } from "./domain/distinct-texts.js";
import { columnsOf, type EventList } from "./domain/event-list.js";
import { type JsonObject, printObject } from "./domain/json.js";
import { Recent } from "./domain/recent.js";
import type { Micros } from "./domain/time.js";
import { noSuchBucket } from "./errors.js";
import { createPace } from "./pace.js";
import type { EventSource } from "./query/source.js";
import type { EventRange, Storage } from "./storage.js";

/** Events between two looks at the clock. */
const SLICE = 4_096;

/** Reads events for queries out of a storage: as columns, with one object for equal data. */
export function createEventSource(storage: Storage): EventSource {
  const shared = createSharing();
  const kept = new Recent<string, KeptList>(KEPT_BYTES);

  /** Whole events of a range, oldest first. */
  async function* readColumns(bucketId: string, range: EventRange): AsyncGenerator<EventList> {
    if (storage.readColumns !== undefined) yield* storage.readColumns(bucketId, range);
    else
      for await (const events of storage.readEvents(bucketId, { ...range, order: "oldest" })) yield columnsOf(events);
  }

  return {
    listBuckets: () => storage.listBuckets(),
    revision: (bucketId) => storage.revision?.(bucketId),

    async readEvents(bucketId, start, end, watch) {
      // Asked for before it is read: a change in between makes what is read outdated, not the other way round.
      const revision = storage.revision?.(bucketId);
      const key = JSON.stringify([bucketId, start, end]);
      const known = kept.get(key);
      if (known !== undefined && known.revision === revision) return known.list;
      kept.delete(key);
      if (start > end) await refuseUnknown(storage, bucketId);
      const chunks = start > end ? [] : await gathered(readColumns(bucketId, { start, end }), watch);
      const list = await newestFirst(chunks, { start, end, shared });
      if (revision !== undefined) kept.put(key, { revision, list }, key.length * 2 + list.length * BYTES_PER_EVENT);
      return list;
    },

    async countEvents(bucketId, start, end) {
      if (start <= end) return storage.countEvents(bucketId, { start, end });
      await refuseUnknown(storage, bucketId);
      return 0;
    },
  };
}

/** Memory that lists may take that were read before, in bytes; what queries make of them takes about twice as much. */
const KEPT_BYTES = 24 * 1024 * 1024;
/** Of an event in columns. */
const BYTES_PER_EVENT = 32;

/** A list that was read, and the state of its bucket then. */
interface KeptList {
  readonly revision: string;
  readonly list: EventList;
}

async function gathered(chunks: AsyncIterable<EventList>, watch: (events: number) => void): Promise<EventList[]> {
  const all: EventList[] = [];
  const pace = createPace();
  let count = 0;
  for await (const chunk of chunks) {
    all.push(chunk);
    count += chunk.length;
    watch(count);
    await pace.breathe();
  }
  return all;
}

/** A range that ends before it begins does not reach the storage. */
async function refuseUnknown(storage: Storage, bucketId: string): Promise<void> {
  if ((await storage.getBucket(bucketId)) === undefined) throw noSuchBucket(bucketId);
}

interface Clipping {
  readonly start: Micros;
  readonly end: Micros;
  readonly shared: (data: JsonObject) => JsonObject;
}

/** Joins chunks that come oldest first, the other way round and each event cut to the range (contract query.md 5.1). */
async function newestFirst(chunks: readonly EventList[], { start, end, shared }: Clipping): Promise<EventList> {
  const pace = createPace();
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const starts = new Float64Array(length);
  const durations = new Float64Array(length);
  const ids = new Float64Array(length);
  const datas: JsonObject[] = [];
  let last: JsonObject | undefined;
  let one: JsonObject = {};
  for (let at = chunks.length - 1; at >= 0; at--) {
    const chunk = chunks[at] as EventList;
    for (let index = chunk.length - 1; index >= 0; index--) {
      const place = datas.length;
      if (place % SLICE === 0) await pace.breathe();
      const timestamp = chunk.starts[index] as number;
      const from = timestamp < start ? start : timestamp;
      const to = Math.min(timestamp + (chunk.durations[index] as number), end);
      starts[place] = from;
      durations[place] = to - from;
      ids[place] = chunk.ids?.[index] ?? 0;
      const data = chunk.datas[index] as JsonObject;
      if (data !== last) {
        last = data;
        one = shared(data);
      }
      datas.push(one);
    }
  }
  return { length, starts, durations, datas, ids };
}

/** Gives one object for equal data. Decided once for each object that a storage hands out. */
function createSharing(): (data: JsonObject) => JsonObject {
  const known = new WeakMap<JsonObject, JsonObject>();
  const texts = new DistinctTexts();
  return (data) => {
    const before = known.get(data);
    if (before !== undefined) return before;
    const one = texts.objectOf(printObject(data), () => data);
    known.set(data, one);
    return one;
  };
}
