import { hasCode, messageOf } from "../errors.js";
import type { Logger } from "../logger.js";
import type { Change, ChangePage } from "../storage/changes.js";
import type { Storage } from "../storage/storage.js";
import { unrefTimer } from "../util/unref-timer.js";
import type { Announcer, ChangeNotice, NoticeListener, ServerNotices } from "./notices.js";

/** Pause before restarting a failed feed, in milliseconds. */
const PAUSE_MILLIS = 1_000;

/** Options of `ForeignChanges`. */
export interface ForeignChangesOptions<Identity extends object> {
  readonly storage: Storage;
  readonly announcer: Announcer<Identity>;
  readonly logger: Logger;
}

/** Called for each change by another node. */
type Follower = (change: ChangeNotice) => void;

/**
 * Notifies listeners of writes by other nodes to the same data: notices of buckets and changes. Reads nothing without
 * listeners, or if the storage has no change feed.
 */
export class ForeignChanges<Identity extends object> {
  readonly #options: ForeignChangesOptions<Identity>;
  /** Listeners of notices, and the follower. */
  #count = 0;
  #follower: Follower | undefined;
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
    const leave = this.#join();
    return () => {
      stop();
      leave();
    };
  }

  /**
   * Follows only the writes of other nodes; there is one follower. Resolves once every later one is reported.
   *
   * @returns stops following
   */
  async follow(follower: Follower): Promise<() => void> {
    const leave = this.#join();
    this.#follower = follower;
    await this.#following?.started;
    return () => {
      this.#follower = undefined;
      leave();
    };
  }

  #join(): () => void {
    this.#count++;
    if (!this.#isClosed) this.#following ??= new Following(this.#options, (change) => this.#follower?.(change));
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#count === 0) this.#end();
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
  /** Resolves when every later change is reported, or when there are no changes to report. */
  readonly started: Promise<void>;
  readonly #options: ForeignChangesOptions<Identity>;
  readonly #follower: Follower;
  #start: () => void = () => {};
  #pages: AsyncIterator<ChangePage> | undefined;
  #cursor: string | undefined;
  #isMissing = false;
  #hasFailed = false;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ForeignChangesOptions<Identity>, follower: Follower) {
    this.#options = options;
    this.#follower = follower;
    this.started = new Promise((resolve) => {
      this.#start = resolve;
    });
    void this.#follow();
  }

  stop(): void {
    this.#isOver = true;
    this.#start();
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
        if (result === undefined || result.done === true || this.#isOver) {
          this.#start();
          return;
        }
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
      this.#announce({ kind: "missed", elsewhere: true });
    }
    this.#start();
    for (const change of changes) if (change.elsewhere) this.#tell(change);
  }

  #tell({ elsewhere: _, ...change }: Change): void {
    const { announcer } = this.#options;
    this.#announce({ ...change, elsewhere: true });
    const action = ACTIONS[change.kind];
    if (action !== undefined && "bucketId" in change) {
      announcer.announce("bucket", { action, bucketId: change.bucketId, elsewhere: true });
    }
  }

  #announce(change: ChangeNotice<Identity>): void {
    this.#options.announcer.announce("change", change);
    this.#follower(change);
  }

  #recover(error: unknown): void {
    const { logger } = this.#options;
    if (hasCode(error, "STORAGE_CLOSED")) {
      this.#start();
      return;
    }
    const isGone = hasCode(error, "CHANGES_GONE");
    if (isGone) {
      this.#cursor = undefined;
      this.#isMissing = true;
    }
    if (!this.#hasFailed) logger.warn(`cannot read the writes of other nodes: ${messageOf(error)}`);
    this.#hasFailed = true;
    this.#timer = unrefTimer(PAUSE_MILLIS, () => void this.#follow());
  }
}

const ACTIONS: Readonly<Partial<Record<Change["kind"], "created" | "updated" | "deleted">>> = {
  "bucket-created": "created",
  "bucket-updated": "updated",
  "bucket-deleted": "deleted",
};
