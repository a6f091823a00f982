import type { QuerySent } from "../api/calls.js";
import type { SentOf } from "../api/codec.js";
import type { Sent, Wire } from "../api/schema.js";
import type { Named } from "../api/schemas.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import type { ClientBuckets as BucketCalls, ClientCalls, ClientEvents as EventCalls } from "./calls.js";
import type {
  ClientSearchEvent,
  ClientSearchGroup,
  ClientSearchSummary,
  ImportCounts,
  ImportDocument,
} from "./index.js";

/** A timestamp for the server: a `Date`, or a string such as `2024-03-01T10:00:00.5Z`. Without a zone it is UTC. */
export type Instant = Date | string;

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call, which then rejects with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the whole response in milliseconds; `Infinity` = no limit. @default the client's setting */
  readonly timeoutMillis?: number | undefined;
  /** Retries of a failed read. Writes and queries are sent once. @default the client's setting */
  readonly retries?: number | undefined;
}

/** The client's side of a call: JSON, with `Date`s among its arguments. */
export interface ClientSide {
  readonly input: Sent;
  readonly output: Wire;
  readonly options: readonly [options?: CallOptions];
}

/** An event to send, with `duration` in seconds. Heartbeats ignore its `id`. */
export interface NewEvent<Data extends object = JsonObject> extends Omit<SentOf<"EventInput">, "timestamp" | "data"> {
  readonly timestamp: Instant;
  readonly data?: Data | undefined;
}

/** A received event: `timestamp` is a string in UTC, `duration` is in seconds, exact to the microsecond. */
export interface ClientEvent<Data extends object = JsonObject> extends Omit<Named<"Event">, "data"> {
  readonly data: Data;
}

/** A stored event, or one with `id: null` if a privacy rule of the server dropped it. */
export interface AcceptedClientEvent<Data extends object = JsonObject> extends Omit<ClientEvent<Data>, "id"> {
  readonly id: number | null;
}

/** Fields of a new bucket. The hostname `!local` becomes the server's hostname. */
export interface NewBucket extends Omit<SentOf<"BucketCreation">, "created" | "events"> {}

/** Fields of a copied bucket, with its creation time, and events whose IDs are ignored. */
export interface NewFilledBucket extends NewBucket {
  readonly created?: Instant | null | undefined;
  readonly events?: readonly NewEvent<object>[] | null | undefined;
}

