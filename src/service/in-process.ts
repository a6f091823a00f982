import { decode } from "../api/codec.js";
import type { BucketsCalls, Calls, EventsCalls } from "../api/methods.js";
import { parametersSchema } from "../api/parameters.js";
import { readDocument } from "../codec/document.js";
import { type DocumentSource, readBytes } from "../codec/source.js";
import { type AcceptedEvent, type ActivityEvent, activityEvent, activityEvents } from "../domain/activity-event.js";
import type { BucketSummary } from "../domain/bucket.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import type { DurationInput, TimestampMicros } from "../domain/time.js";
import { mustBe } from "../errors.js";
import { type EventSelection, type EventSelectionInput, parseSelection } from "./event-reads.js";
import type { ImportResult } from "./import.js";
import { type AccountParts, decodePieces, serializeAccount, serializeExport } from "./in-process-account.js";
import type { InProcessExtensions, InProcessSide } from "./in-process-calls.js";
import { createInProcessFeed, type FeedMessage, type FeedOptions } from "./in-process-feed.js";
import { type QueryInput, runQuery } from "./in-process-query.js";
import { type EventReader, toReader } from "./in-process-reader.js";
import { createInProcessSearch, type SearchEvents } from "./in-process-search.js";
import { createWatchers, type Watcher, type WatcherOptions } from "./in-process-watcher.js";
import { type BucketInput, type EventInput, programParser, type RangeInput, toDuration } from "./input-coercion.js";
import { PROGRAM } from "./program-source.js";
import type { Service } from "./service.js";
import type { Deleted, DeletedEvents } from "./trash/entry.js";
import { parseBucketId, parseId, parseNewBucketId } from "./validation.js";

export interface DeletionOptions {
  /** Whether to delete permanently, skipping the trash (docs/reference/trash.md#permanent-deletion). @default false */
  readonly permanent?: boolean | undefined;
}

/** Calls for buckets in process. */
export interface InProcessBuckets extends BucketsCalls<InProcessSide> {
  /** Lists all buckets in order of creation. */
  list(): Promise<BucketSummary<TimestampMicros>[]>;
  /** @throws ActivityError `NO_SUCH_BUCKET` */
  get(bucketId: string): Promise<BucketSummary<TimestampMicros>>;
  /**
   * Creates a bucket, optionally with events, whose IDs are ignored.
   *
   * @returns `false`, with nothing changed, if the ID is taken
   * @throws ActivityError `INVALID_INPUT`, `VETOED`
   */
  create(bucketId: string, bucket: BucketInput, events?: readonly EventInput[]): Promise<boolean>;
  /**
   * Deletes a bucket with all its events. You can restore it from `trash`, unless it is deleted permanently.
   *
   * @throws ActivityError `NO_SUCH_BUCKET`, `VETOED`
   */
  delete(bucketId: string, options?: DeletionOptions): Promise<Deleted>;
}

/** Calls for events in process. `Data` is your type of their data, which is not checked. */
export interface InProcessEvents extends EventsCalls<InProcessSide> {
  /**
   * Stores events, all or none: an event without an ID gets a new one, an event with the ID of an existing one replaces
   * it.
   *
   * @returns the stored events with IDs, in the same order; events that a privacy rule dropped have no ID
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`
   */
  insert<Data extends object = JsonObject>(bucketId: string, event: EventInput<Data>): Promise<AcceptedEvent<Data>>;
  insert<Data extends object = JsonObject>(
    bucketId: string,
    events: readonly EventInput<Data>[],
  ): Promise<AcceptedEvent<Data>[]>;
  /**
   * Reads events, newest first by default. Do not change them: the storage may share the objects.
   *
   * @throws ActivityError `INVALID_INPUT` at once, `NO_SUCH_BUCKET` at the first event
   */
  read<Data extends object = JsonObject>(bucketId: string, range?: RangeInput): EventReader<Data>;
  /** @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT` */
  get<Data extends object = JsonObject>(bucketId: string, eventId: number): Promise<ActivityEvent<Data>>;
  /**
   * Deletes an event. You can restore it from `trash`, unless it is deleted permanently.
   *
   * @returns `undefined` if the event does not exist. @throws ActivityError `NO_SUCH_BUCKET`, `VETOED`
   */
  delete(bucketId: string, eventId: number, options?: DeletionOptions): Promise<Deleted | undefined>;
  /**
   * Deletes the events of a bucket with the given IDs, in one step.
   *
   * @returns the number of deleted events, and the trash entry that restores them
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`
   */
  deleteMany(bucketId: string, eventIds: readonly number[], options?: DeletionOptions): Promise<DeletedEvents>;
}

