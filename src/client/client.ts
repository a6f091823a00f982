import type { AnswerOf } from "../api/operations.js";
import type { Named } from "../api/schemas.js";
import { BUCKET, COUNTS, EVENT, INFO, TIMELINE } from "./answer-shapes.js";
import type {
  ActivityClient,
  CallOptions,
  ClientBuckets,
  ClientEvents,
  ClientQuery,
  ClientSettings,
} from "./client-types.js";
import { printInstant, printJson } from "./printing.js";
import type { DemandAt, IdAt, Route, ShapeAt } from "./routes.js";
import type { Shape } from "./shapes.js";
import { checkedMillis, createTransport, type Demand, type Fetch } from "./transport.js";

/** Where the server is, and what goes with each request. */
export interface ClientOptions {
  /** Where the server is, with the path that it is mounted under. @default "http://127.0.0.1:5600" */
  readonly url?: string | URL;
  /** The key of a server that asks for one; excludes an `Authorization` among `headers`. @default none */
  readonly apiKey?: string;
  /** Longest wait for a whole answer in milliseconds; `Infinity` = no limit. @default 30000 */
  readonly timeoutMillis?: number;
  /** They go with each request, for what stands before the server; not so the type of a body. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: Fetch;
}

/** What the methods are made of; the compiler holds each call to the route table. */
interface Asking {
  /** Sends a request, and gives the value of its answer. */
  ask<Given extends Route, Value = AnswerOf<IdAt<Given>>>(
    route: Given,
    shape: ShapeAt<Given>,
    demand: DemandAt<Given>,
  ): Promise<Value>;
  /** Sends a request whose answer has nothing to tell. @returns its status */
  tell<Given extends Route>(route: Given, demand: DemandAt<Given>): Promise<number>;
  /** Sends a request, and gives the text of its answer while it arrives. */
  text<Given extends Route>(route: Given, demand: DemandAt<Given>): AsyncIterable<string>;
}

/**
 * Makes a client. Nothing is sent until a method is called.
 *
 * @throws TypeError for options that cannot work
 */
export function createClient(options: ClientOptions = {}): ActivityClient {
  const { url = "http://127.0.0.1:5600", apiKey = "", timeoutMillis = 30_000, headers = {} } = options;
  // Looked up with each request; and browsers want their own to be called as a function of no object.
  const { fetch = (address, init) => globalThis.fetch(address, init) } = options;
  const transport = createTransport({
    base: baseOf(url),
    fetch,
    headers: headersOf(headers, apiKey),
    secret: apiKey,
    timeoutMillis: checkedMillis(timeoutMillis),
  });
  return clientOf({
    async ask<Value>(route: Route, shape: Shape, demand: More) {
      // The one place where the type of an answer is taken for granted: its shape has been checked.
      return (await transport.call(demandOf(route, demand), shape)).value as Value;
    },
    tell: async (route, demand) => (await transport.call(demandOf(route, demand), "nothing")).status,
    text: (route, demand) => transport.text(demandOf(route, demand)),
  });
}

/** A request, but for its method and path. */
type More = Omit<Demand, "method" | "path">;

function demandOf(route: Route, demand: More): Demand {
  const [method = "", path = ""] = route.split(" ");
  return { ...demand, method, path };
}

function clientOf(asking: Asking): ActivityClient {
  const { ask, text } = asking;
  return {
    buckets: bucketsOf(asking),
    events: eventsOf(asking),
    settings: settingsOf(asking),
    info: (options) => ask("GET /api/0/info", INFO, { ...options }),
    heartbeat: (bucketId, event, pulsetime, options) =>
      ask("POST /api/0/buckets/:bucketId/heartbeat", EVENT, {
        ...options,
        params: { bucketId },
        query: { pulsetime },
        body: json(event),
      }),
    query: (query, options) =>
      ask("POST /api/0/query", ["value"], {
        ...options,
        query: { name: query.name },
        body: () => printJson(programOf(query)),
      }),
    export: (options) => ask("GET /api/0/export", { buckets: "object" }, { ...options }),
    exportText: (options) => text("GET /api/0/export", { ...options }),
    import: (document, options) =>
      ask("POST /api/0/import", COUNTS, {
        ...options,
        body: () => (typeof document === "string" || "stream" in document ? document : printJson(document)),
      }),
  };
}

function bucketsOf({ ask, tell, text }: Asking): ClientBuckets {
  const path = "/api/0/buckets/:bucketId";
  return {
    list: (options) => ask("GET /api/0/buckets", { "*": BUCKET }, { ...options }),
    get: (bucketId, options) => ask(`GET ${path}`, BUCKET, { ...options, params: { bucketId } }),
    create: async (bucketId, bucket, options) =>
      (await tell(`POST ${path}`, { ...options, params: { bucketId }, body: json(bucket) })) !== 304,
    async update(bucketId, changes, options) {
      await tell(`PUT ${path}`, { ...options, params: { bucketId }, body: json(changes) });
    },
    async delete(bucketId, options) {
      await tell(`DELETE ${path}`, { ...options, params: { bucketId }, query: { force: 1 } });
    },
    export: (bucketId, options) =>
      ask(`GET ${path}/export`, { buckets: "object" }, { ...options, params: { bucketId } }),
    exportText: (bucketId, options) => text(`GET ${path}/export`, { ...options, params: { bucketId } }),
  };
}

function eventsOf({ ask }: Asking): ClientEvents {
  const path = "/api/0/buckets/:bucketId/events";
  return {
    insert: <Value>(bucketId: string, given: object, options?: CallOptions): Promise<Value> =>
      ask(`POST ${path}`, Array.isArray(given) ? [EVENT] : EVENT, {
        ...options,
        params: { bucketId },
        body: json(given),
      }),
    list: (bucketId, range, options) =>
      ask(`GET ${path}`, [EVENT], { ...options, params: { bucketId }, query: { ...range } }),
    get: (bucketId, eventId, options) =>
      ask(`GET ${path}/:eventId`, EVENT, { ...options, params: { bucketId, eventId } }),
    count: (bucketId, range, options) =>
      ask(`GET ${path}/count`, "integer", { ...options, params: { bucketId }, query: { ...range } }),
    timeline: (bucketId, range, options) =>
      ask("GET /api/0/buckets/:bucketId/timeline", TIMELINE, { ...options, params: { bucketId }, query: { ...range } }),
    async delete(bucketId, eventId, options) {
      const demand = { ...options, params: { bucketId, eventId } };
      return (await ask(`DELETE ${path}/:eventId`, { success: "boolean" }, demand)).success;
    },
  };
}

function settingsOf({ ask, tell }: Asking): ClientSettings {
  const path = "/api/0/settings/:key";
  return {
    list: (options) => ask("GET /api/0/settings", "object", { ...options }),
    get: (key, options) => ask(`GET ${path}`, "value", { ...options, params: { key } }),
    put: (key, value, options) => ask(`POST ${path}`, "value", { ...options, params: { key }, body: json(value) }),
    async delete(key, options) {
      await tell(`DELETE ${path}`, { ...options, params: { key } });
    },
  };
}

/** Prints later, where a value that JSON cannot hold is refused. */
function json(value: unknown): () => string {
  return () => printJson(value);
}

/** The body of a query, in the form of the wire. */
function programOf({ timeperiods, query }: ClientQuery): Named<"Query"> {
  return {
    timeperiods: timeperiods.map((period) =>
      typeof period === "string" ? period : `${printInstant(period.start)}/${printInstant(period.end)}`,
    ),
    query: typeof query === "string" ? [query] : query,
  };
}

/** @throws TypeError for an address that no request can be sent to */
function baseOf(given: string | URL): string {
  const { protocol, username, password, origin, pathname, search, hash } = new URL(given);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`url begins with ${protocol}; http: or https: is expected`);
  // Not quoted, since it ends in logs.
  if (username || password) throw new TypeError("url holds a name or a password; send them in `headers`");
  if (search || hash) throw new TypeError("url has a query or a fragment; scheme, host and path are expected");
  return origin + pathname.replace(/\/+$/, "");
}

/**
 * Of names that differ in case alone the last counts.
 *
 * @throws TypeError for what no header can hold; without the value, which may be a secret
 */
function headersOf(given: Readonly<Record<string, string>>, apiKey: string): Headers {
  const headers = new Headers();
  try {
    for (const [name, value] of Object.entries(given)) headers.set(name, value);
    if (apiKey === "") return headers;
    if (!headers.has("authorization")) {
      headers.set("authorization", `Bearer ${apiKey}`);
      return headers;
    }
  } catch {
    throw new TypeError("apiKey or headers hold a sign that no header may");
  }
  throw new TypeError("apiKey and a header Authorization are given; a request can have one of them");
}
