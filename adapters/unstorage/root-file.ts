import { ActivityError, hasCode } from "../../src/errors.js";
import type { BlobStore } from "./blob-store.js";
import type { FencingToken } from "./fencing-token.js";
import { valueName } from "./names.js";
import { type Root, serializeRoot } from "./root.js";

/**
 * Writes the root of an epoch, double-buffered: the place of the current version stays untouched while the next one is
 * written, because a driver may leave half a value if the process crashes.
 *
 *     place 0   version 1            version 3
 *     place 1             version 2            version 4, failed
 *     place 2                                              version 5
 *
 * Each version is complete, so the next one simply overrides a failed one. A place with a failed write is not used
 * again, because the driver may still execute that write at any time.
 */
export class RootFile {
  readonly #blobs: BlobStore;
  readonly #epoch: string;
  readonly #token: FencingToken;
  #root: Root;
  #version = 0;
  #current = 1;
  #next = 0;
  #highest = 1;
  #isInDoubt = false;
  /** Resolves when the last write has ended. */
  #turn: Promise<void> = Promise.resolve();

  /** @param root the initial root of the epoch */
  constructor(blobs: BlobStore, epoch: string, token: FencingToken, root: Root) {
    this.#blobs = blobs;
    this.#epoch = epoch;
    this.#token = token;
    this.#root = root;
  }

  /** The current root. */
  get root(): Root {
    return this.#root;
  }

  /** Its name. */
  get name(): string {
    return valueName("root", this.#epoch, this.#current);
  }

  /** Whether the next opening might find a refused version. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /** Overrides a refused version. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isInDoubt) await this.#write(this.#root);
    });
  }

  /** Writes a version. It applies if the token is still valid after the write. */
  write(facts: Omit<Root, "version">): Promise<void> {
    return this.#inTurn(() => this.#write(facts));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #write(facts: Omit<Root, "version">): Promise<void> {
    if (this.#token.lost !== undefined) throw this.#token.lost;
    const root = { ...facts, version: ++this.#version };
    try {
      await this.#blobs.write(valueName("root", this.#epoch, this.#next), serializeRoot(root));
      await this.#token.verify();
    } catch (thrown) {
      this.#isInDoubt = true;
      this.#next = ++this.#highest;
      throw refusal(thrown);
    }
    [this.#current, this.#next] = [this.#next, this.#current];
    this.#isInDoubt = false;
    this.#root = root;
  }
}

function refusal(thrown: unknown): unknown {
  if (!hasCode(thrown, "STORAGE_FAILED")) return thrown;
  const { message: reason, cause } = thrown;
  const message = `${reason}; it is not stored now, but may be after a restart`;
  return new ActivityError("STORAGE_FAILED", message, { cause, reason });
}
