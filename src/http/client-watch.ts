import type { RequestContext } from "./request-context.js";

/** Checks whether the client of a request has left. */
export interface ClientWatch {
  readonly isGone: () => boolean;
  /** Stops watching. */
  readonly end: () => void;
}

export function watchClient(request: Pick<RequestContext, "onGone">): ClientWatch {
  let isGone = false;
  const end = request.onGone?.(() => {
    isGone = true;
  });
  return { isGone: () => isGone, end: () => end?.() };
}

/** Runs work that checks regularly whether its client is still there. */
export async function withClientWatch<Answer>(
  request: Pick<RequestContext, "onGone">,
  work: (isGone: () => boolean) => Promise<Answer>,
): Promise<Answer> {
  const { isGone, end } = watchClient(request);
  try {
    return await work(isGone);
  } finally {
    end();
  }
}
