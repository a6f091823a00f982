import type { Named } from "../api/schemas.js";
import type { JsonObject } from "../domain/json.js";
import { callMethods } from "./call.js";
import { CALLS, SHAPES } from "./call-table.js";
import type { ClientBuckets as BucketCalls, ClientCalls, ClientEvents as EventCalls } from "./calls.js";
import type {
  ActivityClient,
  CallOptions,
  ClientBuckets,
  ClientDeleted,
  ClientEvents,
  ClientQuery,
} from "./client-types.js";
import { feedOf } from "./feed-calls.js";
import type { ClientHooks } from "./hooks.js";
import { nodeFetch } from "./node-fetch.js";
import { searchOf } from "./search-calls.js";
import { serializedLater as json, serializeInstant, serializeJson } from "./serializing.js";
import {
  type ClientResponse,
  checkedMillis,
  checkedRetries,
  createTransport,
  type Fetch,
  type Transport,
} from "./transport.js";

export type RequestHeaders = Readonly<Record<string, string>>;

/** The server's address, and settings of all requests. */
export interface ClientOptions extends ClientHooks {
  /** The server's URL, including the path where it is mounted. @default "http://127.0.0.1:5600" */
  readonly url?: string | URL | undefined;
  /** The API key of a server that needs one; excludes an `Authorization` among `headers`. @default none */
  readonly apiKey?: string | undefined;
  /** Longest wait for the whole response in milliseconds; `Infinity` = no limit. @default 30000 */
  readonly timeoutMillis?: number | undefined;
  /** Retries of a read (GET) after a failure of the network or the server. @default 0 */
  readonly retries?: number | undefined;
  /**
   * Headers of each request, for proxies before the server; not the type of a body. A function is called for each
   * request and each retry. @default none
   */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>) | undefined;
  /** CA certificates in PEM for an `https` server, in place of the default ones. Not in browsers. @default none */
  readonly ca?: string | readonly string[] | undefined;
  /**
   * SHA-256 of the one certificate to trust, whatever its issuer and names: 64 hexadecimal digits, with or without
   * colons. Not in browsers. @default none
   */
  readonly fingerprint?: string | undefined;
  /** A Unix socket to send through; `url` then only sets the path and Host header. Not in browsers. @default none */
  readonly socketPath?: string | undefined;
  /** Sends the requests; excludes the three above. @default the global `fetch` */
  readonly fetch?: Fetch | undefined;
}

/** Creates a client. It sends nothing until you call a method. @throws TypeError for invalid options */
export function createClient(options: ClientOptions = {}): ActivityClient {
  if (typeof options !== "object") throw new TypeError("createClient() must get an object such as { url }");
  const { url = "http://127.0.0.1:5600", apiKey = "", timeoutMillis = 30_000, retries = 0, headers = {} } = options;
  const { onRequest, onResponse } = options;
  const base = baseOf(url);
  const transport = createTransport({
    base,
    fetch: fetchOf(options, base),
    headers: headersFrom(headers, apiKey),
    secret: apiKey,
    timeoutMillis: checkedMillis(timeoutMillis),
    retries: checkedRetries(retries),
    onRequest,
    onResponse,
  });
  return clientOf(transport, callMethods(CALLS, transport));
}

/** @throws TypeError for options that exclude each other, or do not fit the address */
function fetchOf({ ca, fingerprint, socketPath, fetch }: ClientOptions, base: string): Fetch {
  const given = Object.entries({ ca, fingerprint, socketPath, fetch }).filter(([, value]) => value !== undefined);
  if (given.length > 1) throw new TypeError(`${given.map(([name]) => name).join(" and ")} exclude each other`);
  const [[name = ""] = []] = given;
  // Looked up for each request. Browsers require that their `fetch` is called without an object.
  if (name === "") return (address, init) => globalThis.fetch(address, init);
  if (fetch !== undefined) return fetch;
  const scheme = name === "socketPath" ? "http:" : "https:";
  if (!base.startsWith(scheme)) throw new TypeError(`${name} is given; url must begin with ${scheme}//`);
  return nodeFetch({ ca, fingerprint, socketPath });
}

function clientOf(transport: Transport, calls: ClientCalls): ActivityClient {
  const { call, text } = transport;
  return {
    ...calls,
    buckets: { ...calls.buckets, ...bucketsOf(transport) },
    events: { ...calls.events, ...createEventCalls(transport) },
    heartbeat(bucketId, event, pulsetime, options) {
      const request = { ...options, params: [bucketId], query: { pulsetime }, body: json(event) };
      return valueIn(call("POST /api/0/buckets/:bucketId/heartbeat", SHAPES.AcceptedEvent, request));
    },
    query(query, options) {
      const request = { ...options, query: { name: query.name }, body: () => serializeJson(programOf(query)) };
      return valueIn(call("POST /api/0/query", SHAPES.QueryResults, request));
    },
    search: searchOf(transport),
    feed: feedOf(transport),
    exportText: (options) => text("GET /api/0/export", { ...options }),
    import(document, options) {
      const body = () => (typeof document === "string" || "stream" in document ? document : serializeJson(document));
      return valueIn(call("POST /api/0/import", SHAPES.ImportCounts, { ...options, body }));
    },
  };
}

