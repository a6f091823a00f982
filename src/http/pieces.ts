import { createPace } from "../pace.js";

/** Above this many characters an answer is sent while it is still being printed. A busy day of events is below. */
const WHOLE_LIMIT = 1024 * 1024;

/**
 * Prints an answer of unknown size: a small one becomes one text, so that it can be sent with its length; of a large
 * one the rest is printed as the client takes it. What fails before the limit is reached rejects, and can still
 * become an error answer.
 */
export async function gather(pieces: AsyncGenerator<string>): Promise<string | AsyncIterable<string>> {
  let head = "";
  while (head.length < WHOLE_LIMIT) {
    const piece = await pieces.next();
    if (piece.done) return head;
    head += piece.value;
  }
  return withHead(head, pieces);
}

async function* withHead(head: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  const pace = createPace();
  try {
    yield head;
    for await (const piece of pieces) {
      yield piece;
      // A fast client takes every piece at once; others want to be served, too.
      await pace.breathe();
    }
  } finally {
    // A client that leaves at the first piece would otherwise leave the read behind it open.
    await pieces.return(undefined);
  }
}

/** Ends pieces that nobody will take. */
export async function discard(pieces: AsyncIterable<string>): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  // Started before it is ended, so that what it has opened is closed.
  await iterator.next();
  await iterator.return?.();
}
