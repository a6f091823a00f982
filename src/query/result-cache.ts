import { Recent } from "../domain/recent.js";
import { type Size, sizeOf } from "./size.js";
import type { EventSource } from "./source.js";
import type { Value } from "./values.js";

/** Memory that kept results may take, in bytes, roughly. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Of an event in columns, and of its part in the text of an answer. */
const BYTES_PER_EVENT = 200;
const BYTES_PER_NODE = 64;

/** What a run has read, and in which state it was then. */
type Reads = ReadonlyMap<string | undefined, string>;

interface Kept {
  readonly value: Value;
  readonly reads: Reads;
}

/** A source that notes what is read through it. */
export interface NotedSource {
  readonly source: EventSource;
  /** `undefined` when the state of something that was read is not known. */
  reads(): Reads | undefined;
}

/** Notes the state of each bucket before it is read for the first time: what changes meanwhile makes it outdated. */
export function noting(source: EventSource): NotedSource {
  const reads = new Map<string | undefined, string>();
  let isKnown = true;
  function note(bucketId?: string): void {
    if (reads.has(bucketId)) return;
    const revision = source.revision(bucketId);
    if (revision === undefined) isKnown = false;
    else reads.set(bucketId, revision);
  }
  return {
    reads: () => (isKnown ? reads : undefined),
    source: {
      revision: source.revision,
      listBuckets() {
        note();
        return source.listBuckets();
      },
      readEvents(bucketId, start, end, watch) {
        note(bucketId);
        return source.readEvents(bucketId, start, end, watch);
      },
      countEvents(bucketId, start, end) {
        note(bucketId);
        return source.countEvents(bucketId, start, end);
      },
    },
  };
}

/** Keeps results as long as nothing that they were made of has changed; the one used longest ago goes first. */
export class ResultCache {
  readonly #source: EventSource;
  readonly #kept: Recent<string, Kept> = new Recent(MOST_BYTES);

  constructor(source: EventSource) {
    this.#source = source;
  }

  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    for (const [bucketId, revision] of kept.reads) {
      if (this.#source.revision(bucketId) === revision) continue;
      this.#kept.delete(key);
      return undefined;
    }
    return kept.value;
  }

  put(key: string, value: Value, reads: Reads): void {
    const bytes = key.length * 2 + bytesOf(sizeOf(value));
    this.#kept.put(key, { value, reads }, bytes);
  }
}

function bytesOf({ nodes, events }: Size): number {
  return nodes * BYTES_PER_NODE + events * BYTES_PER_EVENT;
}
