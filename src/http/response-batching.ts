/**
 * Tracks the event-loop turns in which requests arrive. Responses that are ready at once wait for the end of the turn
 * and are sent together: sent one by one, each wakes its client up, which costs more than the rest of a short response.
 */
export class ResponseBatching {
  #isOpen = false;
  #end: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  /** Call this when a request arrives. */
  begin(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    setImmediate(this.#close);
  }

  /** Whether requests of this turn may still arrive. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when all of them have arrived. Created when used: a heartbeat waits longer for the disk. */
  get end(): Promise<void> {
    this.#end ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#end;
  }

  readonly #close = (): void => {
    this.#isOpen = false;
    this.#resolve?.();
    this.#resolve = undefined;
    this.#end = undefined;
  };
}
