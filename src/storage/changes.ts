import { ActivityError } from "../errors.js";

/** A bucket was created, its record changed, or it was deleted; its events were added or replaced, or deleted. */
export type BucketChangeKind =
  | "bucket-created"
  | "bucket-updated"
  | "bucket-deleted"
  | "events-written"
  | "events-deleted";

/** The place and kind of a write, without its content. */
export type Change = {
  /** Whether another storage over the same data wrote it, such as the storage of another process. */
  readonly elsewhere: boolean;
} & (
  | { readonly kind: BucketChangeKind; readonly bucketId: string }
  | { readonly kind: "setting"; readonly key: string }
);

/** A page of changes. */
export interface ChangePage {
  readonly changes: readonly Change[];
  /** An opaque position; the next page starts after it. */
  readonly cursor: string;
}

/** The source of a change feed. */
export interface ChangeSource {
  /**
   * Reads the changes after a cursor; without one, returns an empty page with the current cursor.
   *
   * @throws ActivityError `CHANGES_GONE` for a cursor older than the kept changes, `STORAGE_CLOSED`
   */
  page(after: string | undefined): Promise<ChangePage>;
  /**
   * Calls back when there may be another page, and when the storage is closed. Called when the feed is first pulled.
   *
   * @returns stops listening
   */
  listen(wake: () => void): () => void;
}

/** The error for an expired or unknown cursor. */
export function changesGone(): ActivityError {
  return new ActivityError(
    "CHANGES_GONE",
    "the changes since this cursor are no longer available; start without a cursor",
  );
}

/** Creates the feed that `Storage.changes` returns: a page at once, then each page that is not empty. */
export function changeFeed(source: ChangeSource, after: string | undefined): AsyncIterableIterator<ChangePage> {
  return new ChangeFeed(source, after);
}

class ChangeFeed implements AsyncIterableIterator<ChangePage> {
  readonly #source: ChangeSource;
  readonly #pages: AsyncGenerator<ChangePage>;
  #isOver = false;
  /** Whether there may be changes after the last page. */
  #isAwake = false;
  #resume: () => void = () => {};

  constructor(source: ChangeSource, after: string | undefined) {
    this.#source = source;
    this.#pages = this.#pagesFrom(after);
  }

  next(): Promise<IteratorResult<ChangePage>> {
    return this.#pages.next();
  }

  /** Works even while a pull waits, unlike in a generator. */
  async return(): Promise<IteratorResult<ChangePage>> {
    this.#isOver = true;
    this.#wake();
    return this.#pages.return(undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #wake(): void {
    this.#isAwake = true;
    this.#resume();
  }

  async *#pagesFrom(after: string | undefined): AsyncGenerator<ChangePage> {
    let cursor = after;
    let isFirst = true;
    const stop = this.#source.listen(() => this.#wake());
    try {
      while (!this.#isOver) {
        this.#isAwake = false;
        const page = await this.#source.page(cursor);
        if (this.#isOver) return;
        cursor = page.cursor;
        if (isFirst || page.changes.length > 0) yield page;
        isFirst = false;
        if (!this.#isAwake) await this.#waitForWake();
      }
    } finally {
      stop();
    }
  }

  #waitForWake(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }
}
