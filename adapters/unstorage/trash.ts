import type { Values } from "./values.js";

/** Values that are removed at the same time. */
const AT_ONCE = 16;

/**
 * Removes what nothing refers to any more, behind everybody's back, and not before the reads are over that began while
 * something did. What it leaves behind, for whatever reason, is removed at the next opening.
 */
export class Trash {
  readonly #values: Values;
  readonly #mayGoOn: () => boolean;
  /** Reads under way, by the number that they began with; the oldest comes first. */
  readonly #reads: Set<number> = new Set();
  #waiting: { readonly names: readonly string[]; readonly behind: number }[] = [];
  #clock = 0;
  #busy = false;
  #emptying: Promise<void> = Promise.resolve();

  /** @param mayGoOn asked before each removal */
  constructor(values: Values, mayGoOn: () => boolean) {
    this.#values = values;
    this.#mayGoOn = mayGoOn;
  }

  /** Keeps what is there now from being removed. @returns a function to be called when it is no longer needed */
  hold(): () => void {
    const read = ++this.#clock;
    this.#reads.add(read);
    return () => {
      if (this.#reads.delete(read)) this.#start();
    };
  }

  add(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#waiting.push({ names, behind: this.#clock });
    this.#start();
  }

  /** Resolves when nothing more can be removed now. Never rejects. */
  async idle(): Promise<void> {
    while (this.#busy) await this.#emptying;
  }

  #start(): void {
    if (this.#busy) return;
    this.#busy = true;
    this.#emptying = this.#empty();
  }

  async #empty(): Promise<void> {
    for (let names = this.#take(); names.length > 0; names = this.#take()) {
      for (let at = 0; at < names.length && this.#mayGoOn(); at += AT_ONCE) {
        await Promise.allSettled(names.slice(at, at + AT_ONCE).map((name) => this.#values.remove(name)));
      }
    }
    this.#busy = false;
  }

  #take(): string[] {
    const [oldest = Number.POSITIVE_INFINITY] = this.#reads;
    const free = this.#waiting.filter(({ behind }) => behind < oldest);
    this.#waiting = this.#waiting.filter(({ behind }) => behind >= oldest);
    return free.flatMap(({ names }) => [...names]);
  }
}
