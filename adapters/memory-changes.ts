import {
  type BucketChangeKind,
  type Change,
  type ChangePage,
  changeFeed,
  changesGone,
} from "../src/storage/changes.js";

/** Number of changes that are kept. */
const MAX_CHANGES = 10_000;

let feeds = 0;

/** The last change of each kind to each bucket or setting. Recorded once there is a reader. */
export class MemoryChanges {
  /** In the order of their places. */
  readonly #changes: Map<string, readonly [place: number, change: Change]> = new Map();
  readonly #wakes: Set<() => void> = new Set();
  readonly #assertOpen: () => void;
  /** Makes cursors of other storages invalid. */
  readonly #name: string = `${++feeds}-${Math.random().toString(36).slice(2)}`;
  #isRead = false;
  #last = 0;
  /** The last forgotten change. */
  #forgotten = 0;

  /** @param assertOpen throws `STORAGE_CLOSED` */
  constructor(assertOpen: () => void) {
    this.#assertOpen = assertOpen;
  }

  bucket(kind: BucketChangeKind, bucketId: string): void {
    if (this.#isRead) this.#add(`${kind} ${bucketId}`, { kind, bucketId, elsewhere: false });
  }

  setting(key: string): void {
    if (this.#isRead) this.#add(`setting ${key}`, { kind: "setting", key, elsewhere: false });
  }

  feed(after: string | undefined): AsyncIterable<ChangePage> {
    this.#isRead = true;
    return changeFeed(
      {
        page: async (cursor) => this.#page(cursor),
        listen: (wake) => {
          this.#wakes.add(wake);
          return () => void this.#wakes.delete(wake);
        },
      },
      after,
    );
  }

  close(): void {
    this.#changes.clear();
    for (const wake of this.#wakes) wake();
  }

  #add(name: string, change: Change): void {
    this.#changes.delete(name);
    this.#changes.set(name, [++this.#last, change]);
    if (this.#changes.size > MAX_CHANGES) {
      const [oldest] = this.#changes as Iterable<readonly [string, readonly [number, Change]]>;
      if (oldest !== undefined) {
        this.#changes.delete(oldest[0]);
        this.#forgotten = oldest[1][0];
      }
    }
    for (const wake of this.#wakes) wake();
  }

  #page(after: string | undefined): ChangePage {
    this.#assertOpen();
    const cursor = `${this.#name}.${this.#last}`;
    if (after === undefined) return { changes: [], cursor };
    const [name, place] = after.split(".");
    const from = Number(place);
    if (name !== this.#name || !(from >= this.#forgotten)) throw changesGone();
    return {
      changes: Array.from(this.#changes.values()).flatMap(([at, change]) => (at > from ? [change] : [])),
      cursor,
    };
  }
}
