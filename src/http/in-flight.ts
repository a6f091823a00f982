import type { Pipeline } from "./pipeline.js";
import { type Chunk, type HttpResponse, isStreamed, type RequestContext } from "./request-context.js";

/** Counts what runs, so that a closing server can let it finish. */
export interface InFlight {
  /** The same pipeline, counted; a response sent in chunks counts until its last chunk. */
  counting(pipeline: Pipeline): Pipeline;
  /** Runs something that a closing server waits for. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Passes items on; a closing server waits for whoever takes them, once the first one was taken. */
  whileRead<T>(items: AsyncIterable<T>): AsyncGenerator<T>;
  /** Resolves when nothing runs any more, or when a client took longer than the grace period. */
  settled(): Promise<void>;
}

/** How long a closing server waits for a client that does not take its response, in milliseconds. */
const GRACE_MILLIS = 5000;

export function createInFlight(): InFlight {
  let running = 0;
  let whenIdle: (() => void) | undefined;

  function leave(): void {
    running--;
    if (running === 0) whenIdle?.();
  }

  /** Ends with the connection even when nobody asks for a further chunk. */
  async function* counted(chunks: AsyncIterable<Chunk>, request: RequestContext): AsyncGenerator<Chunk> {
    const iterator = chunks[Symbol.asyncIterator]();
    let isOver = false;
    function end(): void {
      if (!isOver) leave();
      isOver = true;
    }
    const stopListening = request.onGone?.(() => {
      iterator.return?.().catch(() => undefined);
      end();
    });
    try {
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      stopListening?.();
      end();
    }
  }

  return {
    counting: (pipeline) => async (request, access) => {
      running++;
      let response: HttpResponse | undefined;
      try {
        response = await pipeline(request, access);
      } finally {
        if (response === undefined || !isStreamed(response.body)) leave();
      }
      const { body } = response;
      return isStreamed(body) ? { ...response, body: counted(body, request) } : response;
    },
    async during(work) {
      running++;
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async *whileRead(items) {
      running++;
      try {
        yield* items;
      } finally {
        leave();
      }
    },
    settled() {
      if (running === 0) return Promise.resolve();
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
