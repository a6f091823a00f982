import type { RequestListener } from "node:http";

/** A handler at which requests wait until it is known what answers them. */
export interface Entrance {
  readonly handler: RequestListener;
  /** Hands the requests that wait, and all later ones, to another handler. */
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