async function valueIn<Value>(response: Promise<ClientResponse<Value>>): Promise<Value> {
  return (await response).value;
}

function deletedBy({ headers }: ClientResponse): ClientDeleted {
  return { entry: headers.get("x-activity-trash-entry") };
}

function bucketsOf({ call, text }: Transport): Omit<ClientBuckets, keyof BucketCalls> {
  const path = "/api/0/buckets/:bucketId";
  return {
    create: async (bucketId, bucket, options) =>
      (await call(`POST ${path}`, "", { ...options, params: [bucketId], body: json(bucket) })).status !== 304,
    async delete(bucketId, { permanent, ...options } = {}) {
      const confirmed = { ...options, params: [bucketId], query: { force: 1, permanent } } as const;
      return deletedBy(await call(`DELETE ${path}`, "", confirmed));
    },
    exportText: (bucketId, options) => text(`GET ${path}/export`, { ...options, params: [bucketId] }),
    // One character: the first chunk may contain no more.
    exportCsv: (bucketId, range, options) =>
      text(`GET ${path}/export/csv`, { ...options, params: [bucketId], query: { ...range } }, /^i/),
  };
}

function createEventCalls({ call }: Transport): Omit<ClientEvents, keyof EventCalls> {
  const path = "/api/0/buckets/:bucketId/events";
  return {
    insert<Value>(bucketId: string, given: object, options?: CallOptions): Promise<Value> {
      const shape = Array.isArray(given) ? SHAPES.AcceptedEvents : SHAPES.AcceptedEvent;
      return valueIn(call(`POST ${path}`, shape, { ...options, params: [bucketId], body: json(given) }));
    },
    async delete(bucketId, eventId, { permanent, ...options } = {}) {
      const request = { ...options, params: [bucketId, eventId], query: { permanent } };
      const response = await call<Named<"EventDeletion">>(`DELETE ${path}/:eventId`, SHAPES.EventDeletion, request);
      return response.value.success ? deletedBy(response) : undefined;
    },
    async deleteMany(bucketId, ids, { permanent, ...options } = {}) {
      const request = { ...options, params: [bucketId], body: json({ ids, permanent }) };
      const response = await call<number>(`POST ${path}/delete`, SHAPES.EventCount, request);
      return { count: response.value, ...deletedBy(response) };
    },
  };
}

function programOf({ timeperiods, query, variables }: ClientQuery): Named<"Query"> {
  return {
    ...(variables !== undefined && { variables: variables as JsonObject }),
    timeperiods: timeperiods.map((period) =>
      typeof period === "string" ? period : `${serializeInstant(period.start)}/${serializeInstant(period.end)}`,
    ),
    query: typeof query === "string" ? [query] : query,
  };
}

/** @throws TypeError for an address that cannot receive requests */
function baseOf(given: string | URL): string {
  const { protocol, username, password, origin, pathname, search, hash } = parsed(given);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`url must begin with http: or https:, got ${protocol}`);
  // Not quoted, because it ends up in logs.
  if (username || password) throw new TypeError("url must not contain a name or a password; send them in `headers`");
  if (search || hash) throw new TypeError("url must be scheme, host and path, got a query or a fragment");
  return origin + pathname.replace(/\/+$/, "");
}

function parsed(given: string | URL): URL {
  try {
    return new URL(given);
  } catch {
    // Neither the whole string nor the original error, which contains it: it may include a password.
    const shown = `'${String(given).replace(/^.*@/, "")}'`;
    const fix = shown[1] === "/" ? `; in a browser, write new URL(${shown}, location.href)` : "";
    throw new TypeError(`url must be a URL such as 'http://127.0.0.1:5600', got ${shown}${fix}`);
  }
}

/** @throws TypeError for invalid headers; those of a function are checked when it is called */
function headersFrom(
  given: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>),
  apiKey: string,
): () => Headers | Promise<Headers> {
  if (typeof given === "function") return async () => headersOf(await given(), apiKey);
  const headers = headersOf(given, apiKey);
  return () => headers;
}

/**
 * If names differ only in case, the last one wins.
 *
 * @throws TypeError for an invalid value, without showing it, because it may be a secret
 */
function headersOf(given: RequestHeaders, apiKey: string): Headers {
  const headers = new Headers();
  try {
    for (const [name, value] of Object.entries(given)) headers.set(name, value);
    if (apiKey === "") return headers;
    if (!headers.has("authorization")) {
      headers.set("authorization", `Bearer ${apiKey}`);
      return headers;
    }
  } catch {
    throw new TypeError("apiKey and headers must contain only characters that headers allow");
  }
  throw new TypeError("apiKey and a header Authorization are given; a request can have one of them");
}
