import type { RequestListener } from "node:http";

/** A handler that queues requests until their final handler is ready. */
export interface RequestGate {
  readonly handler: RequestListener;
  /** Passes queued and later requests to a handler. */
  open(handler: RequestListener): void;
}

export function createRequestGate(): RequestGate {
  const waiting: Parameters<RequestListener>[] = [];
  let current: RequestListener = (...request) => void waiting.push(request);
  return {
    handler: (request, response) => current(request, response),
    open(handler) {
      current = handler;
      for (const request of waiting.splice(0)) handler(...request);
    },
  };
}
