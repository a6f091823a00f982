// Written by scripts/methods.mjs out of the operations (src/api).
import type { SentOf } from "../api/codec.js";
import type { Named } from "../api/schemas.js";
import type { CallTable } from "./call.js";
import type { CallOptions } from "./client-types.js";

/** What buckets and hosts are called, and taking that back. */
export interface ClientIdentity {
  /** Give a bucket another id. */
  rename(bucketId: string, body: SentOf<"BucketRenaming">, options?: CallOptions): Promise<Named<"Relabelling">>;
  /** Set the hostname of a bucket. */
  setHostname(bucketId: string, body: SentOf<"HostnameChange">, options?: CallOptions): Promise<Named<"Relabelling">>;
  /** Give all buckets of a host another hostname. */
  renameHost(hostname: string, body: SentOf<"HostRenaming">, options?: CallOptions): Promise<Named<"Relabelling">>;
  /** Merge other buckets into a bucket. */
  merge(bucketId: string, body: SentOf<"BucketMerging">, options?: CallOptions): Promise<Named<"Merging">>;
  /** List the ids that lead to other buckets. */
  redirects(options?: CallOptions): Promise<Named<"Redirect">[]>;
  /** Let an id lead nowhere else any more. */
  deleteRedirect(redirectedId: string, options?: CallOptions): Promise<void>;
  /** List the changes that can be undone. */
  undoable(options?: CallOptions): Promise<Named<"Undo">[]>;
  /** Undo a change. */
  undo(undoId: string, options?: CallOptions): Promise<Named<"Undone">>;
}

/** Containers of events: one for each client, type and hostname. */
export interface ClientBuckets {
  /** Say what may be done with a bucket. */
  getAccess(bucketId: string, options?: CallOptions): Promise<Named<"BucketAccess">["access"]>;
  /** Protect a bucket, or open it again. */
  setAccess(
    bucketId: string,
    access: SentOf<"BucketAccess">["access"],
    options?: CallOptions,
  ): Promise<Named<"BucketAccess">["access"]>;
}

/** What happened, and for how long. */
export interface ClientEvents {
  /** Delete events by range and filter or by ids, or count them. */
  deleteMatching(
    bucketId: string,
    body: SentOf<"DeletionSelection">,
    options?: CallOptions,
  ): Promise<Named<"EventsDeletionOrCount">>;
  /** Delete events of several buckets, or count them. */
  deleteMatchingIn(body?: SentOf<"WideDeletionSelection">, options?: CallOptions): Promise<Named<"EventsDeletion">>;
  /** Make two events of one. */
  split(
    bucketId: string,
    eventId: number,
    at: SentOf<"EventSplit">["at"],
    options?: CallOptions,
  ): Promise<Named<"Event">[]>;
  /** Move an event to another bucket. */
  move(
    bucketId: string,
    eventId: number,
    bucket: SentOf<"EventMove">["bucket"],
    options?: CallOptions,
  ): Promise<Named<"Event">>;
}

/** What opens the API, and how much of it. */
export interface ClientKeys {
  /** List the keys. */
  list(options?: CallOptions): Promise<Named<"Key">[]>;
  /** Make a key. */
  add(body: SentOf<"KeyCreation">, options?: CallOptions): Promise<Named<"NewKey">>;
  /** Revoke a key. */
  revoke(keyName: string, options?: CallOptions): Promise<void>;
}

/** Who is signed in at a page of the server. */
export interface ClientSessions {
  /** Make a link by which somebody signs in. */
  createLink(options?: CallOptions): Promise<Named<"SignInLink">>;
  /** Sign in by the token of a link. */
  signIn(token: SentOf<"SignIn">["token"], options?: CallOptions): Promise<Named<"NewSession">>;
  /** Say whether who asks is signed in, and whether that is needed. */
  current(options?: CallOptions): Promise<Named<"SessionState">>;
  /** Sign out. */
  signOut(options?: CallOptions): Promise<void>;
  /** List the sessions. */
  list(options?: CallOptions): Promise<Named<"Session">[]>;
  /** End a session. */
  end(sessionId: string, options?: CallOptions): Promise<void>;
}

