import {
  type BucketChangeKind,
  type Change,
  type ChangePage,
  changeFeed,
  changesGone,
} from "../../src/storage/changes.js";
import type { Bell } from "./bell.js";
import type { Ground } from "./ground.js";
import type { Row } from "./pool.js";

const PAGE = `
  select epoch_now, next, gone, kind, name, elsewhere, later from :"schema".read_changes($1, $2, $3, $4)`;
/** Shortest pause between two polls of a reader, however often it is woken up. */
const LEAST_PAUSE_MILLIS = 50;
/** The share of time that a reader may spend polling. */
const MOST_WORK = 0.1;
/** Poll interval of a reader that receives notifications: a node may have crashed before it sent one. */
const CHECK_MILLIS = 60_000;
const CURSOR = /^(\d{1,20}\.\d{1,10})\.(\d{1,20})$/;

/** Readers of the changes of one storage. */
export class ChangeReaders {
  readonly #ground: Ground;
  readonly #bell: () => Promise<Bell>;
  readonly #pollMillis: number;
  readonly #readers: Set<ChangeReader> = new Set();

  /** @param pollMillis poll interval of a reader that is not woken up */
  constructor(ground: Ground, bell: () => Promise<Bell>, pollMillis: number) {
    this.#ground = ground;
    this.#bell = bell;
    this.#pollMillis = pollMillis;
  }

  feed(after: string | undefined): AsyncIterable<ChangePage> {
    const reader = new ChangeReader(this.#ground, this.#pollMillis);
    return changeFeed(
      {
        page: async (cursor) => reader.page(cursor, await this.#bell()),
        listen: (wake) => {
          this.#readers.add(reader);
          const stop = reader.listen(wake);
          return () => {
            this.#readers.delete(reader);
            stop();
          };
        },
      },
      after,
    );
  }

  /** Releases the readers' resources, and lets them detect that the storage is closed. */
  stop(): void {
    for (const reader of this.#readers) reader.stop();
  }
}

/** One reader: its polls and their results. */
class ChangeReader {
  readonly #ground: Ground;
  readonly #pollMillis: number;
  #wake: () => void = () => {};
  #unlisten: (() => void) | undefined;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #lookAt = Number.POSITIVE_INFINITY;
  #notBefore = 0;
  /** Grows while written changes wait for a running transaction. */
  #patienceMillis = LEAST_PAUSE_MILLIS;

  constructor(ground: Ground, pollMillis: number) {
    this.#ground = ground;
    this.#pollMillis = pollMillis;
  }

  listen(wake: () => void): () => void {
    this.#wake = wake;
    return () => this.stop();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#unlisten?.();
    this.#wake();
  }

  /** @throws ActivityError `CHANGES_GONE`, `STORAGE_CLOSED`, `STORAGE_FAILED` */
  async page(after: string | undefined, bell: Bell): Promise<ChangePage> {
    const { database, namespace, writer } = this.#ground;
    database.assertOpen();
    if (!this.#isStopped) this.#unlisten ??= bell.listen(namespace, () => this.#lookIn(LEAST_PAUSE_MILLIS));
    clearTimeout(this.#timer);
    this.#lookAt = Number.POSITIVE_INFINITY;
    const begin = performance.now();
    const rows = await database.read(PAGE, [namespace, writer.node, ...cursorOf(after)]);
    const end = performance.now();
    this.#notBefore = end + Math.max(LEAST_PAUSE_MILLIS, (end - begin) / MOST_WORK);
    const page = pageOf(rows);
    this.#patienceMillis = page.isWaiting ? this.#patienceMillis * 2 : LEAST_PAUSE_MILLIS;
    const quiet = bell.isReliable ? Math.max(CHECK_MILLIS, this.#pollMillis) : this.#pollMillis;
    this.#lookIn(page.isWaiting ? Math.min(this.#patienceMillis, this.#pollMillis) : quiet);
    return page;
  }

  #lookIn(millis: number): void {
    if (this.#isStopped) return;
    const now = performance.now();
    const at = Math.max(now + millis, this.#notBefore);
    if (at >= this.#lookAt) return;
    clearTimeout(this.#timer);
    this.#lookAt = at;
    this.#timer = setTimeout(this.#wake, at - now);
  }
}

/** The arguments of a cursor. */
function cursorOf(after: string | undefined): readonly (string | null)[] {
  if (after === undefined) return [null, null];
  const [, epoch, next] = CURSOR.exec(after) ?? [];
  if (epoch === undefined || next === undefined || BigInt(next) >= 2n ** 64n) throw changesGone();
  return [epoch, next];
}

/** @returns the page, and whether a change waits for a running transaction */
function pageOf(rows: readonly Row[]): ChangePage & { readonly isWaiting: boolean } {
  const [[epoch, next, gone] = []] = rows;
  if (gone === "t") throw changesGone();
  const told = rows.filter(([, , , kind, , , later]) => kind !== null && later === "f");
  return {
    changes: told.map(([, , , kind, name, elsewhere]) => changeOf(kind as string, name as string, elsewhere === "t")),
    cursor: `${epoch}.${next}`,
    isWaiting: rows.some(([, , , , , , later]) => later === "t"),
  };
}

/** @param name the ID of a bucket or key of a setting, or the whole record of the bucket, as a JSON string */
function changeOf(kind: string, name: string, elsewhere: boolean): Change {
  const parsed = JSON.parse(name) as string | { readonly id: string };
  const text = typeof parsed === "string" ? parsed : parsed.id;
  return kind === "setting"
    ? { kind, key: text, elsewhere }
    : { kind: kind as BucketChangeKind, bucketId: text, elsewhere };
}
