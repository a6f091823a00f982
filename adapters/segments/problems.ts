import { messageOf } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import type { StorageProblem } from "../../src/storage/health.js";
import { LazyMap } from "../../src/util/lazy-collections.js";

/** Problems of a storage, each logged once. */
export class Problems {
  readonly #name: string;
  readonly #logger: Logger;
  readonly #known: LazyMap<string, StorageProblem> = new LazyMap();

  /** @param name of the storage in messages */
  constructor(name: string, logger: Logger) {
    this.#name = name;
    this.#logger = logger;
  }

  get all(): readonly StorageProblem[] {
    return [...this.#known.values()];
  }

  note(problem: StorageProblem): void {
    if (this.#known.has(problem.message)) return;
    this.#known.set(problem.message, problem);
    this.#logger.error(new Error(`${this.#name}: ${problem.message}`));
  }

  /** Records an index that was out of order, or would be after a rejected change. */
  noteDisorder(message: string, bucketId: string): void {
    this.note({ kind: "disordered", message, bucketId });
  }

  /** Logs a write failure. @param failure `undefined` when writing works again */
  report(what: string, failure: unknown): void {
    if (failure === undefined) {
      this.#logger.info(`${this.#name}: ${what} can be written again`);
      return;
    }
    const text = `${this.#name}: ${what} cannot be written: ${messageOf(failure)}`;
    this.#logger.error(new Error(text, { cause: failure }));
  }
}
