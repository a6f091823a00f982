import { LruCache } from "../util/lru-cache.js";
import type { CacheMemory } from "../util/memory-budget.js";
import { type Size, sizeOf } from "./size.js";
import type { EventSource, SourceVersion } from "./source.js";
import type { Value } from "./values.js";

/** Estimated memory for cached results, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Bytes of an event in columns, plus its part of the serialized response. */
const BYTES_PER_EVENT = 200;
const BYTES_PER_NODE = 64;

/** Versions of the buckets that a run read; `null` is the key of the bucket list. */
type Reads = ReadonlyMap<string | null, string>;

interface Kept {
  readonly value: Value;
  readonly reads: Reads;
}

/** A source that records the versions of its reads. */
export interface RecordingSource {
  readonly source: EventSource;
  /** `undefined` if a version is unknown, or if it changed during the run. */
  reads(): Reads | undefined;
}

/**
 * Records the version of each read. If a read does not include its version, ask before the read: a concurrent change
 * then makes the cached result outdated at worst, never wrong.
 */
export function recordReads(source: EventSource): RecordingSource {
  const reads = new Map<string | null, string>();
  let isKnown = true;
  function note(id: string | null, version: SourceVersion): void {
    const before = reads.get(id);
    if (version === undefined || (before !== undefined && before !== version)) isKnown = false;
    else reads.set(id, version);
  }
  async function noteCurrent(id: string | null): Promise<void> {
    const [version] = await source.versions([id]);
    note(id, version);
  }
  return {
    reads: () => (isKnown ? reads : undefined),
    source: {
      versions: (ids) => source.versions(ids),
      async listBuckets() {
        await noteCurrent(null);
        return source.listBuckets();
      },
      async readEvents(bucketId, ...rest) {
        const read = await source.readEvents(bucketId, ...rest);
        note(bucketId, read.version);
        return read;
      },
      async countEvents(bucketId, start, end) {
        await noteCurrent(bucketId);
        return source.countEvents(bucketId, start, end);
      },
    },
  };
}

/** Caches results until one of their buckets changes. Evicts the least recently used first. */
export class ResultCache {
  readonly #kept: LruCache<string, Kept>;

  constructor(memory?: CacheMemory) {
    this.#kept = new LruCache(MAX_BYTES, { memory, name: "query results" });
  }

  /** @param source checks whether the result is current */
  async get(key: string, source: EventSource): Promise<Value | undefined> {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    const versions = await source.versions([...kept.reads.keys()]);
    // A result of other versions may be outdated, or newer than this request knows: the next result replaces it.
    return [...kept.reads.values()].every((version, index) => version === versions[index]) ? kept.value : undefined;
  }

  put(key: string, value: Value, reads: Reads): void {
    const bytes = key.length * 2 + bytesOf(sizeOf(value));
    this.#kept.put(key, { value, reads }, bytes);
  }
}

function bytesOf({ nodes, events }: Size): number {
  return nodes * BYTES_PER_NODE + events * BYTES_PER_EVENT;
}
