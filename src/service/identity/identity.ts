import { MICROS_PER_MILLI, type Micros } from "../../domain/time.js";
import { ActivityError, quote } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import {
  lacksTransactions,
  type TransactionChange,
  type TransactionView,
  transactOn,
} from "../../storage/transaction.js";
import { invalid } from "../validation.js";
import { parseRedirect, REDIRECTS_KIND, type Redirect, type Redirects } from "./redirects.js";
import { conflict, type Label, labelsBack, type Redirecting, type Relabelled, relabelPlan } from "./relabel.js";
import {
  changesBack,
  changesOf,
  forgetting,
  type KeptUndo,
  keeping,
  newUndoId,
  noSuchUndo,
  type RecordStep,
  UNDO_KIND,
  UNDO_LENGTH,
  type Undo,
  UndoLog,
} from "./undo.js";

/** What identity needs. */
export interface IdentityOptions {
  readonly storage: Storage;
  readonly redirects: Redirects;
  /** Now, in Unix milliseconds. */
  readonly clock: () => number;
  /** Told what a transaction has moved, before anybody else is. */
  readonly moved: (moves: readonly Move[]) => void;
}

/** A bucket that has another id or another record now. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** How a change is made. */
export interface Changing {
  /** Whether who names the old id is led to the new one, or until when, in microseconds. @default true */
  readonly redirect?: boolean | Micros;
  /** Whether to tell only what would be done. @default false */
  readonly preview?: boolean;
}

/** A bucket with another label. */
export interface RelabelledBucket {
  /** Its id before. */
  readonly from: string;
  /** Its id now. */
  readonly to: string;
  readonly oldHostname: string;
  readonly hostname: string;
  readonly events: number;
}

/** What relabelling did, or would do. */
export interface Relabelling {
  /** Under which it can be undone; `null` for a preview, and where nothing was changed. */
  readonly undo: string | null;
  readonly buckets: readonly RelabelledBucket[];
  /** Those that were made. */
  readonly redirects: readonly Redirect[];
}

/** What an undoing did. */
export interface Undone extends Undo {
  /** Events that were changed since then, and stay as they are. */
  readonly kept: number;
}

/** Tries of a transaction whose records somebody else changes. */
const MOST_TRIES = 20;

/** Gives buckets other ids and hostnames, and takes that back (docs/buckets.md). */
export class Identity {
  readonly #options: IdentityOptions;
  readonly #undos: UndoLog;

