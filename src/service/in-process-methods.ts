// Written by scripts/methods.mjs out of the operations (src/api).
import type { QueryInput } from "../api/calls.js";
import type { DomainOf, InputOf } from "../api/codec.js";
import type { ActivityEvent } from "../domain/activity-event.js";
import type { JsonObject } from "../domain/json.js";

/** Containers of events: one for each client, type and hostname. */
export interface InProcessBuckets {
  /** Change fields of a bucket. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED` */
  update(bucketId: string, body?: InputOf<"BucketPatch">): Promise<void>;
  /** Say what may be done with a bucket. @throws `NO_SUCH_BUCKET` */
  getAccess(bucketId: string): Promise<DomainOf<"BucketAccess">["access"]>;
  /** Protect a bucket, or open it again. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT` */
  setAccess(bucketId: string, access: InputOf<"BucketAccess">["access"]): Promise<DomainOf<"BucketAccess">["access"]>;
}

/** What buckets and hosts are called, and taking that back. */
export interface InProcessIdentity {
  /** Give a bucket another id. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  rename(bucketId: string, body: InputOf<"BucketRenaming">): Promise<DomainOf<"Relabelling">>;
  /** Set the hostname of a bucket. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  setHostname(bucketId: string, body: InputOf<"HostnameChange">): Promise<DomainOf<"Relabelling">>;
  /** Give all buckets of a host another hostname. @throws `INVALID_INPUT`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  renameHost(hostname: string, body: InputOf<"HostRenaming">): Promise<DomainOf<"Relabelling">>;
  /**
   * Merge other buckets into a bucket.
   *
   * @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT`, `STORAGE_UNSUPPORTED`
   */
  merge(bucketId: string, body: InputOf<"BucketMerging">): Promise<DomainOf<"Merging">>;
  /** List the ids that lead to other buckets. */
  redirects(): Promise<DomainOf<"Redirect">[]>;
  /** Let an id lead nowhere else any more. @throws `NO_SUCH_REDIRECT` */
  deleteRedirect(redirectedId: string): Promise<void>;
  /** List the changes that can be undone. */
  undoable(): Promise<DomainOf<"Undo">[]>;
  /** Undo a change. @throws `NO_SUCH_UNDO`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  undo(undoId: string): Promise<DomainOf<"Undone">>;
}

/** What happened, and for how long. */
export interface InProcessEvents {
  /** Count events. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `QUERY_TOO_LARGE` */
  count(bucketId: string, query?: QueryInput<"start" | "end" | "filter">): Promise<DomainOf<"EventCount">>;
  /**
   * Delete events of several buckets, or count them.
   *
   * @throws `INVALID_INPUT`, `VETOED`, `CONFLICT`, `QUERY_TOO_LARGE`, `STORAGE_UNSUPPORTED`
   */
  deleteMatchingIn(body?: InputOf<"WideDeletionSelection">): Promise<DomainOf<"EventsDeletion">>;
  /**
   * Make two events of one.
   *
   * @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `VETOED`, `CONFLICT`, `STORAGE_UNSUPPORTED`
   */
  split<Data extends object = JsonObject>(
    bucketId: string,
    eventId: number,
    at: InputOf<"EventSplit">["at"],
  ): Promise<ActivityEvent<Data>[]>;
  /**
   * Move an event to another bucket.
   *
   * @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `VETOED`, `CONFLICT`, `STORAGE_UNSUPPORTED`
   */
  move<Data extends object = JsonObject>(
    bucketId: string,
    eventId: number,
    bucket: InputOf<"EventMove">["bucket"],
  ): Promise<ActivityEvent<Data>>;
}

/** What opens the API, and how much of it. */
export interface InProcessKeys {
  /** List the keys. */
  list(): Promise<DomainOf<"Key">[]>;
  /** Make a key. @throws `INVALID_INPUT` */
  add(body: InputOf<"KeyCreation">): Promise<DomainOf<"NewKey">>;
  /** Revoke a key. @throws `NO_SUCH_KEY`, `INVALID_INPUT` */
  revoke(keyName: string): Promise<void>;
}

/** Who is signed in at a page of the server. */
export interface InProcessSessions {
  /** Make a link by which somebody signs in. */
  createLink(): Promise<DomainOf<"SignInLink">>;
  /** List the sessions. */
  list(): Promise<DomainOf<"Session">[]>;
  /** End a session. @throws `NO_SUCH_SESSION` */
  end(sessionId: string): Promise<void>;
}

/** How programs, phones and browser extensions ask to be let in. */
export interface InProcessPairing {
  /** List who waits for an answer of the owner. */
  list(): Promise<DomainOf<"PairingQuestion">[]>;
  /** Let somebody have a key, or an extension report. @throws `INVALID_INPUT`, `NO_SUCH_PAIRING` */
  approve(code: string, body?: InputOf<"PairingChanges">): Promise<DomainOf<"PairingApproval">>;
  /** Refuse somebody a key, or an extension to report. @throws `NO_SUCH_PAIRING` */
  refuse(code: string): Promise<void>;
}

/** How programs, phones and browser extensions ask to be let in. */
export interface InProcessExtensions {
  /** List the browser extensions that were allowed or refused. */
  list(): Promise<DomainOf<"Extension">[]>;
  /** Forget what was decided about an extension. */
  forget(extensionOrigin: string): Promise<void>;
}

/** What is not to be stored. */
export interface InProcessPrivacy {
  /** Apply privacy rules to what is stored. @throws `INVALID_INPUT`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  apply(body?: InputOf<"PrivacyApplication">): Promise<DomainOf<"AppliedPrivacy">>;
  /** Try privacy rules on what is stored. @throws `INVALID_INPUT`, `QUERY_TOO_LARGE` */
  preview(body?: InputOf<"PrivacyTrial">): Promise<DomainOf<"PrivacyPreview">>;
}

/** How long events are kept, and how exactly. */
export interface InProcessRetention {
  /** List what retention did. */
  log(): Promise<DomainOf<"RetentionRun">[]>;
  /** Count what retention would do. @throws `INVALID_INPUT` */
  preview(rules?: InputOf<"RetentionRules">["rules"]): Promise<DomainOf<"RetentionPreview">["buckets"]>;
  /** Carry the retention rules out now. @throws `INVALID_INPUT`, `STORAGE_UNSUPPORTED` */
  run(): Promise<DomainOf<"RetentionRun">>;
}

/** What was deleted, and can be restored. */
export interface InProcessTrash {
  /** List what was deleted and can be restored. */
  list(): Promise<DomainOf<"TrashEntry">[]>;
  /** Restore what was deleted. @throws `INVALID_INPUT`, `NO_SUCH_ENTRY`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  restore(entryId: string, body?: InputOf<"TrashRestoring">): Promise<DomainOf<"TrashRestored">["buckets"]>;
  /** Delete an entry of the trash for good. @throws `NO_SUCH_ENTRY` */
  delete(entryId: string): Promise<void>;
  /** Delete everything in the trash for good. */
  empty(): Promise<DomainOf<"TrashEmptied">>;
}

/** JSON values by key, kept for user interfaces. */
export interface InProcessSettings {
  /** List all settings. */
  list(): Promise<DomainOf<"Settings">>;
  /** Get a setting; null when it is unknown. @throws `INVALID_INPUT` */
  get(key: string): Promise<DomainOf<"SettingValue">>;
  /** Set a setting; null removes it. @throws `INVALID_INPUT`, `VETOED` */
  put(key: string, body: InputOf<"SettingValue">): Promise<DomainOf<"SettingValue">>;
  /** Remove a setting. @throws `INVALID_INPUT`, `VETOED` */
  delete(key: string): Promise<void>;
}

/** Methods that call operations, by subject. */
export interface InProcessMethods {
  readonly buckets: InProcessBuckets;
  readonly identity: InProcessIdentity;
  readonly events: InProcessEvents;
  readonly keys: InProcessKeys;
  readonly sessions: InProcessSessions;
  readonly pairing: InProcessPairing;
  readonly extensions: InProcessExtensions;
  readonly privacy: InProcessPrivacy;
  readonly retention: InProcessRetention;
  readonly trash: InProcessTrash;
  readonly settings: InProcessSettings;
  /** Say which server this is. */
  info(): Promise<DomainOf<"Info">>;
}
