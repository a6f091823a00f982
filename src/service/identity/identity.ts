import type { DomainOf } from "../../api/codec.js";
import { currentMicros, distinctMicros, type Micros } from "../../domain/time.js";
import { ActivityError, hasCode, mustBe, quote } from "../../errors.js";
import { refuseTrashId } from "../../storage/space.js";
import type { Storage } from "../../storage/storage.js";
import { ConcurrentChange, retryOnChange } from "../retry-on-change.js";
import type { DeleteOptions } from "../trash/delete-options.js";
import type { Trash } from "../trash/trash.js";
import type { TrustedClock } from "../trusted-clock.js";
import { Merger, type Merging } from "./merger.js";
import { type Moved, mergedMoves, relabelledMoves, unmergedMoves } from "./moved.js";
import type { OverlapPolicy } from "./overlaps.js";
import type { Redirect, Redirects } from "./redirects.js";
import { conflict, type Label, type RedirectExpiry } from "./relabel.js";
import { Relabeller, type Relabelling } from "./relabeller.js";
import {
  createRepeatedError,
  describeHostRename,
  describeMerge,
  describeRename,
  type RequestedChange,
} from "./repeated-change.js";
import { type StoredUndo, UNDO_KIND, type Undo, UndoLog } from "./undo.js";

/** Options of `Identity`. */
export interface IdentityOptions {
  readonly storage: Storage;
  readonly trash: Trash;
  readonly redirects: Redirects;
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  /** Decides whether an undo has expired. */
  readonly ages: TrustedClock;
  /** Undoes privacy rules. @returns the count of `undo` */
  readonly undoPrivacy: (undo: StoredUndo, moving: MoveCallbacks) => Promise<number | undefined>;
}

/** Callbacks of a transaction that moves buckets. */
export interface MoveCallbacks extends Pick<DeleteOptions, "refuse"> {
  /** Called with the moved buckets, before listeners learn of them. */
  readonly tell: (moved: Moved) => void;
}

/** Options of a change. */
export interface ChangeOptions {
  /** Whether the old ID redirects to the new one, or until when, in microseconds. @default true */
  readonly redirect?: boolean | Micros;
  /** Whether to report only what the change would do. @default false */
  readonly preview?: boolean;
}

/** The result of an undo. */
export type Undone = DomainOf<"Undone">;

/** Changes the IDs and hostnames of buckets, merges buckets, and undoes these changes (docs/guides/buckets.md). */
export class Identity {
  readonly #options: IdentityOptions;
  readonly #undos: UndoLog;
  readonly #relabeller: Relabeller;
  readonly #merger: Merger;

  readonly #changeTime: () => Micros;

