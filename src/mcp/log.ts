import type { HandedOut } from "../domain/key-scope.js";

const MAX_ENTRIES = 200;

/** The last responses to assistants. */
export class DisclosureLog {
  readonly #entries: HandedOut[] = [];

  add(entry: HandedOut): void {
    this.#entries.push(entry);
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift();
  }

  /** Newest first. */
  list(): readonly HandedOut[] {
    return this.#entries.toReversed();
  }
}
