import type { DomainOf } from "../api/codec.js";
import type { BucketDraft, BucketPatch } from "../domain/bucket.js";
import type { AcceptedDraft, EventDraft, StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import type { BucketAccess, BucketAccessRules } from "./access/bucket-access.js";
import type { Grants } from "./access/grants.js";
import type { DataServices } from "./data-services.js";
import type { Feed } from "./feed/feed.js";
import type { WriteHooks } from "./hooks.js";
import type { ChangeOptions, Undone } from "./identity/identity.js";
import type { Merging } from "./identity/merger.js";
import type { Moved } from "./identity/moved.js";
import type { OverlapPolicy } from "./identity/overlaps.js";
import type { Relabelling } from "./identity/relabeller.js";
import type { ImportCounts, SpooledBucket } from "./import.js";
import type { Announcer, ChangeNotice } from "./notices.js";
import type { AppliedBucket } from "./privacy/apply-rules.js";
import type { Quota } from "./quota.js";
import type { RetentionRun } from "./retention/log.js";
import type { FilterWork } from "./search/filters.js";
import type { ServiceOptions, Shared } from "./shared.js";
import type { Deleted, DeletedEvents, StoredItem, TrashEntry } from "./trash/entry.js";
import type { BucketSelection, MatchingDeletion, SelectionInput } from "./trash/matching.js";
import type { RestoredBucket, RestoreOptions, RestoreTargets } from "./trash/restore.js";
import type { Visible } from "./visible.js";

/** A write to one bucket. */
interface InBucket {
  readonly bucketId: string;
}

/** A write that deletes. */
interface Deletion {
  /** Whether it skips the trash (docs/reference/trash.md#permanent-deletion). */
  readonly isPermanent?: boolean;
}

/** Changes of several buckets, for listeners. */
export type BucketChanges = readonly Extract<ChangeNotice, { readonly bucketId: string }>[];

/**
 * Each kind of write: its fields, its result, and the stored data that the commit step reports, if more than the
 * fields. The redirect step sets `targets`.
 */
export interface WriteKinds {
  /**
   * Never creates a bucket. Returns the event that now covers the heartbeat; a heartbeat without an ID if a rule
   * dropped it.
   */
  heartbeat: [InBucket & { readonly beat: EventDraft; readonly pulsetimeMicros: Micros }, AcceptedDraft, AcceptedDraft];
  insertEvents: [
    InBucket & { readonly drafts: readonly EventDraft[] },
    readonly AcceptedDraft[],
    readonly StoredEvent[],
  ];
  /** Returns the events stored with the bucket; `undefined`, with nothing changed, if the ID is in use. */
  createBucket: [
    InBucket & { readonly bucket: BucketDraft; readonly drafts: readonly EventDraft[] },
    readonly StoredEvent[] | undefined,
    readonly StoredEvent[],
  ];
  updateBucket: [InBucket & { readonly patch: BucketPatch }, undefined];
  /** Must be confirmed outside testing mode: a stray request must not delete years of data. */
  deleteBucket: [InBucket & Deletion & { readonly isConfirmed: boolean }, Deleted];
  /** Returns `undefined` if the event did not exist. */
  deleteEvent: [InBucket & Deletion & { readonly eventId: number }, Deleted | undefined];
  /** Ignores unknown IDs. */
  deleteEvents: [InBucket & Deletion & { readonly eventIds: readonly number[] }, DeletedEvents];
  /** Deletes the selected events of one bucket, or of all selected ones, in one step, with one trash entry. */
  deleteMatching: [
    {
      readonly buckets: string | BucketSelection;
      readonly selection: SelectionInput;
      /** The buckets to search. */
      readonly targets?: readonly string[];
      /** Throws if the search takes too long. The redirect step sets it. */
      readonly check?: FilterWork["check"];
    },
    MatchingDeletion,
    BucketChanges,
  ];
  splitEvent: [
    InBucket & { readonly eventId: number; readonly at: Micros },
    readonly [StoredEvent, StoredEvent],
    readonly StoredEvent[],
  ];
  moveEvent: [InBucket & { readonly eventId: number; readonly targetId: string }, StoredEvent, StoredEvent];
  importBuckets: [{ readonly buckets: readonly SpooledBucket[] }, ImportCounts, BucketChanges | ImportCounts];
  /** `null` removes the key. */
  putSetting: [{ readonly key: string; readonly value: JsonValue }, JsonValue];
  restoreTrash: [
    {
      readonly entryId: string;
      readonly restoring: RestoreOptions;
      readonly targets?: RestoreTargets;
    },
    readonly RestoredBucket[],
    readonly RestoredBucket[],
  ];
  /** Permanently deletes entries of the trash; all of the caller's, unless it has `entryIds`. */
  removeTrash: [
    {
      readonly entryIds?: readonly string[];
      /** The items of the entries. */
      readonly targets?: readonly Pick<StoredItem, "bucketId" | "access">[];
    },
    TrashEntry[],
  ];
  setAccess: [InBucket & { readonly access: BucketAccess }, undefined];
  renameBucket: [InBucket & { readonly to: string; readonly changing: ChangeOptions }, Relabelling, Moved];
  setBucketHost: [InBucket & { readonly hostname: string; readonly changing: ChangeOptions }, Relabelling, Moved];
  renameHost: [
    {
      readonly hostname: string;
      readonly to: string;
      readonly changing: ChangeOptions & { readonly renameBuckets?: boolean };
      /** The buckets with the hostname. */
      readonly targets?: readonly string[];
    },
    Relabelling,
    Moved,
  ];
  mergeBuckets: [
    InBucket & {
      readonly from: readonly string[];
      readonly changing: ChangeOptions & { readonly overlaps?: OverlapPolicy };
    },
    Merging,
    Moved,
  ];
  undo: [
    {
      readonly undoId: string;
      /** The buckets that the change created. */
      readonly targets?: readonly string[];
    },
    Undone,
    Moved,
  ];
  deleteRedirect: [{ readonly from: string }, undefined];
  /** Applies privacy rules to stored events. */
  applyPrivacy: [{ readonly application: DomainOf<"PrivacyApplication"> }, AppliedBucket[], BucketChanges];
  /** Without a `share` it runs at once, for the owner; with one it takes at most about this share of the time. */
  runRetention: [{ readonly share?: number }, RetentionRun, BucketChanges];
}

export type WriteKind = keyof WriteKinds;

/** A change of stored data, of one kind. */
export type Write<Kind extends WriteKind = WriteKind> = {
  [K in Kind]: { readonly kind: K } & WriteKinds[K][0];
}[Kind];

/** What a write returns. */
export type ResultOf<Kind extends WriteKind> = WriteKinds[Kind][1];

/** The stored data that the commit step reports. */
export type StoredBy<Kind extends WriteKind> = WriteKinds[Kind] extends [unknown, unknown, infer Stored]
  ? Stored
  : undefined;

/** The parts that all steps of writes use. */
export interface WriteParts extends ServiceOptions, DataServices {
  readonly shared: Shared;
  readonly access: BucketAccessRules;
  readonly hooks: WriteHooks;
  /** `undefined` = no limit. */
  readonly quota?: Quota | undefined;
  readonly announcer: Announcer;
  readonly feed: Pick<Feed, "active" | "open" | "hasKeys">;
}

/** A caller, for the steps of a write. */
export interface WriteContext {
  readonly parts: WriteParts;
  readonly grants: Grants;
  /**
   * Fields for hooks, and without `context` for listeners, about the caller; empty = the process itself, or an unknown
   * caller.
   */
  readonly by: { readonly identity?: object; readonly context?: unknown };
  readonly visible: Visible;
}
