import {
  type BucketChangeKind,
  type Change,
  type ChangePage,
  changeFeed,
  changesGone,
} from "../../src/storage/changes.js";
import type { ChangeNotifier } from "./change-notifier.js";
import type { StorageContext } from "./context.js";
import type { Row } from "./pool.js";

const PAGE = `
  select epoch_now, next, gone, kind, name, elsewhere, later from :"schema".read_changes($1, $2, $3, $4)`;
/** Shortest pause between two polls of a reader, however often it is woken up. */
const MIN_PAUSE_MILLIS = 50;
/** The share of time that a reader may spend polling. */
const MAX_WORK_SHARE = 0.1;
/** Poll interval of a reader that receives notifications: a node may have crashed before it sent one. */
const CHECK_MILLIS = 60_000;
const CURSOR = /^(\d{1,20}\.\d{1,10})\.(\d{1,20})$/;

/** Readers of the changes of one storage. */
export class ChangeReaders {
  readonly #context: StorageContext;
  readonly #notifier: () => Promise<ChangeNotifier>;
  readonly #pollMillis: number;
  readonly #readers: Set<ChangeReader> = new Set();

  /** @param pollMillis poll interval of a reader that is not woken up */
  constructor(context: StorageContext, notifier: () => Promise<ChangeNotifier>, pollMillis: number) {
    this.#context = context;
    this.#notifier = notifier;
    this.#pollMillis = pollMillis;
  }

  feed(after: string | undefined): AsyncIterable<ChangePage> {
    const reader = new ChangeReader(this.#context, this.#pollMillis);
    return changeFeed(
      {
        page: async (cursor) => reader.page(cursor, await this.#notifier()),
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
  readonly #context: StorageContext;
  readonly #pollMillis: number;
  #wake: () => void = () => {};
  #unlisten: (() => void) | undefined;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #pollAt = Number.POSITIVE_INFINITY;
  #notBefore = 0;
  /** Grows while written changes wait for a running transaction. */
  #patienceMillis = MIN_PAUSE_MILLIS;

  constructor(context: StorageContext, pollMillis: number) {
    this.#context = context;
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
  async page(after: string | undefined, notifier: ChangeNotifier): Promise<ChangePage> {
    const { database, namespace, writer } = this.#context;
    database.assertOpen();
    if (!this.#isStopped) this.#unlisten ??= notifier.listen(namespace, () => this.#pollIn(MIN_PAUSE_MILLIS));
    clearTimeout(this.#timer);
    this.#pollAt = Number.POSITIVE_INFINITY;
    const begin = performance.now();
    const rows = await database.read(PAGE, [namespace, writer.node, ...parseCursor(after)]);
    const end = performance.now();
    this.#notBefore = end + Math.max(MIN_PAUSE_MILLIS, (end - begin) / MAX_WORK_SHARE);
    const page = parsePage(rows);
    this.#patienceMillis = page.isWaiting ? this.#patienceMillis * 2 : MIN_PAUSE_MILLIS;
    const quiet = notifier.isReliable ? Math.max(CHECK_MILLIS, this.#pollMillis) : this.#pollMillis;
    this.#pollIn(page.isWaiting ? Math.min(this.#patienceMillis, this.#pollMillis) : quiet);
    return page;
  }

  #pollIn(millis: number): void {
    if (this.#isStopped) return;
    const now = performance.now();
    const at = Math.max(now + millis, this.#notBefore);
    if (at >= this.#pollAt) return;
    clearTimeout(this.#timer);
    this.#pollAt = at;
    this.#timer = setTimeout(this.#wake, at - now);
  }
}

/** The arguments of a cursor. */
function parseCursor(after: string | undefined): readonly (string | null)[] {
  if (after === undefined) return [null, null];
  const [, epoch, next] = CURSOR.exec(after) ?? [];
  if (epoch === undefined || next === undefined || BigInt(next) >= 2n ** 64n) throw changesGone();
  return [epoch, next];
}

/** @returns the page, and whether a change waits for a running transaction */
function parsePage(rows: readonly Row[]): ChangePage & { readonly isWaiting: boolean } {
  const [[epoch, next, gone] = []] = rows;
  if (gone === "t") throw changesGone();
  const reported = rows.filter(([, , , kind, , , later]) => kind !== null && later === "f");
  return {
    changes: reported.map(([, , , kind, name, elsewhere]) =>
      parseChange(kind as string, name as string, elsewhere === "t"),
    ),
    cursor: `${epoch}.${next}`,
    isWaiting: rows.some(([, , , , , , later]) => later === "t"),
  };
}

/** @param name the ID of a bucket or key of a setting, or the whole record of the bucket, as a JSON string */
function parseChange(kind: string, name: string, elsewhere: boolean): Change {
  const parsed = JSON.parse(name) as string | { readonly id: string };
  const text = typeof parsed === "string" ? parsed : parsed.id;
  return kind === "setting"
    ? { kind, key: text, elsewhere }
    : { kind: kind as BucketChangeKind, bucketId: text, elsewhere };
}
