import type { Changing, Identity, Undone } from "./identity/identity.js";
import type { Merging } from "./identity/merger.js";
import { checkedOverlaps, type OverlapPolicy } from "./identity/overlaps.js";
import type { Redirect } from "./identity/redirects.js";
import type { Relabelling } from "./identity/relabeller.js";
import type { Undo } from "./identity/undo.js";
import { microsOf, type TimeInput } from "./input-coercion.js";
import { checkedBucketId, checkedBucketIds, checkedNewBucketId, checkedText } from "./validation.js";

/** How a change of a bucket is made. */
export interface ChangingInput {
  /** Whether reports to the old id go to the new one, or until when. @default true */
  readonly redirect?: boolean | TimeInput;
  /** Whether to tell only what would be done. @default false */
  readonly preview?: boolean;
}

/** How buckets are merged. */
export interface MergingInput extends ChangingInput {
  /** What to do where events of different buckets overlap (docs/buckets.md#overlaps). @default "keep-both" */
  readonly overlaps?: OverlapPolicy;
}

/** What buckets and hosts are called, for the program that the server lives in (docs/buckets.md). */
export interface InProcessIdentity {
  /** @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT` for an id that is taken */
  rename(bucketId: string, newId: string, options?: ChangingInput): Promise<Relabelling>;
  /** @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET` */
  setHostname(bucketId: string, hostname: string, options?: Pick<ChangingInput, "preview">): Promise<Relabelling>;
  /**
   * Gives all buckets of a host another hostname, in one step.
   *
   * @throws ActivityError `INVALID_INPUT`, `CONFLICT` for a host without buckets, and an id that is taken
   */
  renameHost(
    hostname: string,
    newHostname: string,
    options?: ChangingInput & {
      /** Whether ids that end in `_` and the old hostname end in the new one from now on. @default false */
      readonly renameBuckets?: boolean;
    },
  ): Promise<Relabelling>;
  /**
   * Merges buckets into another one. They go into the trash.
   *
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT` for an id that is redirected
   */
  merge(bucketId: string, from: readonly string[], options?: MergingInput): Promise<Merging>;
  /** Ids that lead to buckets with other ones, the oldest first. */
  redirects(): Promise<Redirect[]>;
  /** @throws ActivityError `NO_SUCH_REDIRECT` */
  deleteRedirect(from: string): Promise<void>;
  /** Changes of the last 30 days that can be undone, the latest first. */
  undoable(): Promise<Undo[]>;
  /** @throws ActivityError `NO_SUCH_UNDO`, `CONFLICT` where what there is now does not let it be undone */
  undo(id: string): Promise<Undone>;
}

export function createInProcessIdentity(
  identity: Identity,
  { during }: { during<T>(work: () => Promise<T>): Promise<T> },
): InProcessIdentity {
  return {
    rename: (bucketId, newId, options) =>
      during(async () =>
        identity.rename(checkedBucketId(bucketId), checkedNewBucketId(newId, "newId"), changingOf(options)),
      ),
    setHostname: (bucketId, hostname, options) =>
      during(async () =>
        identity.setHostname(checkedBucketId(bucketId), checkedText(hostname, "hostname"), changingOf(options)),
      ),
    renameHost: (hostname, newHostname, options = {}) =>
      during(async () => {
        const renameBuckets = options.renameBuckets ?? false;
        const [from, to] = [checkedText(hostname, "hostname"), checkedText(newHostname, "newHostname")];
        return identity.renameHost(from, to, { ...changingOf(options), renameBuckets });
      }),
    merge: (bucketId, from, options = {}) =>
      during(async () => {
        const merging = { ...changingOf(options), overlaps: checkedOverlaps(options.overlaps) };
        return identity.merge(checkedBucketId(bucketId), checkedBucketIds(from, "from"), merging);
      }),
    redirects: () => during(() => identity.listRedirects()),
    deleteRedirect: (from) => during(async () => identity.deleteRedirect(checkedBucketId(from))),
    undoable: () => during(() => identity.listUndo()),
    undo: (id) => during(async () => identity.undo(checkedText(id, "id"))),
  };
}

/** @throws ActivityError `INVALID_INPUT` */
export function changingOf({ redirect = true, preview = false }: ChangingInput = {}): Changing {
  return { preview, redirect: typeof redirect === "boolean" ? redirect : microsOf(redirect, "redirect") };
}
