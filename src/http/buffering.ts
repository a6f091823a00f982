import { createTimeSlice } from "../util/time-slice.js";
import type { Buffered, Chunk } from "./request-context.js";

/** Above this size, in characters or bytes, an answer is sent while it is still being made. A busy day is below. */
const WHOLE_LIMIT = 1024 * 1024;

/**
 * Takes an answer of unknown size: a small one is made whole, so that it can be sent with its length; of a large one
 * the rest is made as the client takes it. What fails before the limit is reached rejects, and can still become an
 * error answer.
 */
export async function gather(pieces: AsyncGenerator<Chunk>): Promise<Buffered | AsyncIterable<Chunk>> {
  const head: Chunk[] = [];
  let text = "";
  let length = 0;
  while (length < WHOLE_LIMIT) {
    const { done, value } = await pieces.next();
    if (done) return head.length === 0 ? text : [...head, text];
    length += value.length;
    if (typeof value === "string") {
      text += value;
      continue;
    }
    if (text !== "") head.push(text);
    head.push(value);
    text = "";
  }
  return withHead([...head, text], pieces);
}

async function* withHead(head: readonly Chunk[], pieces: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  const timeSlice = createTimeSlice();
  try {
    for (const piece of head) if (piece.length > 0) yield piece;
    for await (const piece of pieces) {
      yield piece;
      // A fast client takes every piece at once; others want to be served, too.
      await timeSlice.yield();
    }
  } finally {
    // A client that leaves at the first piece would otherwise leave the read behind it open.
    await pieces.return(undefined);
  }
}

/** Ends pieces that nobody will take. */
export async function discard(pieces: AsyncIterable<Chunk>): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  // Started before it is ended, so that what it has opened is closed.
  await iterator.next();
  await iterator.return?.();
}
