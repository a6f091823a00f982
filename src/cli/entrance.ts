import type { RequestListener } from "node:http";

/** A handler that queues requests until their final handler is ready. */
export interface Entrance {
  readonly handler: RequestListener;
  /** Passes queued and later requests to a handler. */
  open(handler: RequestListener): void;
}

export function createEntrance(): Entrance {
  const waiting: Parameters<RequestListener>[] = [];
  let answer: RequestListener = (...request) => void waiting.push(request);
  return {
    handler: (request, response) => answer(request, response),
    open(handler) {
      answer = handler;
      for (const request of waiting.splice(0)) handler(...request);
    },
  };
}
