import { LruCache } from "../util/lru-cache.js";
import { type Size, sizeOf } from "./size.js";
import type { EventSource, SourceVersion } from "./source.js";
import type { Value } from "./values.js";

/** Memory that kept results may take, in bytes, roughly. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Of an event in columns, and of its part in the text of an answer. */
const BYTES_PER_EVENT = 200;
const BYTES_PER_NODE = 64;

/** What a run has read, and the versions that it saw; `null` stands for the list of buckets. */
type Reads = ReadonlyMap<string | null, string>;

interface Kept {
  readonly value: Value;
  readonly reads: Reads;
}

/** A source that notes what is read through it. */
export interface NotedSource {
  readonly source: EventSource;
  /** `undefined` when the version of something that was read is not known, or when it changed during the run. */
  reads(): Reads | undefined;
}

/**
 * Notes the version that each read was made at. What does not tell its version is asked for it before it is read: a
 * change in between makes the result outdated, not the other way round.
 */
export function noting(source: EventSource): NotedSource {
  const reads = new Map<string | null, string>();
  let isKnown = true;
  function note(id: string | null, version: SourceVersion): void {
    const before = reads.get(id);
    if (version === undefined || (before !== undefined && before !== version)) isKnown = false;
    else reads.set(id, version);
  }
  async function noteNow(id: string | null): Promise<void> {
    const [version] = await source.versions([id]);
    note(id, version);
  }
  return {
    reads: () => (isKnown ? reads : undefined),
    source: {
      versions: (ids) => source.versions(ids),
      async listBuckets() {
        await noteNow(null);
        return source.listBuckets();
      },
      async readEvents(bucketId, ...rest) {
        const read = await source.readEvents(bucketId, ...rest);
        note(bucketId, read.version);
        return read;
      },
      async countEvents(bucketId, start, end) {
        await noteNow(bucketId);
        return source.countEvents(bucketId, start, end);
      },
    },
  };
}

/** Keeps results as long as nothing that they were made of has changed; the one used longest ago goes first. */
export class ResultCache {
  readonly #kept: LruCache<string, Kept> = new LruCache(MOST_BYTES);

  /** @param source tells whether it is still right */
  async get(key: string, source: EventSource): Promise<Value | undefined> {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    const versions = await source.versions([...kept.reads.keys()]);
    // One of other versions may be outdated, or newer than this request knows: the next result takes its place.
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
