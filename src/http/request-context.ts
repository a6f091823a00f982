import type { IncomingMessage } from "node:http";
import type { Waiting } from "../util/waiting.js";
import type { BodyWatch } from "./body-watch.js";

/** A request, in the form that every transport passes to the routes. */
export interface RequestContext {
  /** Upper case. */
  readonly method: string;
  /** As sent, or as returned by a URL parser; still percent-encoded, perhaps with an embedder's prefix. */
  readonly path: string;
  /** The query string without its question mark. */
  readonly search: string;
  /** The bound address of the listening socket; `undefined` if the transport does not know it. */
  readonly boundAddress: string | undefined;
  /** Whether the transport itself is encrypted; a proxy may know better. */
  readonly isEncrypted: boolean;
  /**
   * Whether a response may be compressed if the client accepts that. Some embedders drop `content-encoding`, so the
   * client could not read it.
   */
  readonly takesEncoded: boolean;
  /** The embedder's request object, with everything that the embedder has added to it. */
  readonly host: HostRequest;
  /** The context that the embedder passed; `undefined` if there is none. */
  readonly context?: unknown;
  /**
   * Calls back when the client is gone, whether its response has started or waits for others of the connection. Absent
   * if the transport itself ends the response's chunks.
   *
   * @returns removes the listener
   */
  onGone?(listener: () => void): () => void;
  /** The address of the client; `undefined` if the transport does not know it. */
  readonly remoteAddress?: string | undefined;
  /** A header by its lower-case name; `undefined` when it is missing. */
  header(name: string): string | undefined;
  /** Whether a header was repeated, if the transport only returns the first one. */
  isRepeated?(name: string): boolean;
  /** The body as it arrives. Only one of body and bytes can be read, and only once. */
  body(): AsyncIterable<Uint8Array>;
  /**
   * The whole body, if the transport has a shorter way than `body()`.
   *
   * @param watch counts the bytes received
   * @throws ActivityError `TOO_LARGE` above the limit, `INVALID_INPUT` if the client disconnects
   */
  bytes?(limitBytes: number, watch?: BodyWatch): Promise<Uint8Array>;
  /**
   * Called when the body has arrived, which may take long. @throws ActivityError if the request is no longer allowed
   */
  afterBody?: (() => Waiting) | undefined;
  /** Closes the connection to the client. Absent if the transport cannot. */
  disconnect?(): void;
  /** Called if the transport stops a response in chunks, even while it waits for a chunk. */
  onCanceled?: (() => void) | undefined;
  /** Set for an endless response: checks whether it is still allowed. @throws ActivityError */
  recheck?: (() => Waiting) | undefined;
  /** Set if the body requests a preview. */
  isPreview?: boolean;
  /** Called before the body is read, if others may wait for its room. */
  bodyAdmitted?: (() => void) | undefined;
  /** Set if others may wait for the body's room. */
  bodyWatch?: BodyWatch | undefined;
}

/** The embedder's request: `node` or `web`, depending on the transport. */
export interface HostRequest {
  readonly node?: IncomingMessage;
  readonly web?: Request;
}

/**
 * The argument with which an app passes context. The intersection with `object` also accepts arguments of frameworks in
 * its place, such as `next`.
 */
export type RequestOptions<Context> = object & {
  /** What your app knows about the caller, such as its user; passed to `authorize` and hooks. */
  readonly context?: Context | undefined;
};

/** Reads the context from an argument of a request. */
export function contextIn(given: unknown): unknown {
  return typeof given === "object" && given !== null && Object.hasOwn(given, "context")
    ? (given as { readonly context: unknown }).context
    : undefined;
}

/** A response, in the form that every transport sends. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Lines of `Set-Cookie`, the one header whose lines cannot be joined. Only an embedder's pages have some. */
  readonly cookies?: readonly string[];
  /** Buffered, as a string or in chunks; or chunks produced while it is sent; or nothing. */
  readonly body: Buffered | AsyncIterable<Chunk> | null;
}

/** Part of a body: a string, or serialized bytes that may be sent many times. */
export type Chunk = string | Uint8Array;

/** A body that is complete before its response starts. */
export type Buffered = string | readonly Chunk[];

/** Whether a body is still being produced while it is sent. */
export function isStreamed(body: HttpResponse["body"]): body is AsyncIterable<Chunk> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/**
 * For every response: browsers never guess a type, and pages of other sites cannot load it without a preflight (CORS).
 */
const ALWAYS: HttpResponse["headers"] = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** Without a validator, nothing can be revalidated, so nothing is cached. */
const NOT_KEPT: HttpResponse["headers"] = { ...ALWAYS, "cache-control": "no-store" };

/** For pages: a page of another site that opens one gets no reference to its window. */
const PAGE: HttpResponse["headers"] = { "cross-origin-opener-policy": "same-origin" };

/** For responses other than pages: no frame may show them. Pages have their own policies. */
const DATA: HttpResponse["headers"] = { ...NOT_KEPT, "content-security-policy": "frame-ancestors 'none'" };

/** For most responses, which then need no further headers. */
const JSON_HEADERS: HttpResponse["headers"] = { ...DATA, "content-type": "application/json" };

/** A response with a serialized JSON body, buffered or in chunks. */
export function jsonResponse(body: Buffered | AsyncIterable<Chunk>, headers?: HttpResponse["headers"]): HttpResponse {
  return { status: 200, headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }, body };
}

/** Adds the headers of every response; it is not cached unless its own headers allow that. */
export function completed(response: HttpResponse): HttpResponse {
  const { headers } = response;
  if (headers === JSON_HEADERS) return response;
  const isKept = ["cache-control", "etag", "last-modified"].some((name) => headers[name] !== undefined);
  const isPage = headers["content-type"]?.startsWith("text/html") ?? false;
  const always = isKept ? ALWAYS : isPage ? NOT_KEPT : DATA;
  return { ...response, headers: { ...always, ...(isPage && PAGE), ...headers } };
}

/** The response to a write without a result (docs/reference/api.md#over-http). */
export const DONE: HttpResponse = jsonResponse("{}");
