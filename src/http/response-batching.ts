/**
 * The turns of the event loop that requests arrive in. Responses that are ready at once wait for the end of theirs and
 * go out together: one by one each of them wakes its client up, which costs more than all the rest of a short response.
 */
export class ResponseBatching {
  #end: Promise<void> | undefined;

  /** To be called when a request arrives. */
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