/**
 * The methods of the API without HTTP, with the same service, rules and errors as the routes. Timestamps may be
 * `Date`s, strings or microseconds; durations have their unit; results are in microseconds.
 */
export interface InProcessApi extends Calls<InProcessSide> {
  readonly buckets: InProcessBuckets;
  readonly events: InProcessEvents;
  /** Browser extensions that were allowed or refused (docs/explanation/security.md#browser-extensions). */
  readonly extensions: InProcessExtensions;
  /**
   * Merges a heartbeat into the previous event, or starts a new one (docs/reference/compatibility.md#heartbeats).
   *
   * @param pulsetime longest gap that still belongs to the same activity, with its unit: `"60s"`, `{ seconds: 60 }`
   * @returns the event that now covers the heartbeat; the heartbeat with `id: null` if a privacy rule dropped it
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`
   */
  heartbeat<Data extends object = JsonObject>(
    bucketId: string,
    beat: EventInput<Data>,
    pulsetime: DurationInput,
  ): Promise<AcceptedEvent<Data>>;
  /** Creates a watcher, which creates its bucket whenever that is missing. @throws ActivityError `INVALID_INPUT` */
  watcher<Data extends object = JsonObject>(options: WatcherOptions): Watcher<Data>;
  /**
   * Exports one bucket or all of them with their events, as pieces of an export document
   * (docs/reference/api.md#export-and-import).
   *
   * @throws ActivityError `NO_SUCH_BUCKET` at the first piece
   */
  export(bucketId?: string): AsyncIterable<string>;
  /**
   * All data of a person as a JSON document in pieces: buckets with events, trash, settings, keys without secrets and
   * all else that the server keeps (docs/guides/closing-an-account.md#the-document). `import` takes its buckets.
   */
  exportAll(): AsyncIterable<string>;
  /**
   * Imports an export document (docs/reference/api.md#export-and-import). Writes nothing before the document was read
   * completely.
   *
   * @throws ActivityError `INVALID_INPUT`, `VETOED`
   */
  import(document: DocumentSource): Promise<ImportResult>;
  /**
   * Searches the events of all buckets (docs/guides/search.md), in microseconds: yields rows while it runs. With
   * `group` it counts them.
   *
   * @throws ActivityError `INVALID_INPUT` at once or with the first row, `QUERY_TOO_LARGE`
   */
  readonly search: SearchEvents;
  /**
   * Follows the changes of stored data (docs/guides/feed.md): the first message is a `reset`, after which you read what
   * you need. Ends when you leave the loop, and when the server closes.
   *
   * @throws ActivityError `INVALID_INPUT`, `BUSY`, `STORAGE_CLOSED` at the first message
   */
  feed(options?: FeedOptions): AsyncIterable<FeedMessage>;
  /**
   * Runs a query (docs/reference/query.md).
   *
   * @returns the response of `POST /api/0/query`: a value for each period, with times as strings and durations in
   * seconds
   * @throws ActivityError `INVALID_INPUT`, `QUERY_FAILED`, `QUERY_TOO_LARGE`
   */
  query<Result = JsonValue>(input: QueryInput): Promise<Result[]>;
}

/** Makes a closing server wait for work in progress. */
export interface WorkTracker {
  during<T>(work: () => Promise<T>): Promise<T>;
  whileRead<T>(items: AsyncIterable<T>): AsyncGenerator<T>;
}