  constructor(options: IdentityOptions) {
    this.#options = options;
    this.#changeTime = distinctMicros(options.clock);
    this.#relabeller = new Relabeller(options.storage);
    this.#merger = new Merger(options);
    this.#undos = new UndoLog(
      () => options.storage.records(UNDO_KIND),
      () => options.ages.now(),
    );
  }

  /** @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT` for an ID in use */
  async rename(bucketId: string, newId: string, changing: ChangeOptions, moving: MoveCallbacks): Promise<Relabelling> {
    if (newId === bucketId) throw mustBe("to", "another id than the bucket has", newId);
    refuseTrashId(newId);
    const renaming = this.#relabel("rename", async () => [{ bucketId, newId, hostname: undefined }], changing, moving);
    return this.#detectRepeated(renaming, async () => describeRename(bucketId, newId));
  }

  /** @throws ActivityError `NO_SUCH_BUCKET` */
  setHostname(
    bucketId: string,
    hostname: string,
    changing: Pick<ChangeOptions, "preview">,
    moving: MoveCallbacks,
  ): Promise<Relabelling> {
    return this.#relabel("host", async () => [{ bucketId, newId: bucketId, hostname }], changing, moving);
  }

  /**
   * Changes the hostname of all buckets of a host; optionally, IDs that end in `_` and the old one get the new one.
   *
   * @throws ActivityError `CONFLICT` if no bucket has the hostname, and for an ID in use
   */
  async renameHost(
    oldHostname: string,
    hostname: string,
    { renameBuckets = false, ...changing }: ChangeOptions & { readonly renameBuckets?: boolean },
    moving: MoveCallbacks,
  ): Promise<Relabelling> {
    if (hostname === oldHostname) throw mustBe("to", "another hostname than before", hostname);
    const ending = `_${oldHostname}`;
    const newIdOf = (id: string): string =>
      renameBuckets && oldHostname !== "" && id.endsWith(ending) ? `${id.slice(0, -ending.length)}_${hostname}` : id;
    const labels = async (): Promise<Label[]> => {
      const found = await this.findBucketsOfHost(oldHostname);
      if (found.length === 0) throw conflict(`no bucket has the hostname ${quote(oldHostname)}`);
      return found.map((bucketId) => ({ bucketId, newId: newIdOf(bucketId), hostname, chosenFor: oldHostname }));
    };
    const renaming = this.#relabel("host", labels, changing, moving);
    return this.#detectRepeated(renaming, async () => {
      return describeHostRename(oldHostname, hostname, { from: await this.findBucketsOfHost(oldHostname), newIdOf });
    });
  }

  /**
   * Merges buckets into another one.
   *
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT` for an id that is redirected
   */
  merge(
    into: string,
    from: readonly string[],
    { overlaps = "keep-both", redirect, preview = false }: ChangeOptions & { readonly overlaps?: OverlapPolicy },
    moving: MoveCallbacks,
  ): Promise<Merging> {
    const redirecting = parseRedirectOption(redirect);
    const merging = this.#retryAndSweep(async () => {
      const request = {
        into,
        from,
        policy: overlaps,
        redirecting,
        refuse: moving.refuse,
        now: this.#changeTime(),
      };
      if (preview) return this.#merger.preview(request);
      const done = await this.#merger.merge(request);
      if (done !== undefined) moving.tell(mergedMoves(into, from));
      return done;
    });
    return this.#detectRepeated(merging, async () => describeMerge(into, from));
  }

  /** Ids of the buckets with a hostname. */
  async findBucketsOfHost(hostname: string): Promise<string[]> {
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

  /** Changes that can be undone, the latest first. */
  async listUndo(): Promise<Undo[]> {
    const entries = await this.#options.trash.list();
    return this.#undos.list(new Set(entries.map(({ id }) => id)));
  }

  /** @throws ActivityError `NO_SUCH_UNDO`, `CONFLICT` if the current data do not allow it */
  undo(id: string, moving: MoveCallbacks): Promise<Undone> {
    return retryOnChange(async () => {
      const undo = await this.#undos.get(id);
      const { steps: _, record: __, ...shown } = undo;
      const kept = await missingEntryAsConflict(this.#applyUndo(undo, moving)).catch(async (thrown: unknown) => {
        // If another caller has undone it in the meantime, that is the reason.
        await this.#undos.get(id);
        throw thrown;
      });
      if (kept === undefined) throw new ConcurrentChange();
      return { ...shown, kept };
    });
  }

  #applyUndo(undo: StoredUndo, moving: MoveCallbacks): Promise<number | undefined> {
    if (undo.kind === "privacy") return this.#options.undoPrivacy(undo, moving);
    return undo.kind === "merge" ? this.#unmerge(undo, moving) : this.#undoRelabel(undo, moving);
  }

  async #unmerge(undo: StoredUndo, moving: MoveCallbacks): Promise<number | undefined> {
    const kept = await this.#merger.undo(undo, currentMicros(this.#options.clock), moving.refuse);
    if (kept !== undefined) moving.tell(unmergedMoves(undo.to[0] ?? "", undo.from));
    return kept;
  }

  async #undoRelabel(undo: StoredUndo, moving: MoveCallbacks): Promise<number | undefined> {
    const relabelled = await this.#relabeller.undo(undo, currentMicros(this.#options.clock), moving.refuse);
    if (relabelled === undefined) return undefined;
    moving.tell(relabelledMoves(relabelled.map(({ from, to }) => ({ from: to, to: from }))));
    return 0;
  }

  #relabel(
    kind: "rename" | "host",
    labelsNow: () => Promise<Label[]>,
    changing: ChangeOptions,
    moving: MoveCallbacks,
  ): Promise<Relabelling> {
    const { redirect, preview: isPreview = false } = changing;
    const redirecting = parseRedirectOption(redirect);
    return this.#retryAndSweep(async () => {
      const labels = await labelsNow();
      const done = await this.#relabeller.relabel({
        kind,
        labels,
        redirecting,
        isPreview,
        refuse: moving.refuse,
        now: this.#changeTime(),
      });
      if (done !== undefined && done.undo !== null) moving.tell(relabelledMoves(done.buckets));
      return done;
    });
  }

  /** @param attempt returns `undefined` if records were changed in the meantime */
  async #retryAndSweep<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
    const done = await retryOnChange(async () => {
      const result = await missingEntryAsConflict(attempt());
      if (result === undefined) throw new ConcurrentChange();
      return result;
    });
    await this.#undos.deleteExpired();
    return done;
  }

  /** @throws ActivityError `CONFLICT` for a change that is rejected because it was made before */
  async #detectRepeated<Result>(change: Promise<Result>, wanted: () => Promise<RequestedChange>): Promise<Result> {
    try {
      return await change;
    } catch (thrown) {
      if (!hasCode(thrown, "NO_SUCH_BUCKET", "CONFLICT")) throw thrown;
      throw (await createRepeatedError(await wanted(), { ...this.#options, undos: this.#undos })) ?? thrown;
    }
  }
}

/** @throws ActivityError `CONFLICT` if the trash does not contain the needed data */
export async function missingEntryAsConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const isLost = hasCode(cause, "NO_SUCH_ENTRY");
    if (!isLost) throw cause;
    throw new ActivityError("CONFLICT", "the trash no longer contains the needed data", { cause });
  }
}

function parseRedirectOption(redirect: boolean | Micros = true): RedirectExpiry {
  if (typeof redirect === "boolean") return redirect ? { until: null } : undefined;
  return { until: redirect };
}
