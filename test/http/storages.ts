// Storages that tell what is asked of them, wait, or fail.
import type { Bucket, Storage } from "../../src/index.js";

/** What happened to the reads of a storage. */
export interface ReadTally {
  /** Reads that were begun. */
  begun: number;
  /** Reads that were begun and not ended. */
  open: number;
  /** Batches that were handed out. */
  batches: number;
}

export interface ReadOptions {
  /** Awaited before each batch, with the number of the batch in its read. What it throws, the read throws. */
  readonly beforeBatch?: (index: number) => Promise<void> | void;
}

/** A storage whose reads are counted. */
export function watched(inner: Storage, { beforeBatch }: ReadOptions = {}): Storage & { readonly reads: ReadTally } {
  const reads: ReadTally = { begun: 0, open: 0, batches: 0 };

  async function* counted<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
    reads.begun++;
    reads.open++;
    let index = 0;
    try {
      await beforeBatch?.(index);
      for await (const piece of batches) {
        reads.batches++;
        yield piece;
        await beforeBatch?.(++index);
      }
    } finally {
      reads.open--;
    }
  }

  return {
    ...inner,
    reads,
    async read(bucketId, range) {
      const { version, batches } = await inner.read(bucketId, range);
      return { version, batches: counted(batches) };
    },
  };
}

/** A storage that several servers of one file can use, one after another: their `close()` leaves it open. */
export function shared(inner: Storage): Storage {
  return { ...inner, close: async () => undefined };
}

/** A door that is shut at first. */
export function door(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** Puts events of about `bytes` bytes each into a new bucket, one a second. */
export async function fill(storage: Storage, bucketId: string, count: number, bytes = 200): Promise<void> {
  await storage.createBucket(bucketNamed(bucketId));
  const title = "x".repeat(bytes);
  for (let from = 0; from < count; from += 1000) {
    const drafts = Array.from({ length: Math.min(1000, count - from) }, (_, offset) => ({
      timestamp: (from + offset) * 1_000_000,
      duration: 500_000,
      data: { title, index: from + offset },
    }));
    await storage.putEvents(bucketId, drafts);
  }
}

/** A bucket without events, as storages take it. */
export function bucketNamed(id: string): Bucket {
  return { id, type: "t", client: "c", hostname: "h", name: null, created: 0, data: {} };
}
