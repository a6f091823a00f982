import type { QuerySent } from "../api/calls.js";
import type { SentOf } from "../api/codec.js";
import type { Named } from "../api/schemas.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import type { ClientBuckets as BucketMethods, ClientMethods, ClientEvents as EventMethods } from "./calls.js";
import type {
  ClientSearchEvent,
  ClientSearchGroup,
  ClientSearchSummary,
  ImportCounts,
  ImportDocument,
} from "./index.js";

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
export interface NewEvent<Data extends object = JsonObject> extends Omit<SentOf<"EventInput">, "timestamp" | "data"> {
  readonly timestamp: Instant;
  readonly data?: Data | undefined;
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
export interface NewBucket extends Omit<SentOf<"BucketCreation">, "created" | "events"> {}

/** The same with what copies of buckets bring along: their time, and events whose ids are ignored. */
export interface NewFilledBucket extends NewBucket {
  readonly created?: Instant | null | undefined;
  readonly events?: readonly NewEvent<object>[] | null | undefined;
}

/** A program and the periods to carry it out over. */
export interface ClientQuery {
  /** `"start/end"` texts, or objects. */
  readonly timeperiods: readonly (string | { readonly start: Instant; readonly end: Instant })[];
  /** The text of the program, or its lines. */
  readonly query: string | readonly string[];
  /** What the variable NAME holds. @default "" */
  readonly name?: string | undefined;
  /** JSON values of variables by name. Never build a program out of values that users enter: pass them here. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** Part of the time; both ends are included. */
export type ClientRange = Pick<ClientEventRange, "start" | "end">;

/** Which events to read: at most `limit`, all by default, after the first `offset`, that meet all terms of `filter`. */
export type ClientEventRange = QuerySent<"start" | "end" | "limit" | "offset" | "filter">;

/** Events as tables. */
export interface ClientTables {
  /** A bucket's events as CSV, newest first, in chunks of text while it arrives. */
  exportCsv(bucketId: string, range?: ClientEventRange, options?: CallOptions): AsyncIterable<string>;
}

/** What to draw, in at most `bins`, or as many events; 1000 by default. */
export type ClientTimelineRange = QuerySent<"start" | "end" | "bins">;

/** What to search (docs/search.md). */
export type ClientSearch = QuerySent<
  "start" | "end" | "filter" | "host" | "bucket" | "numbers" | "limit" | "order" | "active" | "time_zone" | "day_start"
>;

/** The same, counted: by `day`, by `category`, or by the value of a key. */
export interface ClientGroupedSearch extends ClientSearch {
  readonly group: string;
}

/** What is found, while it is found. Iterating again searches again. */
export interface ClientSearchRows<Row> extends AsyncIterable<Row> {
  /** Of the last iteration, after its last row; without one, reads all rows. */
  summary(): Promise<ClientSearchSummary>;
}

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
