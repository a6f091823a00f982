import type { IncomingMessage } from "node:http";
import type { Waiting } from "../util/waiting.js";
import type { BodyWatch } from "./body-watch.js";

/** A request, as every transport hands it to the routes. */
export interface RequestContext {
  /** Upper case. */
  readonly method: string;
  /** As it was sent or as a URL parser gives it, still percent-encoded; perhaps with the prefix of an embedder. */
  readonly path: string;
  /** The query string without its question mark. */
  readonly search: string;
  /** The address that the listening socket is bound to; `undefined` when the transport does not know. */
  readonly boundAddress: string | undefined;
  /** Whether the transport itself is encrypted; a proxy in front may know better. */
  readonly isEncrypted: boolean;
  /**
   * Whether a response may be compressed, if the client takes that: some embedders drop `content-encoding`, so that the
   * client could not read it.
   */
  readonly takesEncoded: boolean;
  /** The request as the embedder knows it, with whatever the embedder has put on it. */
  readonly host: HostRequest;
  /** What the embedder passed with the request; `undefined` = nothing. */
  readonly context?: unknown;
  /**
   * Calls back when the client is gone, whether its response has begun or waits behind others of the connection. Absent
   * where the transport ends the response's chunks itself.
   *
   * @returns ends the listening
   */
  onGone?(listener: () => void): () => void;
  /** The address that the request came from; `undefined` when the transport does not know. */
  readonly remoteAddress?: string | undefined;
  /** A header by its lower-case name; `undefined` when it is missing. */
  header(name: string): string | undefined;
  /** Whether a header came several times, where the transport gives the first of them only. */
  isRepeated?(name: string): boolean;
  /** The body as it arrives. Body and bytes can be taken once between them. */
  body(): AsyncIterable<Uint8Array>;
  /**
   * The body in full, where the transport has a shorter way to it than `body()`.
   *
   * @param watch counts the bytes received
   * @throws ActivityError `TOO_LARGE` above the limit, `INVALID_INPUT` when the client breaks off
   */
  bytes?(limitBytes: number, watch?: BodyWatch): Promise<Uint8Array>;
  /** Called when the body has come, which may take long. @throws ActivityError where the request is refused by then */
  afterBody?: (() => Waiting) | undefined;
  /** Set where the body asks for a preview. */
  isPreview?: boolean;
  /** Called before the body is read, where others may wait for the room that it has. */
  bodyAdmitted?: (() => void) | undefined;
  /** Set where others may wait for the room of the body. */
  bodyWatch?: BodyWatch | undefined;
}

/** The request of the embedder: one of the two, whichever brought it. */
export interface HostRequest {
  readonly node?: IncomingMessage;
  readonly web?: Request;
}

/**
 * What an app may pass with a request. The intersection with `object` also accepts the arguments that frameworks pass
 * in its place, such as `next`.
 */
export type RequestOptions<Context> = object & {
  /** What your app knows about the caller, such as its user; `authorize` and hooks get it. */
  readonly context?: Context | undefined;
};

/** Reads the context from what was passed with a request. */
export function contextIn(given: unknown): unknown {
  return typeof given === "object" && given !== null && Object.hasOwn(given, "context")
    ? (given as { readonly context: unknown }).context
    : undefined;
}

/** A response, as every transport sends it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Lines of `Set-Cookie`, the one header whose lines cannot be joined; only pages of an embedder have some. */
  readonly cookies?: readonly string[];
  /** Buffered, as text or in chunks; or chunks that are made while it is sent; or nothing. */
  readonly body: Buffered | AsyncIterable<Chunk> | null;
}

/** Part of a body: text, or bytes that were serialized before and may be sent many times. */
export type Chunk = string | Uint8Array;

/** A body that is there before its response begins. */
export type Buffered = string | readonly Chunk[];

/** Whether a body is still being made while it is sent. */
export function isStreamed(body: HttpResponse["body"]): body is AsyncIterable<Chunk> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** Of every response: a type is never guessed, and pages of other sites cannot load it without asking (CORS). */
const ALWAYS: HttpResponse["headers"] = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** Without a validator nothing can be asked for anew, so nothing is kept. */
const NOT_KEPT: HttpResponse["headers"] = { ...ALWAYS, "cache-control": "no-store" };

/** Of pages: a page of another site that opens one gets no reference to its window. */
const PAGE: HttpResponse["headers"] = { "cross-origin-opener-policy": "same-origin" };

/** Of what is no page: nobody shows it in a frame. Pages have policies of their own. */
const DATA: HttpResponse["headers"] = { ...NOT_KEPT, "content-security-policy": "frame-ancestors 'none'" };

/** Of most responses, so that nothing has to be added to them. */
const JSON_HEADERS: HttpResponse["headers"] = { ...DATA, "content-type": "application/json" };

/** A response with a JSON body that is already serialized, buffered or in chunks. */
export function jsonResponse(body: Buffered | AsyncIterable<Chunk>, headers?: HttpResponse["headers"]): HttpResponse {
  return { status: 200, headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }, body };
}

/** A response with the headers of every response beside its own, and told not to be kept unless it says otherwise. */
export function completed(response: HttpResponse): HttpResponse {
  const { headers } = response;
  if (headers === JSON_HEADERS) return response;
  const isKept = ["cache-control", "etag", "last-modified"].some((name) => headers[name] !== undefined);
  const isPage = headers["content-type"]?.startsWith("text/html") ?? false;
  const always = isKept ? ALWAYS : isPage ? NOT_KEPT : DATA;
  return { ...response, headers: { ...always, ...(isPage && PAGE), ...headers } };
}

/** The response of a write that has nothing to tell (docs/api.md#over-http). */
export const DONE: HttpResponse = jsonResponse("{}");
