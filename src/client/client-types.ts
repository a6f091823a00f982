import type { SentOf } from "../api/codec.js";
import type { Named } from "../api/schemas.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import type { ClientBuckets as BucketMethods, ClientMethods } from "./calls.js";
import type { ClientDeleted, ClientEditing, DeletionCallOptions } from "./care-types.js";
import type { ClientTables } from "./read-types.js";
import type {
  ClientGroupedSearch,
  ClientSearch,
  ClientSearchEvent,
  ClientSearchGroup,
  ClientSearchRows,
} from "./search-types.js";

/** An instant on its way to the server: a `Date`, or a text such as `2024-03-01T10:00:00.5Z`; without a zone UTC. */
export type Instant = Date | string;

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call, which then rejects with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the whole response in milliseconds; `Infinity` = no limit. @default that of the client */
  readonly timeoutMillis?: number | undefined;
  /** Further tries of a read that fails; writes and queries are sent once. @default that of the client */
  readonly retries?: number | undefined;
}

/** An event, as it is sent; `duration` in seconds. Heartbeats ignore its `id`. */
export interface NewEvent<Data extends object = JsonObject> extends Omit<Named<"EventInput">, "timestamp" | "data"> {
  readonly timestamp: Instant;
  readonly data?: Data;
}

/** An event, as it comes back: `timestamp` is a text in UTC, `duration` seconds, exact to the microsecond. */
export interface ClientEvent<Data extends object = JsonObject> extends Omit<Named<"Event">, "data"> {
  readonly data: Data;
}

/** What became of an event: as it is stored, or with `id: null` where a privacy rule of the server dropped it. */
export interface AcceptedClientEvent<Data extends object = JsonObject> extends Omit<ClientEvent<Data>, "id"> {
  readonly id: number | null;
}

/** What a bucket is created from. The hostname `!local` becomes that of the server. */
export interface NewBucket extends Omit<Named<"BucketCreation">, "created" | "events"> {}

/** The same with what copies of buckets bring along: their time, and events whose ids are ignored. */
export interface NewFilledBucket extends NewBucket {
  readonly created?: Instant | null;
  readonly events?: readonly NewEvent<object>[] | null;
}

/** Fields of a bucket to change; what is absent or null stays. */
export type BucketChanges = SentOf<"BucketPatch">;

/** A bucket, as it comes back. Times are texts in UTC. */
export type ClientBucket = Named<"Bucket">;

/** Which server this is. */
export type ServerInfo = Named<"Info">;

/** What may be done with a bucket by those who have no admin key. */
export type ClientBucketAccess = Named<"BucketAccess">["access"];

/** What is known of a key. Times are texts in UTC. */
export type ClientKey = Named<"Key">;

/** A key that was just made: `key` is told this once. */
export type NewClientKey = Named<"NewKey">;

/** A key to be made. */
export type ClientKeyCreation = SentOf<"KeyCreation">;

/** By which somebody signs in once, at `path` below the server. */
export type SignInLink = Named<"SignInLink">;

/** A session that was just begun: `secret` is told this once. */
export type NewClientSession = Named<"NewSession">;

/** Whether the page is signed in, and whether it has to be. */
export type ClientSessionState = Named<"SessionState">;

/** What is known of a session. Times are texts in UTC. */
export type ClientSession = Named<"Session">;

/** A key to ask for: its name, and what it is to open. */
export type ClientPairingRequest = Named<"PairingRequest">;

/** A question that waits for the owner: `code` to be shown, `secret` to collect the key with. */
export type NewClientPairing = Named<"NewPairing">;

/** What the owner has answered so far; the key with `approved`. */
export type ClientPairingOutcome = Named<"PairingOutcome">;

/** Who waits for an answer of the owner. */
export type ClientPairingQuestion = Named<"PairingQuestion">;

/** What the owner changes about what was asked for. */
export type ClientPairingChanges = Named<"PairingChanges">;

