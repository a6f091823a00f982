import { AbandonedError } from "../../errors.js";
import { cursorOf, type FeedBatch, type FeedView } from "./batches.js";
import type { FeedHub } from "./hub.js";
import type { FeedReset } from "./message.js";

/** Changes that a reader has not taken, above which it is disconnected, in bytes of JSON. */
export const MAX_UNSENT_BYTES: number = 1024 * 1024;

/** A place in the feed. */
export interface FeedCursor {
  readonly epoch: string;
  readonly number: number;
}

/** How to read. */
export interface ReaderOptions {
  readonly view: FeedView;
  /** @default the current end of the feed */
  readonly after: FeedCursor | undefined;
  /** Called if the reader does not take the changes; the next pull fails. @default unlimited */
  readonly onSlow: (() => void) | undefined;
}

/** Reads the changes after a cursor. Keeps nothing but its place in the ring. */
export class FeedReader implements AsyncIterator<FeedBatch, "bye" | undefined> {
  readonly #hub: FeedHub;
  readonly #options: ReaderOptions;
  readonly #onEnd: () => void;
  #epoch: string;
  /** The number of the next entry to return. */
  #next: number;
  /** The next entry that is not counted as unsent. */
  #counted: number;
  #unsentBytes = 0;
  #pending: FeedReset["reason"] | undefined;
  #isAliveDue = false;
  #resume: (() => void) | undefined;
  #end: "no" | "left" | "bye" | "slow" = "no";

  constructor(hub: FeedHub, options: ReaderOptions, onEnd: () => void) {
    this.#hub = hub;
    this.#options = options;
    this.#onEnd = onEnd;
    const { after } = options;
    const { epoch, ring } = hub;
    this.#epoch = epoch;
    const isKnown = after?.epoch === epoch && after.number + 1 >= ring.first && after.number < ring.next;
    this.#next = isKnown ? after.number + 1 : ring.next;
    this.#counted = this.#next;
    if (!isKnown) this.#pending = after === undefined ? "start" : "gone";
  }

  get cursor(): string {
    return cursorOf(this.#epoch, this.#next);
  }

  /** Waits for the next messages. @throws AbandonedError for a reader that was too slow */
  async next(): Promise<IteratorResult<FeedBatch, "bye" | undefined>> {
    for (;;) {
      if (this.#end === "slow") throw new AbandonedError();
      if (this.#end !== "no") return { done: true, value: this.#end === "bye" ? "bye" : undefined };
      const batch = this.#reset() ?? this.#collect();
      if (batch.items.length > 0 || this.#isAliveDue) {
        this.#isAliveDue = false;
        this.#unsentBytes = 0;
        this.#counted = this.#next;
        return { done: false, value: batch };
      }
      if (this.#next === this.#hub.ring.next) await this.#wait();
    }
  }

  async return(): Promise<IteratorResult<FeedBatch, undefined>> {
    this.#finish("left");
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** There are new changes. */
  wake(): void {
    if (this.#resume !== undefined) {
      this.#resume();
      return;
    }
    if (this.#options.onSlow !== undefined && this.#countUnsent() > MAX_UNSENT_BYTES) {
      this.#finish("slow");
      this.#options.onSlow();
    }
  }

  keepAlive(): void {
    this.#isAliveDue = true;
    this.#resume?.();
  }

  endByServer(): void {
    this.#finish("bye");
  }

  #finish(how: "left" | "bye" | "slow"): void {
    if (this.#end !== "no") return;
    this.#end = how;
    this.#onEnd();
    this.#resume?.();
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = () => {
        this.#resume = undefined;
        resolve();
      };
    });
  }

  #reset(): FeedBatch | undefined {
    const { epoch, ring } = this.#hub;
    if (epoch !== this.#epoch || this.#next < ring.first) {
      this.#epoch = epoch;
      this.#next = ring.next;
      this.#pending ??= "gone";
    }
    if (this.#pending === undefined) return undefined;
    const message: FeedReset = { type: "reset", reason: this.#pending };
    this.#pending = undefined;
    const { cursor } = this;
    return { items: [{ cursor, message, json: JSON.stringify(message) }], cursor };
  }

  #collect(): FeedBatch {
    const { batch, next } = this.#hub.batches.collect(this.#options.view, this.#epoch, this.#next);
    this.#next = next;
    return batch;
  }

  #countUnsent(): number {
    const { ring, batches, epoch } = this.#hub;
    if (epoch !== this.#epoch) return 0;
    this.#counted = Math.max(this.#counted, ring.first);
    for (; this.#counted < ring.next; this.#counted++) {
      const entry = ring.get(this.#counted);
      if (batches.seen(this.#options.view, entry) !== undefined) this.#unsentBytes += entry.json.length;
    }
    return this.#unsentBytes;
  }
}
