import { createTimeSlice } from "../util/time-slice.js";
import type { Buffered, Chunk } from "./request-context.js";

/** Above this size, in characters or bytes, a response is sent while it is still being made. A busy day is below. */
const BUFFER_LIMIT = 1024 * 1024;

/**
 * Takes a response of unknown size: a small one is buffered, so that it can be sent with its length; of a large one
 * the rest is made as the client takes it. What fails before the limit is reached rejects, and can still become an
 * error response.
 */
export async function gather(chunks: AsyncGenerator<Chunk>): Promise<Buffered | AsyncIterable<Chunk>> {
  const head: Chunk[] = [];
  let text = "";
  let length = 0;
  const timeSlice = createTimeSlice();
  while (length < BUFFER_LIMIT) {
    const { done, value } = await chunks.next();
    if (done) return head.length === 0 ? text : [...head, text];
    // Many may begin at the same moment, and others want to be served.
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

async function* withHead(head: readonly Chunk[], chunks: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  const timeSlice = createTimeSlice();
  try {
    for (const chunk of head) if (chunk.length > 0) yield chunk;
    for await (const chunk of chunks) {
      yield chunk;
      // A fast client takes every chunk at once; others want to be served, too.
      await timeSlice.yield();
    }
  } finally {
    // A client that leaves at the first chunk would otherwise leave the read behind it open.
    await chunks.return(undefined);
  }
}

/** Ends chunks that nobody will take. */
export async function discard(chunks: AsyncIterable<Chunk>): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  // Started before it is ended, so that what it has opened is closed.
  await iterator.next();
  await iterator.return?.();
}
