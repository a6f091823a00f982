import { busy, serverClosed } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import { lacksTransactions, transactOn } from "../../storage/transaction.js";
import { deferModule } from "../../util/deferred-modules.js";
import type { CacheMemory } from "../../util/memory-budget.js";
import type { ForeignChanges } from "../foreign-changes.js";
import type { Privacy } from "../privacy/privacy.js";
import type { FeedHub } from "./hub.js";
import type { FeedReader, ReaderOptions } from "./reader.js";
import { type FeedTimes, REAL_TIMES } from "./times.js";

/** How long the server keeps changes for readers that may return, in milliseconds. */
const IDLE_MILLIS = 600_000;
const MAX_READERS = 1000;

/** Options of `Feed`. */
export interface FeedOptions {
  readonly storage: Storage;
  readonly foreign: Pick<ForeignChanges<object>, "follow">;
  readonly privacy: Pick<Privacy, "settleDelayed">;
  readonly budget?: CacheMemory | undefined;
  /** Whether keys exist: if not, every caller is the owner. */
  readonly hasKeys: () => boolean;
  /** Maximum number of readers. @default 1000 */
  readonly limit?: number | undefined;
  readonly times?: FeedTimes | undefined;
}

const loadHub = deferModule(async () => Promise.all([import("./hub.js"), import("./changes.js")]));

/** What writes need of the feed. */
export interface FeedTarget {
  /** `undefined` while there are no readers, so that writes cost nothing more. */
  readonly active: { readonly hub: FeedHub; readonly add: typeof import("./changes.js").addToFeed } | undefined;
}

/** The changes of stored data for readers (docs/guides/feed.md). Records none before the first reader. */
export class Feed implements FeedTarget {
  readonly #options: FeedOptions;
  readonly #times: FeedTimes;
  #hub: FeedHub | undefined;
  #active: FeedTarget["active"];
  /** Resolves when the feed contains every later change. */
  #starting: Promise<FeedHub> | undefined;
  #stopFollowing: (() => void) | undefined;
  #stopIdling: (() => void) | undefined;
  #opening = 0;
  #isClosed = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#times = options.times ?? REAL_TIMES;
  }

  get active(): FeedTarget["active"] {
    return this.#active;
  }

  get hasKeys(): () => boolean {
    return this.#options.hasKeys;
  }

  /**
   * Opens a reader. Every change that is stored after this resolves, and after the cursor, reaches it.
   *
   * @throws ActivityError `BUSY` if there are too many readers, `STORAGE_CLOSED` if the server stops; the errors of
   *   the storage
   */
  async open(options: ReaderOptions): Promise<FeedReader> {
    this.#assertOpen();
    const { limit = MAX_READERS } = this.#options;
    if ((this.#hub?.readers ?? 0) + this.#opening >= limit) throw busy(`it has ${limit} readers of the feed`);
    this.#opening++;
    try {
      this.#stopIdling?.();
      this.#stopIdling = undefined;
      this.#starting ??= this.#start();
      const hub = await this.#starting;
      this.#assertOpen();
      return hub.addReader(options, () => this.#onEnd(hub));
    } finally {
      this.#opening--;
    }
  }

  /** After the storage was emptied elsewhere, all readers must read again. */
  forget(): void {
    this.#active?.hub.reset();
  }

  /** Ends all readers. */
  close(): void {
    this.#isClosed = true;
    this.#hub?.close();
    this.#stop();
  }

  async #start(): Promise<FeedHub> {
    const [{ FeedHub: Hub }, { addToFeed, addNotice }] = await loadHub();
    this.#hub ??= new Hub(this.#times, this.#options.budget);
    const hub = this.#hub;
    this.#active = { hub, add: addToFeed };
    try {
      // First the other nodes: this waits for the database.
      this.#stopFollowing = await this.#options.foreign.follow((change) => {
        if ("bucketId" in change) hub.share(change.bucketId);
        addNotice(change, hub);
      });
      await this.#settleWrites();
      return hub;
    } catch (thrown) {
      this.#stop();
      throw thrown;
    }
  }

  /** Heartbeats that started without the feed are not in it. Waits for them: they come before a transaction. */
  async #settleWrites(): Promise<void> {
    const { storage, privacy } = this.#options;
    await privacy.settleDelayed();
    const ids = (await storage.listBuckets()).map(({ id }) => id);
    if (ids.length === 0) return;
    await transactOn(storage, ids, async () => []).catch((thrown: unknown) => {
      if (!lacksTransactions(thrown)) throw thrown;
    });
  }

  #onEnd(hub: FeedHub): void {
    if (hub.readers > 0 || this.#opening > 0 || this.#isClosed) return;
    this.#stopIdling?.();
    this.#stopIdling = this.#times.after(IDLE_MILLIS, () => {
      if (hub.readers === 0 && this.#opening === 0) this.#stop();
    });
  }

  #stop(): void {
    this.#active = undefined;
    this.#starting = undefined;
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
    this.#stopIdling?.();
    this.#stopIdling = undefined;
    this.#hub?.stop();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw serverClosed();
  }
}
