import { hasCode, messageOf } from "../errors.js";
import type { Logger } from "../logger.js";
import type { Change, ChangePage } from "../storage/changes.js";
import type { Storage } from "../storage/storage.js";
import type { Announcer, NoticeListener, ServerNotices } from "./notices.js";

/** Pause before restarting a failed feed, in milliseconds. */
const PAUSE_MILLIS = 1_000;

/** Options of `ForeignChanges`. */
export interface ForeignChangesOptions<Identity extends object> {
  readonly storage: Storage;
  readonly announcer: Announcer<Identity>;
  readonly logger: Logger;
}

/**
 * Notifies listeners of writes by other nodes to the same data: notices of buckets and changes. Reads nothing without
 * listeners, or if the storage has no change feed.
 */
export class ForeignChanges<Identity extends object> {
  readonly #options: ForeignChangesOptions<Identity>;
  #followers = 0;
  #following: Following<Identity> | undefined;
  #isClosed = false;

  constructor(options: ForeignChangesOptions<Identity>) {
    this.#options = options;
  }

  /**
   * Listens to notices, from this node and, if the storage reports them, from others.
   *
   * @returns stops listening
   */
  on<Name extends keyof ServerNotices>(name: Name, listener: NoticeListener<Name, Identity>): () => void {
    const stop = this.#options.announcer.on(name, listener);
    if (name !== "change" && name !== "bucket") return stop;
    this.#followers++;
    if (!this.#isClosed) this.#following ??= new Following(this.#options);
    let isOver = false;
    return () => {
      stop();
      if (isOver) return;
      isOver = true;
      if (--this.#followers === 0) this.#end();
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  #end(): void {
    this.#following?.stop();
    this.#following = undefined;
  }
}

/** Follows the changes after a cursor, with one feed after another. */
class Following<Identity extends object> {
  readonly #options: ForeignChangesOptions<Identity>;
  #pages: AsyncIterator<ChangePage> | undefined;
  #cursor: string | undefined;
  #isMissing = false;
  #hasFailed = false;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ForeignChangesOptions<Identity>) {
    this.#options = options;
    void this.#follow();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    // A feed that cannot end now ends with its storage.
    this.#pages?.return?.().catch(() => undefined);
  }

  /** Never rejects. Restarts a feed that has failed, but not one that has ended. */
  async #follow(): Promise<void> {
    const { storage } = this.#options;
    try {
      this.#pages = storage.changes?.(this.#cursor)[Symbol.asyncIterator]();
      for (;;) {
        const result = await this.#pages?.next();
        if (result === undefined || result.done === true || this.#isOver) return;
        this.#take(result.value);
      }
    } catch (error) {
      if (!this.#isOver) this.#recover(error);
    }
  }

  #take({ changes, cursor }: ChangePage): void {
    this.#cursor = cursor;
    this.#hasFailed = false;
    if (this.#isMissing) {
      this.#isMissing = false;
      this.#options.announcer.announce("change", { kind: "missed", elsewhere: true });
    }
    for (const change of changes) if (change.elsewhere) this.#tell(change);
  }

  #tell({ elsewhere: _, ...change }: Change): void {
    const { announcer } = this.#options;
    announcer.announce("change", { ...change, elsewhere: true });
    const action = ACTIONS[change.kind];
    if (action !== undefined && "bucketId" in change) {
      announcer.announce("bucket", { action, bucketId: change.bucketId, elsewhere: true });
    }
  }

  #recover(error: unknown): void {
    const { logger } = this.#options;
    if (hasCode(error, "STORAGE_CLOSED")) return;
    const isGone = hasCode(error, "CHANGES_GONE");
    if (isGone) {
      this.#cursor = undefined;
      this.#isMissing = true;
    }
    if (!this.#hasFailed) logger.warn(`cannot read the writes of other nodes: ${messageOf(error)}`);
    this.#hasFailed = true;
    this.#timer = setTimeout(() => void this.#follow(), PAUSE_MILLIS);
    // Outside Node a timer is a number.
    if (typeof this.#timer === "object") this.#timer.unref?.();
  }
}

const ACTIONS: Readonly<Partial<Record<Change["kind"], "created" | "updated" | "deleted">>> = {
  "bucket-created": "created",
  "bucket-updated": "updated",
  "bucket-deleted": "deleted",
};
