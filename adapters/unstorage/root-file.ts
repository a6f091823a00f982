import { ActivityError, hasCode } from "../../src/errors.js";
import type { BlobStore } from "./blob-store.js";
import type { FencingToken } from "./fencing-token.js";
import { nameOf } from "./names.js";
import { type Root, serializeRoot } from "./root.js";

/**
 * Writes the root of an epoch, double-buffered: the place that holds the current version is left alone while the next
 * one is written, since a driver may leave half a value behind when the process dies.
 *
 *     place 0   version 1            version 3
 *     place 1             version 2            version 4, failed
 *     place 2                                              version 5
 *
 * Each version is whole, so one that failed is simply overridden by the next. A place where a write has failed is not
 * used again: the driver may still carry it out, whenever that is.
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
  /** Resolves when the last write that was begun has ended. */
  #turn: Promise<void> = Promise.resolve();

  /** @param root what the epoch begins with */
  constructor(blobs: BlobStore, epoch: string, token: FencingToken, root: Root) {
    this.#blobs = blobs;
    this.#epoch = epoch;
    this.#token = token;
    this.#root = root;
  }

  /** What counts. */
  get root(): Root {
    return this.#root;
  }

  /** Where it lies. */
  get name(): string {
    return nameOf("root", this.#epoch, this.#current);
  }

  /** Whether a version that was refused might be found by the next opening. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /** Overrides a version that was refused. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isInDoubt) await this.#write(this.#root);
    });
  }

  /** Writes a version; it counts when the token still holds behind the write. */
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
      await this.#blobs.write(nameOf("root", this.#epoch, this.#next), serializeRoot(root));
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
