// Written by scripts/methods.mjs out of the operations (src/api).
import type { QuerySent } from "../api/calls.js";
import type { SentOf } from "../api/codec.js";
import type { Named } from "../api/schemas.js";
import type { JsonObject } from "../domain/json.js";
import type { CallOptions, ClientEvent } from "./client-types.js";

/** Containers of events, one for each client, type and hostname. */
export interface ClientBuckets {
  /** List all buckets. */
  list(options?: CallOptions): Promise<Named<"Buckets">>;
  /** Get a bucket. */
  get(bucketId: string, options?: CallOptions): Promise<Named<"Bucket">>;
  /** Change fields of a bucket. */
  update(bucketId: string, body?: SentOf<"BucketPatch">, options?: CallOptions): Promise<void>;
  /** Get a bucket's access. */
  getAccess(bucketId: string, options?: CallOptions): Promise<Named<"BucketAccess">["access"]>;
  /** Set a bucket's access. */
  setAccess(
    bucketId: string,
    access: SentOf<"BucketAccess">["access"],
    options?: CallOptions,
  ): Promise<Named<"BucketAccess">["access"]>;
  /** Export a bucket with its events. */
  export(bucketId: string, options?: CallOptions): Promise<Named<"ExportDocument">>;
}

/** Renaming and merging of buckets and hosts, redirects and undo. */
export interface ClientIdentity {
  /** Rename a bucket. */
  rename(bucketId: string, body: SentOf<"BucketRenaming">, options?: CallOptions): Promise<Named<"Relabelling">>;
  /** Set a bucket's hostname. */
  setHostname(bucketId: string, body: SentOf<"HostnameChange">, options?: CallOptions): Promise<Named<"Relabelling">>;
  /** Rename a host. */
  renameHost(hostname: string, body: SentOf<"HostRenaming">, options?: CallOptions): Promise<Named<"Relabelling">>;
  /** Merge other buckets into a bucket. */
  merge(bucketId: string, body: SentOf<"BucketMerging">, options?: CallOptions): Promise<Named<"Merging">>;
  /** List redirects. */
  redirects(options?: CallOptions): Promise<Named<"Redirect">[]>;
  /** Delete a redirect. */
  deleteRedirect(redirectedId: string, options?: CallOptions): Promise<void>;
  /** List changes that you can undo. */
  undoable(options?: CallOptions): Promise<Named<"Undo">[]>;
  /** Undo a change. */
  undo(undoId: string, options?: CallOptions): Promise<Named<"Undone">>;
}

/** Activities with their time and data. */
export interface ClientEvents {
  /** Read events, newest first. */
  list<Data extends object = JsonObject>(
    bucketId: string,
    query?: QuerySent<"start" | "end" | "limit" | "offset" | "filter">,
    options?: CallOptions,
  ): Promise<ClientEvent<Data>[]>;
  /** Count events. */
  count(
    bucketId: string,
    query?: QuerySent<"start" | "end" | "filter">,
    options?: CallOptions,
  ): Promise<Named<"EventCount">>;
  /** Get an event. */
  get<Data extends object = JsonObject>(
    bucketId: string,
    eventId: number,
    options?: CallOptions,
  ): Promise<ClientEvent<Data>>;
  /** Delete events by range and filter or by IDs, or count them. */
  deleteMatching(
    bucketId: string,
    body: SentOf<"DeletionByFilter">,
    options?: CallOptions,
  ): Promise<Named<"EventsDeletion">>;
  /** Delete events of several buckets, or count them. */
  deleteMatchingIn(body?: SentOf<"WideDeletionSelection">, options?: CallOptions): Promise<Named<"EventsDeletion">>;
  /** Split an event into two. */
  split<Data extends object = JsonObject>(
    bucketId: string,
    eventId: number,
    at: SentOf<"EventSplit">["at"],
    options?: CallOptions,
  ): Promise<ClientEvent<Data>[]>;
  /** Move an event to another bucket. */
  move<Data extends object = JsonObject>(
    bucketId: string,
    eventId: number,
    bucket: SentOf<"EventMove">["bucket"],
    options?: CallOptions,
  ): Promise<ClientEvent<Data>>;
  /** Read events or bins to draw. */
  timeline(
    bucketId: string,
    query?: QuerySent<"start" | "end" | "bins">,
    options?: CallOptions,
  ): Promise<Named<"Timeline">>;
}

/** Keys of the API and their rights. */
export interface ClientKeys {
  /** List keys. */
  list(options?: CallOptions): Promise<Named<"Key">[]>;
  /** Create a key. */
  add(body: SentOf<"KeyCreation">, options?: CallOptions): Promise<Named<"NewKey">>;
  /** Revoke a key. */
  revoke(keyName: string, options?: CallOptions): Promise<void>;
}

