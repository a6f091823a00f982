import { type ClientEventRange, type ClientOptions, createClient } from "../../src/client/index.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { parseTimestamp, serializeTimestamp } from "../../src/domain/time.js";
import { type ActivityServer, micros, type RangeInput } from "../../src/index.js";
import { toWire, type WireEvent } from "../../src/testing/index.js";
import { textOf } from "../client/failure-of.js";

/** What to read. Times in microseconds. */
export interface ReadRange {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** One way to use a server. All times in microseconds. */
export interface Door {
  create(bucketId: string): Promise<void>;
  drop(bucketId: string): Promise<void>;
  insert(bucketId: string, drafts: readonly EventDraft[]): Promise<readonly StoredEvent[]>;
  heartbeat(bucketId: string, beat: EventDraft, pulseMicros: number): Promise<StoredEvent>;
  get(bucketId: string, eventId: number): Promise<StoredEvent>;
  /** Resolves whether there was such an event. */
  delete(bucketId: string, eventId: number): Promise<boolean>;
  /** Deletes what overlaps a range. Resolves how many events there were. */
  deleteRange(bucketId: string, start: number, end: number): Promise<number>;
  /** Merges one bucket into another one; all events stay as they are. */
  merge(bucketId: string, from: string): Promise<void>;
  /** @param document an export document. Resolves how many events were new. */
  import(document: object): Promise<number>;
  /** The events of each bucket in an export, newest first. Without ids. */
  export(): Promise<ReadonlyMap<string, readonly EventDraft[]>>;
  /** Newest first, cut to the range. */
  read(bucketId: string, range: ReadRange): Promise<readonly StoredEvent[]>;
  count(bucketId: string, range: ReadRange): Promise<number>;
}

const RECORD = { type: "currentwindow", client: "model", hostname: "desk" };

/** The methods of a server in the same process. */
export function inProcess(server: ActivityServer): Door {
  return {
    async create(bucketId) {
      await server.buckets.create(bucketId, RECORD);
    },
    async drop(bucketId) {
      await server.buckets.delete(bucketId);
    },
    insert: async (bucketId, drafts) => (await server.events.insert(bucketId, drafts as never)) as never,
    heartbeat: async (bucketId, beat, micros) =>
      (await server.heartbeat(bucketId, beat as never, { micros })) as StoredEvent,
    get: async (bucketId, eventId) => (await server.events.get(bucketId, eventId)) as StoredEvent,
    delete: async (bucketId, eventId) => (await server.events.delete(bucketId, eventId)) !== undefined,
    deleteRange: async (bucketId, start, end) =>
      (await server.events.deleteMatching(bucketId, { start: micros(start), end: micros(end) })).count,
    async merge(bucketId, from) {
      await server.identity.merge(bucketId, { from: [from], overlaps: "keep-both", redirect: false });
    },
    import: async (document) => (await server.import(document as never)).eventsImported,
    export: async () => exportedIn(JSON.parse(await textOf(server.export()))),
    read: async (bucketId, range) => (await server.events.read(bucketId, rangeOf(range)).toArray()) as StoredEvent[],
    count(bucketId, range) {
      const { start, end } = rangeOf(range);
      return server.events.count(bucketId, { start, end });
    },
  };
}

/** The range, in whose types microseconds show. */
function rangeOf({ start, end, limit, offset }: ReadRange): RangeInput {
  const times = [start, end].map((time) => (time === undefined ? time : micros(time)));
  return { start: times[0], end: times[1], limit, offset };
}

/** The REST interface, by its client. */
export function overHttp(options: Pick<ClientOptions, "url" | "fetch">): Door {
  // Whoever plays has a limit for a step.
  const client = createClient({ ...options, timeoutMillis: Number.POSITIVE_INFINITY });
  return {
    async create(bucketId) {
      await client.buckets.create(bucketId, RECORD);
    },
    async drop(bucketId) {
      await client.buckets.delete(bucketId);
    },
    insert: async (bucketId, drafts) => (await client.events.insert(bucketId, drafts.map(toWire))).map(ofWire),
    heartbeat: async (bucketId, beat, micros) => ofWire(await client.heartbeat(bucketId, toWire(beat), micros / 1e6)),
    get: async (bucketId, eventId) => ofWire(await client.events.get(bucketId, eventId)),
    delete: async (bucketId, eventId) =>
      (await client.events.delete(bucketId, eventId, { permanent: true })) !== undefined,
    deleteRange: async (bucketId, start, end) =>
      (await client.events.deleteMatching(bucketId, wireRangeOf({ start, end }))).count,
    async merge(bucketId, from) {
      await client.identity.merge(bucketId, { from: [from], overlaps: "keep-both", redirect: false });
    },
    import: async (document) => (await client.import(document as never)).events_imported,
    export: async () => exportedIn(await client.export()),
    read: async (bucketId, range) => (await client.events.list(bucketId, wireRangeOf(range))).map(ofWire),
    count: async (bucketId, { start, end }) => client.events.count(bucketId, wireRangeOf({ start, end })),
  };
}

function wireRangeOf({ start, end, ...page }: ReadRange): ClientEventRange {
  const times = [start, end].map((time) => (time === undefined ? time : serializeTimestamp(time)));
  return { start: times[0], end: times[1], ...page };
}

type Received = Omit<WireEvent, "id"> & { readonly id?: number | null };

interface ExportDocument {
  readonly buckets: Readonly<Record<string, { readonly events: readonly Received[] }>>;
}

function ofWire({ id, timestamp, duration, data }: Received): StoredEvent {
  const micros = parseTimestamp(timestamp);
  if (micros === undefined) throw new Error(`no timestamp: ${timestamp}`);
  return { id: id as number, timestamp: micros, duration: Math.round(duration * 1e6), data };
}

/** An export document with events for one bucket. */
export function documentOf(bucketId: string, drafts: readonly EventDraft[]): object {
  return { buckets: { [bucketId]: { id: bucketId, ...RECORD, events: drafts.map(toWire) } } };
}

function exportedIn({ buckets }: ExportDocument): ReadonlyMap<string, readonly EventDraft[]> {
  return new Map(
    Object.entries(buckets).map(([id, { events }]) => [
      id,
      events.map((event) => {
        const { timestamp, duration, data } = ofWire(event);
        return { timestamp, duration, data };
      }),
    ]),
  );
}
