import type { Logger } from "../../src/logger.js";
import { type BlobStore, inGroups } from "./blob-store.js";

/**
 * Removes unreferenced values in the background. A failed removal is repeated with the next ones; the next opening
 * removes leftovers of a crash.
 */
export class DeferredDelete {
  readonly #blobs: BlobStore;
  readonly #logger: Logger;
  readonly #mayGoOn: () => boolean;
  #waiting: string[] = [];
  #running: Promise<void> | undefined;

  /** @param mayGoOn called before each removal */
  constructor(blobs: BlobStore, logger: Logger, mayGoOn: () => boolean) {
    this.#blobs = blobs;
    this.#logger = logger;
    this.#mayGoOn = mayGoOn;
  }

  /** Queues names for removal. */
  add(names: Iterable<string>): void {
    const before = this.#waiting.length;
    this.#waiting.push(...names);
    if (this.#waiting.length > before) this.#running ??= this.#run();
  }

  /** Resolves when no removal is possible now. Never rejects. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    const failed: string[] = [];
    while (this.#waiting.length > 0) {
      const names = this.#waiting;
      this.#waiting = [];
      await inGroups(names, async (name) => {
        if (!this.#mayGoOn()) return;
        await this.#blobs.remove(name).catch((thrown: unknown) => {
          if (failed.push(name) === 1)
            this.#logger.warn(`${this.#blobs.title}: outdated values stay for now: ${thrown}`);
        });
      });
    }
    this.#waiting = failed;
    this.#running = undefined;
  }
}
