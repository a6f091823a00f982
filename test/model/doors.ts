import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import { parseTimestamp, serializeTimestamp } from "../../src/domain/time.js";
import { type ActivityServer, micros, type RangeInput } from "../../src/index.js";

/** What to read. Times in microseconds. */
export interface ReadRange {
  readonly start?: number;
  readonly end?: number;
  readonly limit?: number;
  readonly offset?: number;
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
    async export() {
      let text = "";
      for await (const chunk of server.export()) text += chunk;
      return exportedIn(JSON.parse(text));
    },
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

/** How requests are sent. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** The REST interface. */
export function overHttp(send: Send): Door {
  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { "Content-Type": "application/json" };
    const response = await send(`/api/0${path}`, {
      method,
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok && response.status !== 304) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
  return {
    async create(bucketId) {
      await call("POST", `/buckets/${bucketId}`, RECORD);
    },
    async drop(bucketId) {
      await call("DELETE", `/buckets/${bucketId}?force=1`);
    },
    insert: async (bucketId, drafts) =>
      ((await call("POST", `/buckets/${bucketId}/events`, drafts.map(toWire))) as WireEvent[]).map(ofWire),
    heartbeat: async (bucketId, beat, micros) =>
      ofWire(
        (await call("POST", `/buckets/${bucketId}/heartbeat?pulsetime=${micros / 1e6}`, toWire(beat))) as WireEvent,
      ),
    get: async (bucketId, eventId) =>
      ofWire((await call("GET", `/buckets/${bucketId}/events/${eventId}`)) as WireEvent),
    delete: async (bucketId, eventId) =>
      ((await call("DELETE", `/buckets/${bucketId}/events/${eventId}?permanent=1`)) as { success: boolean }).success,
    async deleteRange(bucketId, start, end) {
      const range = { start: serializeTimestamp(start), end: serializeTimestamp(end) };
      return ((await call("POST", `/buckets/${bucketId}/events/delete`, range)) as { count: number }).count;
    },
    async merge(bucketId, from) {
      await call("POST", `/buckets/${bucketId}/merge`, { from: [from], overlaps: "keep-both", redirect: false });
    },
    import: async (document) =>
      ((await call("POST", "/import", document)) as { events_imported: number }).events_imported,
    export: async () => exportedIn((await call("GET", "/export")) as ExportDocument),
    read: async (bucketId, range) =>
      ((await call("GET", `/buckets/${bucketId}/events${queryOf(range)}`)) as WireEvent[]).map(ofWire),
    count: async (bucketId, { start, end }) =>
      (await call(
        "GET",
        `/buckets/${bucketId}/events/count${queryOf({ ...(start !== undefined && { start }), ...(end !== undefined && { end }) })}`,
      )) as number,
  };
}

interface WireEvent {
  readonly id?: number;
  readonly timestamp: string;
  readonly duration: number;
  readonly data: JsonObject;
}

interface ExportDocument {
  readonly buckets: Readonly<Record<string, { readonly events: readonly WireEvent[] }>>;
}

export function toWire({ id, timestamp, duration, data }: EventDraft): WireEvent {
  return {
    ...(id === undefined ? {} : { id }),
    ...{ timestamp: serializeTimestamp(timestamp), duration: duration / 1e6, data },
  };
}

function ofWire({ id, timestamp, duration, data }: WireEvent): StoredEvent {
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

function queryOf(range: ReadRange): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(range)) {
    query.set(name, name === "start" || name === "end" ? serializeTimestamp(value) : String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}
