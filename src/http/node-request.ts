import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ActivityError, messageOf, tooLarge } from "../errors.js";
import { GrowingBytes } from "../util/bytes.js";
import { bodyAlreadyRead, connectionLost } from "./body.js";
import type { BodyWatch } from "./body-watch.js";
import { MAX_HEADERS, tooManyHeaders } from "./head-limit.js";
import type { HostRequest, RequestContext } from "./request-context.js";

/** The parts of a request context that come from a Node request. */
export type NodeRequestView = Pick<RequestContext, "boundAddress" | "isEncrypted" | "host" | "header" | "body"> &
  Required<Pick<RequestContext, "bytes" | "onGone" | "isRepeated" | "disconnect">> &
  Pick<RequestContext, "remoteAddress">;

/** A Node request as a request context. A class, so that a heartbeat does not create closures. */
export class RequestView implements NodeRequestView {
  readonly #request: IncomingMessage;
  readonly #headers: IncomingHttpHeaders;

  /** @throws ActivityError `HEAD_TOO_LARGE` for a request with too many headers */
  constructor(request: IncomingMessage) {
    const most = mostHeaders(request.socket);
    if (request.rawHeaders?.length > 2 * most) throw tooManyHeaders(most);
    this.#request = request;
    this.#headers = request.headers;
  }

  get boundAddress(): string | undefined {
    return boundAddressOf(this.#request.socket);
  }

  get isEncrypted(): boolean {
    return (this.#request.socket as { readonly encrypted?: boolean } | undefined)?.encrypted === true;
  }

  get remoteAddress(): string | undefined {
    return this.#request.socket?.remoteAddress;
  }

  get host(): HostRequest {
    return { node: this.#request };
  }

  header(name: string): string | undefined {
    const value = this.#headers[name] ?? (name === "host" ? this.#headers[":authority"] : undefined);
    return Array.isArray(value) ? value[0] : value;
  }

  isRepeated(name: string): boolean {
    const { rawHeaders } = this.#request as Partial<IncomingMessage>;
    let count = 0;
    for (let at = 0; at < (rawHeaders?.length ?? 0); at += 2) {
      const given = rawHeaders?.[at] as string;
      if (given.length === name.length && given.toLowerCase() === name) count++;
    }
    return count > 1;
  }

  onGone(listener: () => void): () => void {
    const { socket } = this.#request;
    // Listen on the socket: of several responses on one connection, only the first one reports its end. Many requests
    // of a connection may wait; Node would report a leak.
    socket?.setMaxListeners?.(0);
    socket?.once("close", listener);
    return () => socket?.off("close", listener);
  }

  disconnect(): void {
    // A stream of HTTP/2 shares its connection.
    const { stream, socket } = this.#request as IncomingMessage & { readonly stream?: IncomingMessage["socket"] };
    (stream ?? socket)?.destroy();
  }

  body(): AsyncIterable<Uint8Array> {
    return chunksOf(this.#request);
  }

  bytes(limitBytes: number, watch?: BodyWatch): Promise<Uint8Array> {
    return bytesOf(this.#request, limitBytes, watch);
  }
}

/** The embedder's server may read fewer; 0 means all. */
function mostHeaders(socket: unknown): number {
  const { maxHeadersCount } = (socket as { readonly server?: ServerLike } | undefined)?.server ?? {};
  return maxHeadersCount ? Math.min(maxHeadersCount, MAX_HEADERS) : MAX_HEADERS;
}

const encoder: TextEncoder = new TextEncoder();

/**
 * The result of the embedder's body parser; the stream is then empty.
 *
 * @returns `undefined` if the body is unread
 * @throws ActivityError `INVALID_INPUT` if it was read and not kept, or kept as a value that JSON cannot represent
 */
function parsedBody(request: IncomingMessage): Uint8Array | undefined {
  if (!request.readableEnded && !request.readableDidRead) return undefined;
  const { body } = request as { body?: unknown };
  const { "content-type": type = "", "content-length": length, "transfer-encoding": encoding } = request.headers;
  // Some parsers leave an empty object for an empty body.
  if (length === "0" || (length === undefined && encoding === undefined)) return NO_BYTES;
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return encoder.encode(isParsed(body, request.headers) ? JSON.stringify(body) : body);
  // The fields of a form are incomplete: its files went elsewhere.
  if (body !== undefined && !/^\s*multipart\//i.test(type)) return encoder.encode(serialized(body));
  throw bodyAlreadyRead();
}

/** @throws ActivityError `INVALID_INPUT` for a value that JSON cannot represent, such as a cycle or a BigInt */
function serialized(body: unknown): string {
  try {
    // Empty for a function or another value without a JSON form, like an empty body.
    return JSON.stringify(body) ?? "";
  } catch (cause) {
    const [reason] = messageOf(cause).split("\n", 1);
    throw new ActivityError("INVALID_INPUT", `request.body, left by a body parser, is not JSON: ${reason}`, { cause });
  }
}

/** A string may be the body itself, or a JSON string whose quotes a parser has removed: then it is shorter. */
function isParsed(body: string, headers: IncomingHttpHeaders): boolean {
  if (headers["content-length"] === undefined || headers["content-encoding"] !== undefined) return false;
  return encoder.encode(body).length < Number(headers["content-length"]);
}

const NO_BYTES: Uint8Array = new Uint8Array();

async function* chunksOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const parsed = parsedBody(request);
  if (parsed !== undefined) {
    yield parsed;
    return;
  }
  try {
    // A plain iterator that ends early destroys the socket, and the response with it.
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    // Drain the rest of a refused body: the next request of the connection follows it.
    if (!request.readableEnded) request.resume();
  }
}

/** Uses events, not an iterator: a heartbeat's body is one chunk, and an iterator costs more than parsing it. */
function bytesOf(request: IncomingMessage, limitBytes: number, watch?: BodyWatch): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parsed = parsedBody(request);
    if (parsed !== undefined) {
      if (parsed.length > limitBytes) throw tooLarge(limitBytes);
      resolve(parsed);
      return;
    }
    // None of the events below would fire.
    if (request.destroyed) throw connectionLost();
    const body = new GrowingBytes(Number(request.headers["content-length"] ?? 0));
    const onData = (chunk: Uint8Array): void => {
      const isWanted = watch?.receive(chunk.length) ?? true;
      if (isWanted && body.length + chunk.length <= limitBytes) {
        body.add(chunk);
        return;
      }
      // Keep draining: a client receives the response only if it can finish sending.
      request.off("data", onData);
      body.clear();
      reject(tooLarge(limitBytes));
    };
    request.on("data", onData);
    request.on("end", () => resolve(body.take()));
    request.on("error", (cause: Error) => reject(connectionLost(cause)));
    request.on("close", () => {
      if (!request.readableEnded) reject(connectionLost());
    });
  });
}

interface ServerLike {
  readonly maxHeadersCount?: number | null;
  address?(): unknown;
  once?(event: "close", listener: () => void): unknown;
}

const boundAddresses = new WeakMap<object, string | undefined>();

/** The address of the socket's server. It decides whether the Host header is checked. */
function boundAddressOf(socket: unknown): string | undefined {
  const server = (socket as { readonly server?: ServerLike } | undefined)?.server;
  if (server === undefined || server === null) return undefined;
  if (boundAddresses.has(server)) return boundAddresses.get(server);
  const bound = server.address?.();
  const address = typeof bound === "object" && bound !== null && "address" in bound ? String(bound.address) : undefined;
  boundAddresses.set(server, address);
  // The server may listen on another address later.
  server.once?.("close", () => boundAddresses.delete(server));
  return address;
}
