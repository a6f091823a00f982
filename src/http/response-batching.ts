/**
 * Tracks the event-loop turns in which requests arrive. Responses that are ready at once wait for the end of the turn
 * and are sent together: sent one by one, each wakes its client up, which costs more than the rest of a short response.
 */
export class ResponseBatching {
  #end: Promise<void> | undefined;

  /** Call this when a request arrives. */
  begin(): void {
    this.#end ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#end = undefined;
        resolve();
      });
    });
  }

  /** Whether requests of this turn may still arrive. */
  get isOpen(): boolean {
    return this.#end !== undefined;
  }

  /** Resolves when all of them have arrived. */
  get end(): Promise<void> | undefined {
    return this.#end;
  }
}
