// Written by scripts/methods.mjs out of the operations (src/api).
import type { JsonObject } from "../domain/json.js";
import type { Arg, EventResult, QueryArg, Result, Side } from "./calls.js";

/** Containers of events, one for each client, type and hostname. */
export interface BucketsCalls<S extends Side> {
  /** Change fields of a bucket. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED` */
  update(bucketId: string, body?: Arg<"BucketPatch", S>, ...options: S["options"]): Promise<void>;
  /** Get a bucket's access. @throws `NO_SUCH_BUCKET` */
  getAccess(bucketId: string, ...options: S["options"]): Promise<Result<"BucketAccess", S, "access">>;
  /** Set a bucket's access. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT` */
  setAccess(
    bucketId: string,
    access: Arg<"BucketAccess", S, "access">,
    ...options: S["options"]
  ): Promise<Result<"BucketAccess", S, "access">>;
}

/** Renaming and merging of buckets and hosts, redirects and undo. */
export interface IdentityCalls<S extends Side> {
  /** Rename a bucket. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  rename(bucketId: string, body: Arg<"BucketRenaming", S>, ...options: S["options"]): Promise<Result<"Relabelling", S>>;
  /** Set a bucket's hostname. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  setHostname(
    bucketId: string,
    body: Arg<"HostnameChange", S>,
    ...options: S["options"]
  ): Promise<Result<"Relabelling", S>>;
  /** Rename a host. @throws `INVALID_INPUT`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  renameHost(
    hostname: string,
    body: Arg<"HostRenaming", S>,
    ...options: S["options"]
  ): Promise<Result<"Relabelling", S>>;
  /** Merge other buckets into a bucket. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  merge(bucketId: string, body: Arg<"BucketMerging", S>, ...options: S["options"]): Promise<Result<"Merging", S>>;
  /** List redirects. */
  redirects(...options: S["options"]): Promise<Result<"Redirect", S>[]>;
  /** Delete a redirect. @throws `NO_SUCH_REDIRECT` */
  deleteRedirect(redirectedId: string, ...options: S["options"]): Promise<void>;
  /** List changes that you can undo. */
  undoable(...options: S["options"]): Promise<Result<"Undo", S>[]>;
  /** Undo a change. @throws `NO_SUCH_UNDO`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  undo(undoId: string, ...options: S["options"]): Promise<Result<"Undone", S>>;
}

/** Activities with their time and data. */
export interface EventsCalls<S extends Side> {
  /** Count events. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `QUERY_TOO_LARGE` */
  count(bucketId: string, query?: QueryArg<"start" | "end" | "filter", S>, ...options: S["options"]): Promise<number>;
  /**
   * Delete events of a bucket, or count them. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`, `CONFLICT`,
   * `QUERY_TOO_LARGE`, `STORAGE_UNSUPPORTED`
   */
  deleteMatching(
    bucketId: string,
    body: Arg<"DeletionByFilter", S>,
    ...options: S["options"]
  ): Promise<Result<"EventsDeletion", S>>;
  /**
   * Delete events of several buckets, or count them. @throws `INVALID_INPUT`, `VETOED`, `CONFLICT`, `QUERY_TOO_LARGE`,
   * `STORAGE_UNSUPPORTED`
   */
  deleteMatchingIn(
    body?: Arg<"WideDeletionSelection", S>,
    ...options: S["options"]
  ): Promise<Result<"EventsDeletion", S>>;
  /**
   * Split an event into two. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `VETOED`, `CONFLICT`,
   * `STORAGE_UNSUPPORTED`
   */
  split<Data extends object = JsonObject>(
    bucketId: string,
    eventId: number,
    at: Arg<"EventSplit", S, "at">,
    ...options: S["options"]
  ): Promise<EventResult<Data, S>[]>;
  /**
   * Move an event to another bucket. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `VETOED`, `CONFLICT`,
   * `STORAGE_UNSUPPORTED`
   */
  move<Data extends object = JsonObject>(
    bucketId: string,
    eventId: number,
    bucket: Arg<"EventMove", S, "bucket">,
    ...options: S["options"]
  ): Promise<EventResult<Data, S>>;
}

/** Keys of the API and their rights. */
export interface KeysCalls<S extends Side> {
  /** List keys. */
  list(...options: S["options"]): Promise<Result<"Key", S>[]>;
  /** Create a key. @throws `INVALID_INPUT` */
  add(body: Arg<"KeyCreation", S>, ...options: S["options"]): Promise<Result<"NewKey", S>>;
  /** Revoke a key. @throws `NO_SUCH_KEY`, `INVALID_INPUT` */
  revoke(keyName: string, ...options: S["options"]): Promise<void>;
}

/** Sign-in to the server's own pages. */
export interface SessionsCalls<S extends Side> {
  /** Create a sign-in link. */
  createLink(...options: S["options"]): Promise<Result<"SignInLink", S>>;
  /** List sessions. */
  list(...options: S["options"]): Promise<Result<"Session", S>[]>;
  /** End a session. @throws `NO_SUCH_SESSION` */
  end(sessionId: string, ...options: S["options"]): Promise<void>;
}

/** Requests for a key by programs, phones and browser extensions. */
export interface PairingCalls<S extends Side> {
  /** List pairing requests. */
  list(...options: S["options"]): Promise<Result<"PairingQuestion", S>[]>;
  /** Approve a pairing request. @throws `INVALID_INPUT`, `NO_SUCH_PAIRING` */
  approve(
    code: string,
    body?: Arg<"PairingChanges", S>,
    ...options: S["options"]
  ): Promise<Result<"PairingApproval", S>>;
  /** Refuse a pairing request. @throws `NO_SUCH_PAIRING` */
  refuse(code: string, ...options: S["options"]): Promise<void>;
}

/** Requests for a key by programs, phones and browser extensions. */
export interface ExtensionsCalls<S extends Side> {
  /** List allowed and refused browser extensions. */
  list(...options: S["options"]): Promise<Result<"Extension", S>[]>;
  /** Forget the decision about an extension. */
  forget(extensionOrigin: string, ...options: S["options"]): Promise<void>;
}

/** Rules that keep private data out of the storage. */
export interface PrivacyCalls<S extends Side> {
  /** Apply privacy rules to stored data. @throws `INVALID_INPUT`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  apply(body?: Arg<"PrivacyApplication", S>, ...options: S["options"]): Promise<Result<"AppliedPrivacy", S>>;
  /** Preview privacy rules on stored data. @throws `INVALID_INPUT`, `QUERY_TOO_LARGE` */
  preview(body?: Arg<"PrivacyTrial", S>, ...options: S["options"]): Promise<Result<"PrivacyPreview", S>>;
}

/** Rules for old events. */
export interface RetentionCalls<S extends Side> {
  /** List retention runs. */
  log(...options: S["options"]): Promise<Result<"RetentionRun", S>[]>;
  /** Preview retention. @throws `INVALID_INPUT` */
  preview(
    rules?: Arg<"RetentionRules", S, "rules">,
    ...options: S["options"]
  ): Promise<Result<"RetentionPreview", S, "buckets">>;
  /** Run retention. @throws `INVALID_INPUT`, `STORAGE_UNSUPPORTED` */
  run(...options: S["options"]): Promise<Result<"RetentionRun", S>>;
}

/** Deleted data, which you can restore. */
export interface TrashCalls<S extends Side> {
  /** List the trash. */
  list(...options: S["options"]): Promise<Result<"TrashEntry", S>[]>;
  /** Restore a trash entry. @throws `INVALID_INPUT`, `NO_SUCH_ENTRY`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  restore(
    entryId: string,
    body?: Arg<"TrashRestoring", S>,
    ...options: S["options"]
  ): Promise<Result<"TrashRestored", S, "buckets">>;
  /** Delete a trash entry permanently. @throws `NO_SUCH_ENTRY` */
  delete(entryId: string, ...options: S["options"]): Promise<void>;
  /** Empty the trash permanently. */
  empty(...options: S["options"]): Promise<Result<"TrashEmptied", S>>;
}

/** JSON values by key, for user interfaces. */
export interface SettingsCalls<S extends Side> {
  /** List all settings. */
  list(...options: S["options"]): Promise<Result<"Settings", S>>;
  /** Get a setting, or null if it is unknown. @throws `INVALID_INPUT` */
  get(key: string, ...options: S["options"]): Promise<Result<"SettingValue", S>>;
  /** Set a setting; null removes it. @throws `INVALID_INPUT`, `VETOED` */
  put(key: string, body: Arg<"SettingValue", S>, ...options: S["options"]): Promise<Result<"SettingValue", S>>;
  /** Remove a setting. @throws `INVALID_INPUT`, `VETOED` */
  delete(key: string, ...options: S["options"]): Promise<void>;
}

/** Methods that call operations, by subject. */
export interface Calls<S extends Side> {
  readonly buckets: BucketsCalls<S>;
  readonly identity: IdentityCalls<S>;
  readonly events: EventsCalls<S>;
  readonly keys: KeysCalls<S>;
  readonly sessions: SessionsCalls<S>;
  readonly pairing: PairingCalls<S>;
  readonly extensions: ExtensionsCalls<S>;
  readonly privacy: PrivacyCalls<S>;
  readonly retention: RetentionCalls<S>;
  readonly trash: TrashCalls<S>;
  readonly settings: SettingsCalls<S>;
  /** Show server information. */
  info(...options: S["options"]): Promise<Result<"Info", S>>;
  /** Report the time of a period. @throws `INVALID_INPUT`, `QUERY_TOO_LARGE` */
  report(body?: Arg<"ReportRequest", S>, ...options: S["options"]): Promise<Result<"Report", S>>;
  /** Find the categories of data. @throws `INVALID_INPUT`, `QUERY_TOO_LARGE` */
  classify(body: Arg<"ClassifyRequest", S>, ...options: S["options"]): Promise<Result<"Classified", S>>;
}
