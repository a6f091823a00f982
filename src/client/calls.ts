// Written by scripts/methods.mjs out of the operations (src/api).
import type { Arg, QueryArg, Result } from "../api/calls.js";
import type {
  BucketsCalls,
  Calls,
  EventsCalls,
  ExtensionsCalls,
  IdentityCalls,
  KeysCalls,
  PairingCalls,
  PrivacyCalls,
  RetentionCalls,
  SessionsCalls,
  SettingsCalls,
  TrashCalls,
} from "../api/methods.js";
import type { JsonObject } from "../domain/json.js";
import type { CallOptions, ClientEvent, ClientSide } from "./client-types.js";

/** Renaming and merging of buckets and hosts, redirects and undo. */
export type ClientIdentity = IdentityCalls<ClientSide>;
/** Keys of the API and their rights. */
export type ClientKeys = KeysCalls<ClientSide>;
/** Requests for a key by programs, phones and browser extensions. */
export type ClientExtensions = ExtensionsCalls<ClientSide>;
/** Rules that keep private data out of the storage. */
export type ClientPrivacy = PrivacyCalls<ClientSide>;
/** Rules for old events. */
export type ClientRetention = RetentionCalls<ClientSide>;
/** Deleted data, which you can restore. */
export type ClientTrash = TrashCalls<ClientSide>;
/** JSON values by key, for user interfaces. */
export type ClientSettings = SettingsCalls<ClientSide>;

/** Containers of events, one for each client, type and hostname. */
export interface ClientBuckets extends BucketsCalls<ClientSide> {
  /** List all buckets. */
  list(options?: CallOptions): Promise<Result<"Buckets", ClientSide>>;
  /** Get a bucket. @throws `NO_SUCH_BUCKET` */
  get(bucketId: string, options?: CallOptions): Promise<Result<"Bucket", ClientSide>>;
  /** Export a bucket with its events. @throws `NO_SUCH_BUCKET` */
  export(bucketId: string, options?: CallOptions): Promise<Result<"ExportDocument", ClientSide>>;
}

/** Activities with their time and data. */
export interface ClientEvents extends EventsCalls<ClientSide> {
  /** Read events, newest first. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `QUERY_TOO_LARGE` */
  list<Data extends object = JsonObject>(
    bucketId: string,
    query?: QueryArg<"start" | "end" | "limit" | "offset" | "filter", ClientSide>,
    options?: CallOptions,
  ): Promise<ClientEvent<Data>[]>;
  /** Get an event. @throws `NO_SUCH_BUCKET`, `NO_SUCH_EVENT` */
  get<Data extends object = JsonObject>(
    bucketId: string,
    eventId: number,
    options?: CallOptions,
  ): Promise<ClientEvent<Data>>;
  /** Read events or bins to draw. @throws `INVALID_INPUT`, `NO_SUCH_BUCKET`, `QUERY_TOO_LARGE` */
  timeline(
    bucketId: string,
    query?: QueryArg<"start" | "end" | "bins", ClientSide>,
    options?: CallOptions,
  ): Promise<Result<"Timeline", ClientSide>>;
}

/** Sign-in to the server's own pages. */
export interface ClientSessions extends SessionsCalls<ClientSide> {
  /** Sign in with a link's token. @throws `INVALID_INPUT` */
  signIn(token: Arg<"SignIn", ClientSide, "token">, options?: CallOptions): Promise<Result<"NewSession", ClientSide>>;
  /** Show the current session. */
  current(options?: CallOptions): Promise<Result<"SessionState", ClientSide>>;
  /** Sign out. */
  signOut(options?: CallOptions): Promise<void>;
}

/** Requests for a key by programs, phones and browser extensions. */
export interface ClientPairing extends PairingCalls<ClientSide> {
  /** Request a key. @throws `INVALID_INPUT`, `TOO_MANY_REQUESTS` */
  request(body: Arg<"PairingRequest", ClientSide>, options?: CallOptions): Promise<Result<"NewPairing", ClientSide>>;
  /** Collect a requested key. @throws `INVALID_INPUT`, `NO_SUCH_PAIRING` */
  collect(
    secret: Arg<"PairingSecret", ClientSide, "secret">,
    options?: CallOptions,
  ): Promise<Result<"PairingOutcome", ClientSide>>;
}

/** Methods that call operations, by subject. */
export interface ClientCalls extends Calls<ClientSide> {
  readonly buckets: ClientBuckets;
  readonly events: ClientEvents;
  readonly sessions: ClientSessions;
  readonly pairing: ClientPairing;
  /** Export all buckets with their events. */
  export(options?: CallOptions): Promise<Result<"ExportDocument", ClientSide>>;
  /** Show the server's health. @throws `INVALID_INPUT` */
  health(options?: CallOptions): Promise<Result<"Health", ClientSide>>;
}