/** A program and the periods to run it over. */
export interface ClientQuery {
  /** `"start/end"` strings, or objects. */
  readonly timeperiods: readonly (string | { readonly start: Instant; readonly end: Instant })[];
  /** The program as a string, or its lines. */
  readonly query: string | readonly string[];
  /** Value of the variable NAME. @default "" */
  readonly name?: string | undefined;
  /** JSON values of variables by name. Never build a program from user input: pass the values here. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** A time range, including both ends. */
export type ClientRange = Pick<ClientEventRange, "start" | "end">;

/**
 * The events to read: at most `limit` (by default all), after the first `offset`, that match all conditions of
 * `filter`.
 */
export type ClientEventRange = QuerySent<"start" | "end" | "limit" | "offset" | "filter">;

/** Events as tables. */
export interface ClientTables {
  /** A bucket's events as CSV, newest first, in chunks as they arrive. */
  exportCsv(bucketId: string, range?: ClientEventRange, options?: CallOptions): AsyncIterable<string>;
}

/** The range to draw, in at most `bins` bins or events; 1000 by default. */
export type ClientTimelineRange = QuerySent<"start" | "end" | "bins">;

/** A search (docs/guides/search.md). */
export type ClientSearch = QuerySent<
  "start" | "end" | "filter" | "host" | "bucket" | "numbers" | "limit" | "order" | "active" | "time_zone" | "day_start"
>;

/** A search that counts results: by `day`, by `category`, or by the value of a key. */
export interface ClientGroupedSearch extends ClientSearch {
  readonly group: string;
}

/** Search results as they are found. Each iteration searches again. */
export interface ClientSearchRows<Row> extends AsyncIterable<Row> {
  /** The summary of the last iteration, after its last row; without an iteration, reads all rows. */
  summary(): Promise<ClientSearchSummary>;
}

/** The followed buckets, and the cursor of the last message that you have. */
type ClientFeedPlace = QuerySent<"buckets" | "after">;

/** What to follow (docs/guides/feed.md). */
export interface ClientFeedRequest extends ClientFeedPlace {
  /** @default all types */
  readonly types?: readonly ("events" | "bucket" | "setting" | "pairing")[] | undefined;
}

/** A message of the feed, with the cursor after it. */
export type ClientFeedMessage = Exclude<Named<"FeedMessage">, { readonly type: "bye" }> & { readonly cursor: string };

export interface DeletionCallOptions extends CallOptions {
  /** Deletes permanently, skipping the trash. @default false */
  readonly permanent?: boolean | undefined;
}

/** The result of a deletion. */
export interface ClientDeleted {
  /** The trash entry that undoes it; `null` if there is none, or the caller may not use it. */
  readonly entry: string | null;
}

/** The result of deleting several events. */
export interface ClientDeletedEvents extends ClientDeleted {
  readonly count: number;
}

/** Changes of existing events. */
export interface ClientEditing extends EventCalls {
  /** @returns `undefined` if there was no such event */
  delete(bucketId: string, eventId: number, options?: DeletionCallOptions): Promise<ClientDeleted | undefined>;
  /** Deletes a bucket's events with the given IDs, in one step. @returns how many existed */
  deleteMany(
    bucketId: string,
    eventIds: readonly number[],
    options?: DeletionCallOptions,
  ): Promise<ClientDeletedEvents>;
}

/** Buckets of a server. */
export interface ClientBuckets extends BucketCalls, ClientTables {
  /**
   * Creates a bucket unless it exists. You can call it again.
   *
   * @returns whether it was created; an existing one stays unchanged
   */
  create(bucketId: string, bucket: NewFilledBucket, options?: CallOptions): Promise<boolean>;
  /** Deletes a bucket with all its events. The call includes the confirmation that the server requires. */
  delete(bucketId: string, options?: DeletionCallOptions): Promise<ClientDeleted>;
  /** An export as strings while it arrives; `timeoutMillis` is the longest wait for each chunk. */
  exportText(bucketId: string, options?: CallOptions): AsyncIterable<string>;
}

/** Events of a server. `Data` is the type that you expect of their data; it is not validated. */
export interface ClientEvents extends ClientEditing {
  /** Stores events, all or none. @returns the stored events with IDs, in the same order */
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
 * Calls a server: one method per route. Results have the form of the wire, with times as strings and durations in
 * seconds. Every failed call rejects with an `ActivityClientError`. Its `serverCode` is one of those after `@throws`,
 * or one that all calls have, such as `UNAUTHORIZED` and `FORBIDDEN` (docs/reference/errors.md).
 */
export interface ActivityClient extends ClientCalls {
  readonly buckets: ClientBuckets;
  readonly events: ClientEvents;
  /**
   * Merges a heartbeat into the previous event, or starts a new one.
   *
   * @param pulsetime longest gap within the same activity, in seconds
   * @returns the event that now covers the heartbeat
   */
  heartbeat<Data extends object = JsonObject>(
    bucketId: string,
    event: NewEvent<Data>,
    pulsetime: number,
    options?: CallOptions,
  ): Promise<AcceptedClientEvent<Data>>;
  /** Runs a program over periods. @returns a value for each period, in order */
  query<Result = JsonValue>(query: ClientQuery, options?: CallOptions): Promise<Result[]>;
  /**
   * Searches the events of all buckets (docs/guides/search.md). Rows arrive as they are found. With `group` they are
   * counts. `timeoutMillis` is the longest wait for each chunk.
   */
  search(search: ClientGroupedSearch, options?: CallOptions): ClientSearchRows<ClientSearchGroup>;
  search(search: ClientSearch, options?: CallOptions): ClientSearchRows<ClientSearchEvent>;
  /**
   * Follows the changes of stored data (docs/guides/feed.md). Connects again after each failure that may pass, and
   * continues after the last message. Ends when you leave the loop, or throws `ABORTED` by `signal`. `timeoutMillis` is
   * the longest wait for each chunk; the server sends one every 15 seconds.
   */
  feed(request?: ClientFeedRequest, options?: CallOptions): AsyncIterable<ClientFeedMessage>;
  /** An export as strings while it arrives; `timeoutMillis` is the longest wait for each chunk. */
  exportText(options?: CallOptions): AsyncIterable<string>;
  /** Imports a document: a value, or its JSON string. Importing it again adds nothing. */
  import(document: ImportDocument | string | Blob, options?: CallOptions): Promise<ImportCounts>;
}