/** What was approved. */
export type ClientPairingApproval = Named<"PairingApproval">;

/** What was decided about a browser extension. */
export type ClientExtension = Named<"Extension">;

/** A program and the periods to carry it out over. */
export interface ClientQuery {
  /** `"start/end"` texts, or objects. */
  readonly timeperiods: readonly (string | { readonly start: Instant; readonly end: Instant })[];
  /** The text of the program, or its lines. */
  readonly query: string | readonly string[];
  /** What the variable NAME holds. @default "" */
  readonly name?: string | undefined;
}

/** Buckets with their events, newest first and without ids, by bucket id. */
export type ExportDocument = Named<"ExportDocument">;

/** What an import takes: an export document, of this server or of one that it is compatible with. */
export type ImportDocument = Named<"ImportDocument">;

/** What an import did. */
export type ImportCounts = Named<"ImportCounts">;

/** Buckets of a server. */
export interface ClientBuckets extends BucketMethods, ClientTables {
  /**
   * Creates a bucket unless it is there; a second call does no harm.
   *
   * @returns whether it was created; one that is there stays as it is
   */
  create(bucketId: string, bucket: NewFilledBucket, options?: CallOptions): Promise<boolean>;
  /** Deletes a bucket with all its events; whoever writes this call means it, so it brings the confirmation along. */
  delete(bucketId: string, options?: DeletionCallOptions): Promise<ClientDeleted>;
  /** The text of an export while it arrives; `timeoutMillis` is the longest wait for each chunk. */
  exportText(bucketId: string, options?: CallOptions): AsyncIterable<string>;
}

/** Events of a server. `Data` is what the caller knows of their data; nobody checks it. */
export interface ClientEvents extends ClientEditing {
  /** Stores events, all or none. @returns what was stored, with ids, in the same order */
  insert<Data extends object = JsonObject>(
    bucketId: string,
    event: NewEvent<Data>,
    options?: CallOptions,
  ): Promise<AcceptedClientEvent<Data>>;
  insert<Data extends object = JsonObject>(
    bucketId: string,
    events: readonly NewEvent<Data>[],
    options?: CallOptions,
  ): Promise<AcceptedClientEvent<Data>[]>;
}

/**
 * Calls a server: a method for each route. What comes back has the form of the wire, times as texts and lengths in
 * seconds. Every call rejects with an `ActivityClientError`, and with nothing else.
 */
export interface ActivityClient extends ClientMethods {
  readonly buckets: ClientBuckets;
  readonly events: ClientEvents;
  /**
   * Merges a beat into the event before it, or starts a new one.
   *
   * @param pulsetime longest gap that still counts as the same activity, in seconds
   * @returns the event that now covers the beat
   */
  heartbeat<Data extends object = JsonObject>(
    bucketId: string,
    event: NewEvent<Data>,
    pulsetime: number,
    options?: CallOptions,
  ): Promise<AcceptedClientEvent<Data>>;
  /**
   * Carries a program out over periods.
   *
   * @returns a value for each period, in their order
   */
  query<Result = JsonValue>(query: ClientQuery, options?: CallOptions): Promise<Result[]>;
  /**
   * Searches the events of all buckets (docs/search.md): rows come as they are found. With `group` they are counts.
   * `timeoutMillis` is the longest wait for each chunk.
   */
  search(search: ClientGroupedSearch, options?: CallOptions): ClientSearchRows<ClientSearchGroup>;
  search(search: ClientSearch, options?: CallOptions): ClientSearchRows<ClientSearchEvent>;
  /** The text of an export while it arrives; `timeoutMillis` is the longest wait for each chunk. */
  exportText(options?: CallOptions): AsyncIterable<string>;
  /** Merges a document in: a value, or its text as it is. The same import twice adds nothing. */
  import(document: ImportDocument | string | Blob, options?: CallOptions): Promise<ImportCounts>;
}
