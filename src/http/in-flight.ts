import type { Chunk, RequestContext } from "./request-context.js";

/** The started work of a server, and the part that still runs. */
export interface Activity {
  readonly running: number;
  readonly started: number;
}

/** Counts running work, so that a closing server can wait for it. */
export interface InFlight {
  readonly activity: Activity;
  /** Call this when a request arrives, and `leave` when its response is complete. */
  enter(): void;
  leave(): void;
  /** Passes the chunks of a response on. Its request leaves after the last one. */
  leavingAfter(chunks: AsyncIterable<Chunk>, request: RequestContext): AsyncIterable<Chunk>;
  /** Runs work that a closing server waits for. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Passes items on. Once the consumer takes the first one, a closing server waits for the end. */
  whileRead<T>(items: AsyncIterable<T>): AsyncGenerator<T>;
  /** Resolves when nothing runs, or when a client exceeds the grace period. */
  settled(): Promise<void>;
}

/** How long a closing server waits for a client that does not take its response, in milliseconds. */
const GRACE_MILLIS = 5000;

/** @param onFirst called when the first work starts */
export function createInFlight(onFirst?: () => void): InFlight {
  const activity = { running: 0, started: 0 };
  let whenIdle: (() => void) | undefined;

  function enter(): void {
    activity.running++;
    activity.started++;
    if (activity.started === 1) onFirst?.();
  }

  function leave(): void {
    activity.running--;
    if (activity.running === 0) whenIdle?.();
  }

  /** Ends with the connection, even if no consumer requests a further chunk. */
  function leavingAfter(chunks: AsyncIterable<Chunk>, request: RequestContext): AsyncIterable<Chunk> {
    const iterator = chunks[Symbol.asyncIterator]();
    let isStarted = false;
    let isOver = false;
    function end(): void {
      if (isOver) return;
      isOver = true;
      stopListening?.();
      leave();
    }
    const stopListening = request.onGone?.(() => {
      // Resources are only closed if the iterator was started.
      const starting = isStarted ? undefined : iterator.next();
      Promise.resolve(starting)
        .then(() => iterator.return?.())
        .catch(() => undefined);
      end();
    });
    const next = async (): Promise<IteratorResult<Chunk>> => {
      isStarted = true;
      try {
        const result = await iterator.next();
        if (result.done) end();
        return result;
      } catch (thrown) {
        end();
        throw thrown;
      }
    };
    const stop = async (): Promise<IteratorResult<Chunk>> => {
      try {
        await iterator.return?.();
      } finally {
        end();
      }
      return { done: true, value: undefined };
    };
    return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
  }

  return {
    activity,
    enter,
    leave,
    leavingAfter,
    async during(work) {
      enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async *whileRead(items) {
      enter();
      try {
        yield* items;
      } finally {
        leave();
      }
    },
    settled() {
      if (activity.running === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, GRACE_MILLIS);
        whenIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