/** Sign-in to the server's own pages. */
export interface ClientSessions {
  /** Create a sign-in link. */
  createLink(options?: CallOptions): Promise<Named<"SignInLink">>;
  /** Sign in with a link's token. */
  signIn(token: SentOf<"SignIn">["token"], options?: CallOptions): Promise<Named<"NewSession">>;
  /** Show the current session. */
  current(options?: CallOptions): Promise<Named<"SessionState">>;
  /** Sign out. */
  signOut(options?: CallOptions): Promise<void>;
  /** List sessions. */
  list(options?: CallOptions): Promise<Named<"Session">[]>;
  /** End a session. */
  end(sessionId: string, options?: CallOptions): Promise<void>;
}

/** Requests for a key by programs, phones and browser extensions. */
export interface ClientPairing {
  /** Request a key. */
  request(body: SentOf<"PairingRequest">, options?: CallOptions): Promise<Named<"NewPairing">>;
  /** Collect a requested key. */
  collect(secret: SentOf<"PairingSecret">["secret"], options?: CallOptions): Promise<Named<"PairingOutcome">>;
  /** List pairing requests. */
  list(options?: CallOptions): Promise<Named<"PairingQuestion">[]>;
  /** Approve a pairing request. */
  approve(code: string, body?: SentOf<"PairingChanges">, options?: CallOptions): Promise<Named<"PairingApproval">>;
  /** Refuse a pairing request. */
  refuse(code: string, options?: CallOptions): Promise<void>;
}

/** Requests for a key by programs, phones and browser extensions. */
export interface ClientExtensions {
  /** List allowed and refused browser extensions. */
  list(options?: CallOptions): Promise<Named<"Extension">[]>;
  /** Forget the decision about an extension. */
  forget(extensionOrigin: string, options?: CallOptions): Promise<void>;
}

/** Rules that keep private data out of the storage. */
export interface ClientPrivacy {
  /** Apply privacy rules to stored data. */
  apply(body?: SentOf<"PrivacyApplication">, options?: CallOptions): Promise<Named<"AppliedPrivacy">>;
  /** Preview privacy rules on stored data. */
  preview(body?: SentOf<"PrivacyTrial">, options?: CallOptions): Promise<Named<"PrivacyPreview">>;
}

/** Rules for old events. */
export interface ClientRetention {
  /** List retention runs. */
  log(options?: CallOptions): Promise<Named<"RetentionRun">[]>;
  /** Preview retention. */
  preview(
    rules?: SentOf<"RetentionRules">["rules"],
    options?: CallOptions,
  ): Promise<Named<"RetentionPreview">["buckets"]>;
  /** Run retention. */
  run(options?: CallOptions): Promise<Named<"RetentionRun">>;
}

/** Deleted data, which you can restore. */
export interface ClientTrash {
  /** List the trash. */
  list(options?: CallOptions): Promise<Named<"TrashEntry">[]>;
  /** Restore a trash entry. */
  restore(
    entryId: string,
    body?: SentOf<"TrashRestoring">,
    options?: CallOptions,
  ): Promise<Named<"TrashRestored">["buckets"]>;
  /** Delete a trash entry permanently. */
  delete(entryId: string, options?: CallOptions): Promise<void>;
  /** Empty the trash permanently. */
  empty(options?: CallOptions): Promise<Named<"TrashEmptied">>;
}

/** JSON values by key, for user interfaces. */
export interface ClientSettings {
  /** List all settings. */
  list(options?: CallOptions): Promise<Named<"Settings">>;
  /** Get a setting, or null if it is unknown. */
  get(key: string, options?: CallOptions): Promise<Named<"SettingValue">>;
  /** Set a setting; null removes it. */
  put(key: string, body: SentOf<"SettingValue">, options?: CallOptions): Promise<Named<"SettingValue">>;
  /** Remove a setting. */
  delete(key: string, options?: CallOptions): Promise<void>;
}

/** Methods that call operations, by subject. */
export interface ClientMethods {
  readonly buckets: ClientBuckets;
  readonly identity: ClientIdentity;
  readonly events: ClientEvents;
  readonly keys: ClientKeys;
  readonly sessions: ClientSessions;
  readonly pairing: ClientPairing;
  readonly extensions: ClientExtensions;
  readonly privacy: ClientPrivacy;
  readonly retention: ClientRetention;
  readonly trash: ClientTrash;
  readonly settings: ClientSettings;
  /** Show server information. */
  info(options?: CallOptions): Promise<Named<"Info">>;
  /** Report the time of a period. */
  report(body?: SentOf<"ReportRequest">, options?: CallOptions): Promise<Named<"Report">>;
  /** Find the categories of data. */
  classify(body: SentOf<"ClassifyRequest">, options?: CallOptions): Promise<Named<"Classified">>;
  /** Export all buckets with their events. */
  export(options?: CallOptions): Promise<Named<"ExportDocument">>;
  /** Show the server's health. */
  health(options?: CallOptions): Promise<Named<"Health">>;
}
