import { readDocument } from "../codec/document.js";
import { serializeDocument } from "../codec/export.js";
import { bytesOf, type DocumentSource } from "../codec/source.js";
import type { BucketSummary } from "../domain/bucket.js";
import type { StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import type { EventRange } from "../storage/storage.js";
import type { ImportResult } from "./import.js";
import { type QueryInput, runQuery } from "./in-process-query.js";
import {
  type BucketInput,
  type BucketPatchInput,
  type EventInput,
  lengthOf,
  programParser,
  type RangeInput,
  rangeOf,
  settingOf,
} from "./input-coercion.js";
import type { ActivityService } from "./service.js";
import { checkedBucketId, checkedId, checkedNewBucketId, checkedText, invalid, shown } from "./validation.js";

/** Buckets, for the program that the server lives in. */
export interface InProcessBuckets {
  /** All of them, in the order of their creation. */
  list(): Promise<BucketSummary[]>;
  /** @throws ActivityError `NO_SUCH_BUCKET` */
  get(bucketId: string): Promise<BucketSummary>;
  /**
   * Creates a bucket, with events if some are given; their ids are ignored.
   *
   * @returns `false`, with nothing changed, when the id is taken
   * @throws ActivityError `INVALID_INPUT`, `VETOED`
   */
  create(bucketId: string, bucket: BucketInput, events?: readonly EventInput[]): Promise<boolean>;
  /** @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED` */
  update(bucketId: string, patch: BucketPatchInput): Promise<void>;
  /** Deletes a bucket with all its events. @throws ActivityError `NO_SUCH_BUCKET`, `VETOED` */
  delete(bucketId: string): Promise<void>;
}

/** Events on their way out of the storage: read once, while they are asked for. */
export interface EventReader extends AsyncIterable<StoredEvent> {
  /** The events in lists, as the storage reads them: several times faster than one by one. */
  chunks(): AsyncIterable<readonly StoredEvent[]>;
  /** All of them at once. */
  toArray(): Promise<StoredEvent[]>;
}

/** Events, for the program that the server lives in. */
export interface InProcessEvents {
  /**
   * Stores events, all or none: one without an id under a new one, one with the id of an event of this bucket in its
   * place.
   *
   * @returns what was stored, with ids, in the same order
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`
   */
  insert(bucketId: string, event: EventInput): Promise<StoredEvent>;
  insert(bucketId: string, events: readonly EventInput[]): Promise<StoredEvent[]>;
  /**
   * Reads events, newest first unless told otherwise. Never to be changed by the reader: a storage may hold the same
   * objects.
   *
   * @throws ActivityError `INVALID_INPUT` at once, `NO_SUCH_BUCKET` at the first event
   */
  read(bucketId: string, range?: RangeInput): EventReader;
  /** @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET` */
  count(bucketId: string, range?: Pick<RangeInput, "start" | "end">): Promise<number>;
  /** @throws ActivityError `NO_SUCH_BUCKET`, `NO_SUCH_EVENT` */
  get(bucketId: string, eventId: number): Promise<StoredEvent>;
  /** @returns whether there was such an event. @throws ActivityError `NO_SUCH_BUCKET`, `VETOED` */
  delete(bucketId: string, eventId: number): Promise<boolean>;
}

/** Settings, for the program that the server lives in. */
export interface InProcessSettings {
  list(): Promise<Map<string, JsonValue>>;
  /** @returns `null` for an unknown key. @throws ActivityError `INVALID_INPUT` for a key of 128 bytes or more */
  get(key: string): Promise<JsonValue>;
  /** Keeps a copy of a JSON value; `null` removes the key. @throws ActivityError `INVALID_INPUT`, `VETOED` */
  put(key: string, value: unknown): Promise<void>;
  /** @throws ActivityError `INVALID_INPUT` for a key of 128 bytes or more, `VETOED` */
  delete(key: string): Promise<void>;
}

/**
 * The verbs of the API without HTTP: the same service, rules and errors as behind the routes. Instants may be `Date`s,
 * texts or microseconds; lengths are microseconds; what comes back is in microseconds.
 */
export interface InProcess {
  readonly buckets: InProcessBuckets;
  readonly events: InProcessEvents;
  readonly settings: InProcessSettings;
  /**
   * Folds a beat into the event before it, or starts a new one (docs/compatibility.md#heartbeats).
   *
   * @param pulsetime longest gap that still counts as the same activity, in microseconds
   * @returns the event that now covers the beat
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_BUCKET`, `VETOED`
   */
  heartbeat(bucketId: string, beat: EventInput, pulsetime: Micros): Promise<StoredEvent>;
  /**
   * One bucket or all with their events, as the text of an export document in pieces (docs/api.md#export-and-import).
   *
   * @throws ActivityError `NO_SUCH_BUCKET` at the first piece
   */
  export(bucketId?: string): AsyncIterable<string>;
  /**
   * Merges an export document in (docs/api.md#export-and-import). Nothing is written before the document is read to its
   * end.
   *
   * @throws ActivityError `INVALID_INPUT`, `VETOED`
   */
  import(document: DocumentSource): Promise<ImportResult>;
  /**
   * Carries out a program of the query language (docs/query.md).
   *
   * @returns what `POST /api/0/query` answers: a value for each period, with times as texts and lengths in seconds
   * @throws ActivityError `INVALID_INPUT`, `QUERY_FAILED`, `QUERY_TOO_LARGE`
   */
  query(input: QueryInput): Promise<JsonValue[]>;
}

/** Lets a closing server wait for what is under way. */
export interface Counting {
  during<T>(work: () => Promise<T>): Promise<T>;
  whileRead<T>(items: AsyncIterable<T>): AsyncGenerator<T>;
}

/** Puts the verbs of the service into the forms of a program. */
export function createInProcess(service: ActivityService, counting: Counting): InProcess {
  const { during, whileRead } = counting;
  return {
    buckets: bucketsOf(service, counting),
    events: eventsOf(service, counting),
    settings: settingsOf(service, counting),
    heartbeat: (bucketId, beat, pulsetime) =>
      during(async () => {
        const draft = programParser.event(beat, "the heartbeat", false);
        return service.heartbeat(checkedBucketId(bucketId), draft, lengthOf(pulsetime, "pulsetime"));
      }),
    export: (bucketId) => whileRead(exported(service, bucketId)),
    query: (input) => during(() => runQuery(service, input)),
    import: (source) =>
      during(async () => {
        const limitBytes = Number.POSITIVE_INFINITY;
        return service.importDocuments(async (spool) => [await readDocument(bytesOf(source), { spool, limitBytes })]);
      }),
  };
}

async function* exported(service: ActivityService, bucketId: string | undefined): AsyncGenerator<string> {
  const buckets = await service.exportBuckets(bucketId === undefined ? undefined : checkedBucketId(bucketId));
  // Each piece holds whole events, so no character is cut in two.
  for await (const piece of serializeDocument(buckets)) yield typeof piece === "string" ? piece : decoder.decode(piece);
}

const decoder: TextDecoder = new TextDecoder();

function bucketsOf(service: ActivityService, { during }: Counting): InProcessBuckets {
  return {
    list: () => during(() => service.listBuckets()),
    get: (bucketId) => during(async () => service.getBucket(checkedBucketId(bucketId))),
    create: (bucketId, bucket, events = []) =>
      during(async () => {
        const draft = programParser.bucket(bucket, "the bucket");
        if (!Array.isArray(events)) throw invalid(`events is ${shown(events)}; a list of events is expected`);
        const drafts = events.map((event: unknown, index) => programParser.event(event, `event ${index}`, false));
        return (await service.createBucket(checkedNewBucketId(bucketId), draft, drafts)) !== undefined;
      }),
    update: (bucketId, patch) =>
      during(async () =>
        service.updateBucket(checkedBucketId(bucketId), programParser.bucketPatch(patch, "the patch")),
      ),
    // Whoever writes this call means it; the confirmation is for stray requests.
    delete: (bucketId) => during(async () => service.deleteBucket(checkedBucketId(bucketId), true)),
  };
}

function eventsOf(service: ActivityService, { during, whileRead }: Counting): InProcessEvents {
  async function insert(bucketId: string, given: EventInput | readonly EventInput[]) {
    const isList = Array.isArray(given);
    const drafts = (isList ? given : [given]).map((event: unknown, index) =>
      programParser.event(event, isList ? `event ${index}` : "the event", true),
    );
    const events = await service.insertEvents(checkedBucketId(bucketId), drafts);
    return isList ? events : events[0];
  }

  return {
    insert: ((bucketId, given) => during(() => insert(bucketId, given))) as InProcessEvents["insert"],
    read: (bucketId, range = {}) => readerOf(whileRead(chunksOf(service, checkedBucketId(bucketId), rangeOf(range)))),
    count: (bucketId, range = {}) => during(async () => service.countEvents(checkedBucketId(bucketId), rangeOf(range))),
    get: (bucketId, eventId) =>
      during(async () => service.getEvent(checkedBucketId(bucketId), checkedId(eventId, "the event"))),
    delete: (bucketId, eventId) =>
      during(async () => service.deleteEvent(checkedBucketId(bucketId), checkedId(eventId, "the event"))),
  };
}

async function* chunksOf(
  service: ActivityService,
  bucketId: string,
  range: EventRange,
): AsyncGenerator<readonly StoredEvent[]> {
  for await (const batch of (await service.readEvents(bucketId, range)).batches) yield batch.events();
}

function readerOf(chunks: AsyncGenerator<readonly StoredEvent[]>): EventReader {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const events of chunks) yield* events;
    },
    chunks: () => chunks,
    async toArray() {
      const all: StoredEvent[] = [];
      for await (const events of chunks) for (const event of events) all.push(event);
      return all;
    },
  };
}

function settingsOf(service: ActivityService, { during }: Counting): InProcessSettings {
  return {
    list: () => during(() => service.listSettings()),
    get: (key) => during(async () => service.getSetting(checkedText(key, "key of the setting"))),
    put: (key, value) =>
      during(async () => {
        await service.putSetting(checkedText(key, "key of the setting"), settingOf(value));
      }),
    delete: (key) => during(async () => service.deleteSetting(checkedText(key, "key of the setting"))),
  };
}