/** How programs, phones and browser extensions ask to be let in. */
export interface ClientPairing {
  /** Ask for a key. */
  request(body: SentOf<"PairingRequest">, options?: CallOptions): Promise<Named<"NewPairing">>;
  /** Collect the key that was asked for. */
  collect(secret: SentOf<"PairingSecret">["secret"], options?: CallOptions): Promise<Named<"PairingOutcome">>;
  /** List who waits for an answer of the owner. */
  list(options?: CallOptions): Promise<Named<"PairingQuestion">[]>;
  /** Let somebody have a key, or an extension report. */
  approve(code: string, body?: SentOf<"PairingChanges">, options?: CallOptions): Promise<Named<"PairingApproval">>;
  /** Refuse somebody a key, or an extension to report. */
  refuse(code: string, options?: CallOptions): Promise<void>;
}

/** How programs, phones and browser extensions ask to be let in. */
export interface ClientExtensions {
  /** List the browser extensions that were allowed or refused. */
  list(options?: CallOptions): Promise<Named<"Extension">[]>;
  /** Forget what was decided about an extension. */
  forget(extensionOrigin: string, options?: CallOptions): Promise<void>;
}

/** What is not to be stored. */
export interface ClientPrivacy {
  /** Apply privacy rules to what is stored. */
  apply(body?: SentOf<"PrivacyApplication">, options?: CallOptions): Promise<Named<"AppliedPrivacy">>;
  /** Try privacy rules on what is stored. */
  preview(body?: SentOf<"PrivacyTrial">, options?: CallOptions): Promise<Named<"PrivacyPreview">>;
}

/** How long events are kept, and how exactly. */
export interface ClientRetention {
  /** List what retention did. */
  log(options?: CallOptions): Promise<Named<"RetentionRun">[]>;
  /** Count what retention would do. */
  preview(
    rules?: SentOf<"RetentionRules">["rules"],
    options?: CallOptions,
  ): Promise<Named<"RetentionPreview">["buckets"]>;
  /** Carry the retention rules out now. */
  run(options?: CallOptions): Promise<Named<"RetentionRun">>;
}

/** What was deleted, and can be restored. */
export interface ClientTrash {
  /** List what was deleted and can be restored. */
  list(options?: CallOptions): Promise<Named<"TrashEntry">[]>;
  /** Restore what was deleted. */
  restore(
    entryId: string,
    body?: SentOf<"TrashRestoring">,
    options?: CallOptions,
  ): Promise<Named<"TrashRestored">["buckets"]>;
  /** Delete an entry of the trash for good. */
  delete(entryId: string, options?: CallOptions): Promise<void>;
  /** Delete everything in the trash for good. */
  empty(options?: CallOptions): Promise<Named<"TrashEmptied">>;
}

/** JSON values by key, kept for user interfaces. */
export interface ClientSettings {
  /** List all settings. */
  list(options?: CallOptions): Promise<Named<"Settings">>;
  /** Get a setting; null when it is unknown. */
  get(key: string, options?: CallOptions): Promise<Named<"SettingValue">>;
  /** Set a setting; null removes it. */
  put(key: string, body: SentOf<"SettingValue">, options?: CallOptions): Promise<Named<"SettingValue">>;
  /** Remove a setting. */
  delete(key: string, options?: CallOptions): Promise<void>;
}

/** Methods that call operations, by subject. */
export interface ClientMethods {
  readonly identity: ClientIdentity;
  readonly buckets: ClientBuckets;
  readonly events: ClientEvents;
  readonly keys: ClientKeys;
  readonly sessions: ClientSessions;
  readonly pairing: ClientPairing;
  readonly extensions: ClientExtensions;
  readonly privacy: ClientPrivacy;
  readonly retention: ClientRetention;
  readonly trash: ClientTrash;
  readonly settings: ClientSettings;
}

