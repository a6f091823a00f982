/** A controller that also aborts with a signal. The oldest supported browsers lack `AbortSignal.any`. */
export function createLinkedController(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return controller;
}