/** Adds the methods to `calls` that convert their arguments and results by hand. */
export function createInProcess(
  calls: Calls<InProcessSide> & Pick<InProcessApi, "extensions">,
  { service, storage, clock }: Omit<AccountParts, "calls">,
  counting: WorkTracker,
): InProcessApi {
  const { during, whileRead } = counting;
  const watched = {
    buckets: createBucketCalls(service, counting, calls.buckets),
    events: createEventCalls(service, counting, calls.events),
    heartbeat: <Data extends object>(bucketId: string, beat: EventInput<Data>, pulsetime: DurationInput) =>
      during(async () => {
        const draft = programParser.event(beat, "the heartbeat", false);
        const pulsetimeMicros = toDuration(pulsetime, "pulsetime");
        return activityEvent<Data>(await service.heartbeat(parseBucketId(bucketId), draft, pulsetimeMicros));
      }),
  };
  return {
    watcher: createWatchers(watched, service.clock),
    export: (bucketId) => ({ [Symbol.asyncIterator]: () => whileRead(serializeExport(service, bucketId)) }),
    exportAll: () => whileRead(decodePieces(serializeAccount({ calls, service, storage, clock }))),
    search: createInProcessSearch(service, counting),
    feed: createInProcessFeed(service),
    query: <Result>(input: QueryInput) => during(() => runQuery<Result>(service, input)),
    import: (source) =>
      during(async () => {
        const limitBytes = Number.POSITIVE_INFINITY;
        return service.importDocuments(async (spool) => [await readDocument(readBytes(source), { spool, limitBytes })]);
      }),
    ...calls,
    ...watched,
  };
}

type Summary = BucketSummary<TimestampMicros>;

function createBucketCalls(
  service: Service,
  { during }: WorkTracker,
  calls: BucketsCalls<InProcessSide>,
): InProcessBuckets {
  return {
    list: () => during(() => service.visible.listBuckets() as Promise<Summary[]>),
    get: (bucketId) => during(async () => (await service.visible.getBucket(parseBucketId(bucketId))) as Summary),
    create: (bucketId, bucket, events = []) =>
      during(async () => {
        const draft = programParser.bucket(bucket, "the bucket");
        if (!Array.isArray(events)) throw mustBe("events", "a list of events", events);
        const drafts = events.map((event: unknown, index) => programParser.event(event, `event ${index}`, false));
        const write = { kind: "createBucket", bucketId: parseNewBucketId(bucketId), bucket: draft, drafts } as const;
        return (await service.execute(write)) !== undefined;
      }),
    // A call in process is intended; the confirmation is for stray requests.
    delete: (bucketId, { permanent } = {}) =>
      during(async () => {
        const options = { isConfirmed: true, isPermanent: permanent === true };
        return service.execute({ kind: "deleteBucket", bucketId: parseBucketId(bucketId), ...options });
      }),
    ...calls,
  };
}

function createEventCalls(service: Service, counting: WorkTracker, calls: EventsCalls<InProcessSide>): InProcessEvents {
  const { during, whileRead } = counting;
  async function insert(bucketId: string, given: EventInput | readonly EventInput[]) {
    const isList = Array.isArray(given);
    const drafts = (isList ? given : [given]).map((event: unknown, index) =>
      programParser.event(event, isList ? `event ${index}` : "the event", true),
    );
    const events = await service.execute({ kind: "insertEvents", bucketId: parseBucketId(bucketId), drafts });
    return isList ? events : events[0];
  }

  return {
    insert: ((bucketId, given) => during(() => insert(bucketId, given))) as InProcessEvents["insert"],
    read: <Data extends object>(bucketId: string, range: RangeInput = {}) => {
      const selection = parseSelection(decode(READ, range, "", PROGRAM) as EventSelectionInput);
      const id = parseBucketId(bucketId);
      return toReader<Data>(() => whileRead(readChunks(service, id, selection)));
    },
    get: <Data extends object>(bucketId: string, eventId: number) =>
      during(async () =>
        activityEvent<Data>(await service.visible.getEvent(parseBucketId(bucketId), parseId(eventId, "the event"))),
      ),
    delete: (bucketId, eventId, { permanent } = {}) =>
      during(async () => {
        const place = { bucketId: parseBucketId(bucketId), eventId: parseId(eventId, "the event") };
        return service.execute({ kind: "deleteEvent", ...place, isPermanent: permanent === true });
      }),
    deleteMany: (bucketId, eventIds, { permanent } = {}) =>
      during(async () => {
        const ids = eventIds.map((eventId, index) => parseId(eventId, `event ${index}`));
        const place = { bucketId: parseBucketId(bucketId), eventIds: ids };
        return service.execute({ kind: "deleteEvents", ...place, isPermanent: permanent === true });
      }),
    ...calls,
  };
}

const READ = parametersSchema(["start", "end", "limit", "order", "offset", "filter"], "query");

async function* readChunks<Data extends object>(
  service: Service,
  bucketId: string,
  range: EventSelection,
): AsyncGenerator<readonly ActivityEvent<Data>[]> {
  for await (const batch of (await service.visible.readEvents(bucketId, range)).batches)
    yield activityEvents(batch.events());
}