  constructor(options: IdentityOptions) {
    this.#options = options;
    this.#undos = new UndoLog(
      () => options.storage.records(UNDO_KIND),
      () => this.#now(),
    );
  }

  /** @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT` for an id that is taken */
  rename(bucketId: string, newId: string, changing: Changing = {}): Promise<Relabelling> {
    if (newId === bucketId) throw invalid(`to is ${quote(newId)}, the id that the bucket has; another one is expected`);
    return this.#relabel("rename", async () => [{ bucketId, newId, hostname: undefined }], changing);
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  setHostname(bucketId: string, hostname: string, changing: Pick<Changing, "preview"> = {}): Promise<Relabelling> {
    return this.#relabel("host", async () => [{ bucketId, newId: bucketId, hostname }], changing);
  }

  /**
   * Gives all buckets of a host another hostname; if wanted, ids that end in `_` and the old one end in the new one.
   *
   * @throws ActivityError `CONFLICT` where no bucket has the hostname, and for an id that is taken
   */
  renameHost(
    oldHostname: string,
    hostname: string,
    { renameBuckets = false, ...changing }: Changing & { readonly renameBuckets?: boolean } = {},
  ): Promise<Relabelling> {
    if (hostname === oldHostname) throw invalid(`to is ${quote(hostname)}, the hostname that it has`);
    const ending = `_${oldHostname}`;
    const newIdOf = (id: string): string =>
      renameBuckets && oldHostname !== "" && id.endsWith(ending) ? `${id.slice(0, -ending.length)}_${hostname}` : id;
    const labels = async (): Promise<Label[]> => {
      const found = await this.bucketsOf(oldHostname);
      if (found.length === 0) throw conflict(`no bucket has the hostname ${quote(oldHostname)}`);
      return found.map((bucketId) => ({ bucketId, newId: newIdOf(bucketId), hostname }));
    };
    return this.#relabel("host", labels, changing);
  }

  /** Ids of the buckets with a hostname. */
  async bucketsOf(hostname: string): Promise<string[]> {
    const all = await this.#options.storage.listBuckets();
    return all.filter((bucket) => bucket.hostname === hostname).map(({ id }) => id);
  }

  listRedirects(): Promise<Redirect[]> {
    return this.#options.redirects.list();
  }

  /** @throws ActivityError `NO_SUCH_REDIRECT` */
  deleteRedirect(from: string): Promise<void> {
    return this.#options.redirects.delete(from);
  }

  /** @throws ActivityError `NO_SUCH_UNDO` */
  getUndo(id: string): Promise<Undo> {
    return this.#undos.get(id);
  }

  /** What can be undone, the latest first. */
  listUndo(): Promise<Undo[]> {
    return this.#undos.list();
  }

  /** @throws ActivityError `NO_SUCH_UNDO`, `CONFLICT` where what there is now does not let it be undone */
  async undo(id: string): Promise<Undone> {
    const kept = await this.#undos.get(id);
    const { steps, record: _, ...shown } = kept;
    const { relabelled, redirects } = steps as unknown as RelabelSteps;
    const bucketIds = new Set(relabelled.flatMap(({ from, to }) => [from, to]));
    const isDone = await this.#transact([...bucketIds], async (view) => [
      ...(await labelsBack(view, relabelled)),
      ...(await changesBack(view, redirects)),
      forgetting(kept),
    ]);
    if (!isDone) throw noSuchUndo(id);
    this.#options.moved(relabelled.map(({ from, to }) => ({ from: to, to: from })));
    return { ...shown, kept: 0 };
  }

  async #relabel(kind: "rename" | "host", labelsNow: () => Promise<Label[]>, changing: Changing): Promise<Relabelling> {
    const redirecting = redirectingOf(changing.redirect);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const labels = await labelsNow();
      const done = await this.#tryRelabel(kind, labels, redirecting, changing.preview ?? false);
      if (done !== undefined) return done;
    }
    throw conflict("redirects were changed again and again meanwhile; try again");
  }

  /** @returns `undefined` where records were changed meanwhile */
  async #tryRelabel(
    kind: "rename" | "host",
    labels: readonly Label[],
    redirecting: Redirecting,
    isPreview: boolean,
  ): Promise<Relabelling | undefined> {
    const redirects = await this.#options.storage.records(REDIRECTS_KIND).list();
    const now = this.#now();
    const undo = newUndoId();
    const bucketIds = new Set(labels.flatMap(({ bucketId, newId }) => [bucketId, newId]));
    const buckets: RelabelledBucket[] = [];
    let steps: RelabelSteps = { relabelled: [], redirects: [] };
    let isNothing = false;
    const isDone = await this.#transact([...bucketIds], async (view) => {
      const plan = await relabelPlan(view, labels, { redirects, redirecting, now });
      steps = plan;
      buckets.length = 0;
      for (const { created: _, ...relabelled } of plan.relabelled) {
        buckets.push({ ...relabelled, events: await view.countEvents(relabelled.from) });
      }
      isNothing = plan.changes.length === 0;
      if (isPreview || isNothing) return [];
      const kept = undoOf({ id: undo, kind, now }, steps, buckets);
      return [...plan.changes, ...changesOf(plan.redirects), keeping(kept)];
    });
    if (!isDone) return undefined;
    const made = steps.redirects.flatMap(([, , , after]) => (after === null ? [] : (parseRedirect(after) ?? [])));
    if (isPreview || isNothing) return { undo: null, buckets, redirects: made };
    this.#options.moved(buckets);
    await this.#undos.sweep();
    return { undo, buckets, redirects: made };
  }

  async #transact(
    bucketIds: readonly string[],
    plan: (view: TransactionView) => Promise<readonly TransactionChange[]>,
  ): Promise<boolean> {
    const { storage } = this.#options;
    try {
      return await transactOn(storage, bucketIds, plan);
    } catch (cause) {
      if (!lacksTransactions(cause)) throw cause;
      throw new ActivityError("CONFLICT", cause.message, { cause });
    }
  }

  #now(): Micros {
    return Math.floor(this.#options.clock() * MICROS_PER_MILLI);
  }
}

/** What takes relabelling back. */
interface RelabelSteps {
  readonly relabelled: readonly Relabelled[];
  readonly redirects: readonly RecordStep[];
}

function undoOf(
  { id, kind, now }: { readonly id: string; readonly kind: Undo["kind"]; readonly now: Micros },
  { relabelled, redirects }: RelabelSteps,
  buckets: readonly RelabelledBucket[],
): KeptUndo {
  return {
    id,
    kind,
    time: now,
    expires: now + UNDO_LENGTH,
    from: buckets.map(({ from }) => from),
    to: buckets.map(({ to }) => to),
    events: buckets.reduce((sum, { events }) => sum + events, 0),
    steps: {
      relabelled: relabelled.map((each) => ({ ...each })),
      redirects: redirects.map((step) => [...step]),
    },
  };
}

function redirectingOf(redirect: boolean | Micros = true): Redirecting {
  if (typeof redirect === "boolean") return redirect ? { until: null } : undefined;
  return { until: redirect };
}
