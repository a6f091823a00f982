import type { Disclosure } from "../domain/key-scope.js";

/** Data handed out to an assistant. */
export interface HandedOut {
  readonly time: string;
  /** The name of the key; `null` without one. */
  readonly key: string | null;
  readonly tool: string;
  /** `null` for a call without one. */
  readonly period: string | null;
  readonly level: Disclosure;
  readonly rows: number;
}

const MOST_ENTRIES = 200;

/** The last responses to assistants. */
export class DisclosureLog {
  readonly #entries: HandedOut[] = [];

  add(entry: HandedOut): void {
    this.#entries.push(entry);
    if (this.#entries.length > MOST_ENTRIES) this.#entries.shift();
  }

  /** Newest first. */
  list(): readonly HandedOut[] {
    return this.#entries.toReversed();
  }
}
