// Care of what is stored: privacy, retention, and the state of the storage.
import type { Named } from "../api/schemas.js";
import type { ClientEvents as EventMethods } from "./calls.js";
import type { CallOptions } from "./client-types.js";

/** What renaming did, or would do. Times are texts in UTC. */
export type ClientRelabelling = Named<"Relabelling">;

/** What merging did, or would do. */
export type ClientMerging = Named<"Merging">;

/** An id that leads to a bucket with another one. */
export type ClientRedirect = Named<"Redirect">;

/** A change that can be undone. */
export type ClientUndo = Named<"Undo">;

/** A change that was undone. */
export type ClientUndone = Named<"Undone">;

/** A privacy rule, as the settings hold it. */
export type ClientPrivacyRule = Named<"PrivacyRule">;

/** Which rules to try, and on what. */
export type ClientPrivacyTrial = Named<"PrivacyTrial">;

/** What rules would do. Times are texts in UTC, lengths seconds. */
export type ClientPrivacyPreview = Named<"PrivacyPreview">;

/** Rules to apply, and what to apply them to. */
export type ClientPrivacyApplication = Named<"PrivacyApplication">;

/** What rules did to buckets. */
export type ClientAppliedPrivacy = Named<"AppliedPrivacy">;

/** What a deletion by range and filter did, or would do. */
export type ClientEventsDeletion = Named<"EventsDeletion">;

/** How something is deleted. */
export interface DeletionCallOptions extends CallOptions {
  /** Past the trash. @default false */
  readonly permanent?: boolean | undefined;
}

/** What a deletion tells of itself. */
export interface ClientDeleted {
  /** The entry of the trash that takes it back; `null`: there is none, or not for whoever deleted. */
  readonly entry: string | null;
}

/** What a deletion of several events reports. */
export interface ClientDeletedEvents extends ClientDeleted {
  readonly count: number;
}

/** Changes of events that are there. */
export interface ClientEditing extends EventMethods {
  /** @returns `undefined` where there was no such event */
  delete(bucketId: string, eventId: number, options?: DeletionCallOptions): Promise<ClientDeleted | undefined>;
  /** Deletes the events of a bucket that have one of the ids, in one step. @returns how many there were */
  deleteMany(
    bucketId: string,
    eventIds: readonly number[],
    options?: DeletionCallOptions,
  ): Promise<ClientDeletedEvents>;
}

/** What one deletion put into the trash. Times are texts in UTC, lengths seconds. */
export type ClientTrashEntry = Named<"TrashEntry">;

/** A bucket that something went back to. */
export type ClientRestoredBucket = Named<"RestoredBucket">;

/** What is kept of old events, and how long. */
export type ClientRetentionRule = Named<"RetentionRule">;

/** What retention does to a bucket: events that are too old, too short, and that summaries replace. */
export type ClientBucketRetention = Named<"BucketRetention">;

/** What a run of retention did. */
export type ClientRetentionRun = Named<"RetentionRun">;

/** Whether the storage is sound; more of it for who has an admin key. */
export type ClientHealth = Named<"Health">;
