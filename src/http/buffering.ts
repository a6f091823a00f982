import { AbandonedError } from "../errors.js";
import type { Logger } from "../logger.js";
import { createTimeSlice } from "../util/time-slice.js";
import type { Buffered, Chunk } from "./request-context.js";

/** Larger responses, in characters or bytes, are sent while they are still being produced. A busy day is smaller. */
const BUFFER_LIMIT = 1024 * 1024;

type Chunks = AsyncGenerator<Chunk> | Generator<Chunk>;

/**
 * Buffers a small response of unknown size, to send it with its length. The rest of a large one is produced as the
 * client takes it. An error before the limit rejects, and can still become an error response.
 */
export async function gather(chunks: Chunks): Promise<Buffered | AsyncIterable<Chunk>> {
  const head: Chunk[] = [];
  let text = "";
  let length = 0;
  const timeSlice = createTimeSlice();
  while (length < BUFFER_LIMIT) {
    const { done, value } = await chunks.next();
    if (done) return head.length === 0 ? text : [...head, text];
    // Many responses may start at the same moment; let other requests run.
    await timeSlice.yield();
    length += value.length;
    if (typeof value === "string") {
      text += value;
      continue;
    }
    if (text !== "") head.push(text);
    head.push(value);
    text = "";
  }
  return withHead([...head, text], chunks);
}

async function* withHead(head: readonly Chunk[], chunks: Chunks): AsyncGenerator<Chunk> {
  const timeSlice = createTimeSlice();
  try {
    for (const chunk of head) if (chunk.length > 0) yield chunk;
    for await (const chunk of chunks) {
      yield chunk;
      // A fast client takes every chunk at once; let other requests run.
      await timeSlice.yield();
    }
  } finally {
    // Closes the read if the client disconnects at the first chunk.
    await chunks.return(undefined);
  }
}

/** Ends chunks without a consumer. */
export async function discard(chunks: AsyncIterable<Chunk>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  // Start the iterator before ending it; otherwise its resources stay open.
  await iterator.next();
  await iterator.return?.();
}

/** An error after the status can only be logged: the client sees a truncated response. */
export async function* logged(chunks: AsyncIterable<Chunk>, logger: Logger): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } catch (thrown) {
    if (!(thrown instanceof AbandonedError)) logger.error(thrown);
    throw thrown;
  }
}
