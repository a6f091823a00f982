import type { RequestContext } from "./request-context.js";

/** Carries out work that asks now and then whether its client is still there. */
export async function whileThere<Answer>(
  request: Pick<RequestContext, "onGone">,
  work: (isGone: () => boolean) => Promise<Answer>,
): Promise<Answer> {
  let isLeft = false;
  const stopListening = request.onGone?.(() => {
    isLeft = true;
  });
  try {
    return await work(() => isLeft);
  } finally {
    stopListening?.();
  }
}
