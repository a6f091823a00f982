import { ActivityError } from "../errors.js";

/** A bucket was created, its record changed, or it was deleted; its events were added or replaced, or deleted. */
export type BucketChangeKind =
  | "bucket-created"
  | "bucket-updated"
  | "bucket-deleted"
  | "events-written"
  | "events-deleted";

/** Where something was written, and what kind of write it was; not what was written. */
export type Change = {
  /** Whether another storage over the same data wrote it, such as that of another process. */
  readonly elsewhere: boolean;
} & (
  | { readonly kind: BucketChangeKind; readonly bucketId: string }
  | { readonly kind: "setting"; readonly key: string }
);

/** A part of the changes. */
export interface ChangePage {
  readonly changes: readonly Change[];
  /** Opaque: from where on the next page tells. */
  readonly cursor: string;
}

/** What a feed of changes is made of. */
export interface ChangeSource {
  /**
   * What was written behind a cursor; without one nothing, and the cursor of now.
   *
   * @throws ActivityError `CHANGES_GONE` for a cursor older than what is kept, `STORAGE_CLOSED`
   */
  page(after: string | undefined): Promise<ChangePage>;
  /**
   * Calls back when there may be another page, and when the storage is closed. Called when the feed is first pulled.
   *
   * @returns ends that
   */
  listen(wake: () => void): () => void;
}

/** The error of a cursor that cannot be followed. */
export function changesGone(): ActivityError {
  return new ActivityError("CHANGES_GONE", "the changes since this cursor are not kept any more; begin without one");
}

/** Makes the feed that `Storage.changes` gives: a page at once, then each that is not empty. */
export function changeFeed(source: ChangeSource, after: string | undefined): AsyncIterableIterator<ChangePage> {
  return new ChangeFeed(source, after);
}

class ChangeFeed implements AsyncIterableIterator<ChangePage> {
  readonly #source: ChangeSource;
  readonly #pages: AsyncGenerator<ChangePage>;
  #isOver = false;
  /** Whether there may be something since the last page was asked for. */
  #isAwake = false;
  #goOn: () => void = () => {};

  constructor(source: ChangeSource, after: string | undefined) {
    this.#source = source;
    this.#pages = this.#pagesFrom(after);
  }

  next(): Promise<IteratorResult<ChangePage>> {
    return this.#pages.next();
  }

  /** Also while a pull waits, which a generator alone would not notice. */
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
    this.#goOn();
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
        if (!this.#isAwake) await this.#woken();
      }
    } finally {
      stop();
    }
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }
}