export const CALLS: CallTable = {
  identity: {
    rename: ["POST buckets/:bucketId/rename", "JSON: undo; a list: buckets redirects", "b"],
    setHostname: ["POST buckets/:bucketId/host", "JSON: undo; a list: buckets redirects", "b"],
    renameHost: ["POST hosts/:hostname/rename", "JSON: undo; a list: buckets redirects", "b"],
    merge: ["POST buckets/:bucketId/merge", "JSON: undo; a string: into; a list: buckets redirects", "b"],
    redirects: ["GET redirects", ["a string: from to created; JSON: until"]],
    deleteRedirect: ["DELETE redirects/:redirectedId", "nothing"],
    undoable: ["GET undo", ["a string: id kind time expires; a list: from to; an integer: events"]],
    undo: ["POST undo/:undoId", "a string: id kind time expires; a list: from to; an integer: events kept"],
  },
  buckets: {
    getAccess: ["GET buckets/:bucketId/access", "a string: access", "", "access"],
    setAccess: ["PUT buckets/:bucketId/access", "a string: access", ".access", "access"],
  },
  events: {
    deleteMatching: ["POST buckets/:bucketId/events/delete", "JSON", "b"],
    deleteMatchingIn: [
      "POST events/delete",
      "an integer: count; a number: duration; JSON: first last entry; a list: buckets",
      "b?",
    ],
    split: [
      "POST buckets/:bucketId/events/:eventId/split",
      ["an integer: id; a string: timestamp; a number: duration; an object: data"],
      ".at",
    ],
    move: [
      "POST buckets/:bucketId/events/:eventId/move",
      "an integer: id; a string: timestamp; a number: duration; an object: data",
      ".bucket",
    ],
  },
  keys: {
    list: [
      "GET keys",
      ["a string: name created; a list: scopes; JSON: expires origin revoked last_used last_used_from"],
    ],
    add: [
      "POST keys",
      "a string: name created key; a list: scopes; JSON: expires origin revoked last_used last_used_from",
      "b",
    ],
    revoke: ["DELETE keys/:keyName", "nothing"],
  },
  sessions: {
    createLink: ["POST session/links", "a string: token path expires"],
    signIn: ["POST session", "a string: id secret expires", ".token"],
    current: ["GET session", "a boolean: signed_in required has_keys; JSON: id expires"],
    signOut: ["DELETE session", "nothing"],
    list: [
      "GET sessions",
      ["a string: id created last_used expires; JSON: last_used_from user_agent; a boolean: current"],
    ],
    end: ["DELETE sessions/:sessionId", "nothing"],
  },
  pairing: {
    request: ["POST pairing", "a string: code secret expires", "b"],
    collect: ["POST pairing/collect", "a string: status", ".secret"],
    list: ["GET pairing", ["a string: code kind name requested expires; a list: scopes; JSON: origin address"]],
    approve: ["POST pairing/:code/approve", "a string: kind name; a list: scopes; JSON: origin", "b?"],
    refuse: ["DELETE pairing/:code", "nothing"],
  },
  extensions: {
    list: ["GET extensions", ["a string: origin; a boolean: allowed"]],
    forget: ["DELETE extensions/:extensionOrigin", "nothing"],
  },
  privacy: {
    apply: ["POST privacy/apply", "a list: buckets", "b?"],
    preview: ["POST privacy/preview", "an integer: events dropped changed; a list: rules buckets", "b?"],
  },
  retention: {
    log: ["GET retention", ["a string: time; a list: buckets"]],
    preview: ["POST retention/preview", "a list: buckets", ".rules", "buckets"],
    run: ["POST retention/run", "a string: time; a list: buckets"],
  },
  trash: {
    list: [
      "GET trash",
      ["a string: id kind deleted expires reason; an integer: events bytes; JSON: start end; a list: buckets"],
    ],
    restore: ["POST trash/:entryId/restore", "a list: buckets", "b?", "buckets"],
    delete: ["DELETE trash/:entryId", "nothing"],
    empty: ["DELETE trash", "an integer: entries events"],
  },
  settings: {
    list: ["GET settings", "an object"],
    get: ["GET settings/:key", "JSON"],
    put: ["POST settings/:key", "JSON", "b"],
    delete: ["DELETE settings/:key", "nothing"],
  },
};
