// Written by scripts/methods.mjs out of the operations (src/api).
import type { QueryInput } from "../api/calls.js";
import type { InputOf, OutputOf } from "../api/codec.js";
import type { ActivityEvent } from "../domain/activity-event.js";
import type { JsonObject } from "../domain/json.js";

/** Containers of events, one for each client, type and hostname. */
export interface InProcessBuckets {
  /** Change fields of a bucket. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED` */
  update(bucketId: string, body?: InputOf<"BucketPatch">): Promise<void>;
  /** Get a bucket's access. @throws `NO_SUCH_BUCKET` */
  getAccess(bucketId: string): Promise<OutputOf<"BucketAccess">["access"]>;
  /** Set a bucket's access. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT` */
  setAccess(bucketId: string, access: InputOf<"BucketAccess">["access"]): Promise<OutputOf<"BucketAccess">["access"]>;
}

/** Renaming and merging of buckets and hosts, redirects and undo. */
export interface InProcessIdentity {
  /** Rename a bucket. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  rename(bucketId: string, body: InputOf<"BucketRenaming">): Promise<OutputOf<"Relabelling">>;
  /** Set a bucket's hostname. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  setHostname(bucketId: string, body: InputOf<"HostnameChange">): Promise<OutputOf<"Relabelling">>;
  /** Rename a host. @throws `INVALID_INPUT`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  renameHost(hostname: string, body: InputOf<"HostRenaming">): Promise<OutputOf<"Relabelling">>;
  /**
   * Merge other buckets into a bucket.
   *
   * @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `CONFLICT`, `STORAGE_UNSUPPORTED`
   */
  merge(bucketId: string, body: InputOf<"BucketMerging">): Promise<OutputOf<"Merging">>;
  /** List redirects. */
  redirects(): Promise<OutputOf<"Redirect">[]>;
  /** Delete a redirect. @throws `NO_SUCH_REDIRECT` */
  deleteRedirect(redirectedId: string): Promise<void>;
  /** List changes that you can undo. */
  undoable(): Promise<OutputOf<"Undo">[]>;
  /** Undo a change. @throws `NO_SUCH_UNDO`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  undo(undoId: string): Promise<OutputOf<"Undone">>;
}

/** Activities with their time and data. */
export interface InProcessEvents {
  /** Count events. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `QUERY_TOO_LARGE` */
  count(bucketId: string, query?: QueryInput<"start" | "end" | "filter">): Promise<OutputOf<"EventCount">>;
  /**
   * Delete events of several buckets, or count them.
   *
   * @throws `INVALID_INPUT`, `VETOED`, `CONFLICT`, `QUERY_TOO_LARGE`, `STORAGE_UNSUPPORTED`
   */
  deleteMatchingIn(body?: InputOf<"WideDeletionSelection">): Promise<OutputOf<"EventsDeletion">>;
  /**
   * Split an event into two.
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

/** Keys of the API and their rights. */
export interface InProcessKeys {
  /** List keys. */
  list(): Promise<OutputOf<"Key">[]>;
  /** Create a key. @throws `INVALID_INPUT` */
  add(body: InputOf<"KeyCreation">): Promise<OutputOf<"NewKey">>;
  /** Revoke a key. @throws `NO_SUCH_KEY`, `INVALID_INPUT` */
  revoke(keyName: string): Promise<void>;
}

/** Sign-in to the server's own pages. */
export interface InProcessSessions {
  /** Create a sign-in link. */
  createLink(): Promise<OutputOf<"SignInLink">>;
  /** List sessions. */
  list(): Promise<OutputOf<"Session">[]>;
  /** End a session. @throws `NO_SUCH_SESSION` */
  end(sessionId: string): Promise<void>;
}

/** Requests for a key by programs, phones and browser extensions. */
export interface InProcessPairing {
  /** List pairing requests. */
  list(): Promise<OutputOf<"PairingQuestion">[]>;
  /** Approve a pairing request. @throws `INVALID_INPUT`, `NO_SUCH_PAIRING` */
  approve(code: string, body?: InputOf<"PairingChanges">): Promise<OutputOf<"PairingApproval">>;
  /** Refuse a pairing request. @throws `NO_SUCH_PAIRING` */
  refuse(code: string): Promise<void>;
}

/** Requests for a key by programs, phones and browser extensions. */
export interface InProcessExtensions {
  /** List allowed and refused browser extensions. */
  list(): Promise<OutputOf<"Extension">[]>;
  /** Forget the decision about an extension. */
  forget(extensionOrigin: string): Promise<void>;
}

/** Rules that keep private data out of the storage. */
export interface InProcessPrivacy {
  /** Apply privacy rules to stored data. @throws `INVALID_INPUT`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  apply(body?: InputOf<"PrivacyApplication">): Promise<OutputOf<"AppliedPrivacy">>;
  /** Preview privacy rules on stored data. @throws `INVALID_INPUT`, `QUERY_TOO_LARGE` */
  preview(body?: InputOf<"PrivacyTrial">): Promise<OutputOf<"PrivacyPreview">>;
}

/** Rules for old events. */
export interface InProcessRetention {
  /** List retention runs. */
  log(): Promise<OutputOf<"RetentionRun">[]>;
  /** Preview retention. @throws `INVALID_INPUT` */
  preview(rules?: InputOf<"RetentionRules">["rules"]): Promise<OutputOf<"RetentionPreview">["buckets"]>;
  /** Run retention. @throws `INVALID_INPUT`, `STORAGE_UNSUPPORTED` */
  run(): Promise<OutputOf<"RetentionRun">>;
}

/** Deleted data, which you can restore. */
export interface InProcessTrash {
  /** List the trash. */
  list(): Promise<OutputOf<"TrashEntry">[]>;
  /** Restore a trash entry. @throws `INVALID_INPUT`, `NO_SUCH_ENTRY`, `CONFLICT`, `STORAGE_UNSUPPORTED` */
  restore(entryId: string, body?: InputOf<"TrashRestoring">): Promise<OutputOf<"TrashRestored">["buckets"]>;
  /** Delete a trash entry permanently. @throws `NO_SUCH_ENTRY` */
  delete(entryId: string): Promise<void>;
  /** Empty the trash permanently. */
  empty(): Promise<OutputOf<"TrashEmptied">>;
}

/** JSON values by key, for user interfaces. */
export interface InProcessSettings {
  /** List all settings. */
  list(): Promise<OutputOf<"Settings">>;
  /** Get a setting, or null if it is unknown. @throws `INVALID_INPUT` */
  get(key: string): Promise<OutputOf<"SettingValue">>;
  /** Set a setting; null removes it. @throws `INVALID_INPUT`, `VETOED` */
  put(key: string, body: InputOf<"SettingValue">): Promise<OutputOf<"SettingValue">>;
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
  /** Show server information. */
  info(): Promise<OutputOf<"Info">>;
  /** Report the time of a period. @throws `INVALID_INPUT`, `QUERY_TOO_LARGE` */
  report(body?: InputOf<"ReportRequest">): Promise<OutputOf<"Report">>;
  /** Find the categories of data. @throws `INVALID_INPUT`, `QUERY_TOO_LARGE` */
  classify(body: InputOf<"ClassifyRequest">): Promise<OutputOf<"Classified">>;
}
