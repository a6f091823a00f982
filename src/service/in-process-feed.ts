import type { OutputOf } from "../api/codec.js";
import type { FeedItem } from "./feed/batches.js";
import type { FeedType } from "./feed/message.js";
import type { FeedReader } from "./feed/reader.js";
import type { Service } from "./service.js";

/** What to follow. */
export interface FeedOptions {
  /** A bucket ID in which `*` matches any characters. @default all buckets */
  readonly buckets?: string | undefined;
  /** @default all types */
  readonly types?: readonly FeedType[] | undefined;
  /** The cursor of the last message that you have. @default only later changes */
  readonly after?: string | undefined;
  /** Ends the feed: the iteration throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A message of the feed, with the cursor after it (docs/reference/feed.md#messages). */
export type FeedMessage = Exclude<OutputOf<"FeedMessage">, { readonly type: "bye" }> & { readonly cursor: string };

export function createInProcessFeed(service: Service): (options?: FeedOptions) => AsyncIterable<FeedMessage> {
  return (options = {}) => ({ [Symbol.asyncIterator]: () => new FeedIterator(service, options) });
}

/** A class, because a generator cannot end while a pull waits. */
class FeedIterator implements AsyncIterator<FeedMessage, undefined> {
  readonly #service: Service;
  readonly #options: FeedOptions;
  #opening: Promise<FeedReader> | undefined;
  #items: readonly FeedItem[] = [];
  #at = 0;
  #isOver = false;
  readonly #abort = (): void => void this.return();

  constructor(service: Service, options: FeedOptions) {
    this.#service = service;
    this.#options = options;
  }

  async next(): Promise<IteratorResult<FeedMessage, undefined>> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    if (this.#isOver) return { done: true, value: undefined };
    if (this.#opening === undefined) {
      this.#opening = this.#service.openFeed(this.#options);
      signal?.addEventListener("abort", this.#abort, { once: true });
    }
    const reader = await this.#opening;
    while (this.#at === this.#items.length) {
      const { done, value } = await reader.next();
      signal?.throwIfAborted();
      if (done) {
        await this.return();
        return { done: true, value: undefined };
      }
      this.#items = value.items;
      this.#at = 0;
    }
    const { message, cursor } = this.#items[this.#at++] as FeedItem;
    return { done: false, value: { ...message, cursor } as FeedMessage };
  }

  async return(): Promise<IteratorResult<FeedMessage, undefined>> {
    this.#isOver = true;
    this.#options.signal?.removeEventListener("abort", this.#abort);
    // A refusal to open was thrown already.
    const reader = await this.#opening?.catch(() => undefined);
    await reader?.return();
    return { done: true, value: undefined };
  }
}
