import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ActivityError, messageOf, tooLarge } from "../errors.js";
import { GrowingBytes } from "../util/bytes.js";
import { brokenOff, consumed } from "./body.js";
import type { BodyWatch } from "./body-watch.js";
import { MOST_HEADERS, tooManyHeaders } from "./head-limit.js";
import type { HostRequest, RequestContext } from "./request-context.js";

/** The parts of a request context that a Node request gives. */
export type NodeRequestView = Pick<RequestContext, "boundAddress" | "isEncrypted" | "host" | "header" | "body"> &
  Required<Pick<RequestContext, "bytes" | "onGone" | "isRepeated">> &
  Pick<RequestContext, "remoteAddress">;

/** A Node request as a request context. A class: closures for all of it would be made for each heartbeat. */
export class RequestView implements NodeRequestView {
  readonly #request: IncomingMessage;

  /** @throws ActivityError `HEAD_TOO_LARGE` for a request with more headers than are looked at */
  constructor(request: IncomingMessage) {
    const most = mostHeaders(request.socket);
    if (request.rawHeaders?.length > 2 * most) throw tooManyHeaders(most);
    this.#request = request;
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
    const { headers } = this.#request;
    const value = headers[name] ?? (name === "host" ? headers[":authority"] : undefined);
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
    // Not that of Node's response: of several on one connection only the first one hears of its end.
    // Many requests of one connection may wait at a time: Node would take that for a leak.
    socket?.setMaxListeners?.(0);
    socket?.once("close", listener);
    return () => socket?.off("close", listener);
  }

  body(): AsyncIterable<Uint8Array> {
    return chunksOf(this.#request);
  }

  bytes(limitBytes: number, watch?: BodyWatch): Promise<Uint8Array> {
    return bytesOf(this.#request, limitBytes, watch);
  }
}

/** The embedder's server may look at fewer; 0 means all. */
function mostHeaders(socket: unknown): number {
  const { maxHeadersCount } = (socket as { readonly server?: ServerLike } | undefined)?.server ?? {};
  return maxHeadersCount ? Math.min(maxHeadersCount, MOST_HEADERS) : MOST_HEADERS;
}

const encoder: TextEncoder = new TextEncoder();

/**
 * What a body parser of the embedder left behind: the stream is empty then.
 *
 * @returns `undefined` when nobody has read the body yet
 * @throws ActivityError `INVALID_INPUT` when it was read and not kept, or kept as what JSON cannot hold
 */
function parsedBody(request: IncomingMessage): Uint8Array | undefined {
  if (!request.readableEnded && !request.readableDidRead) return undefined;
  const { body } = request as { body?: unknown };
  const { "content-type": type = "", "content-length": length, "transfer-encoding": encoding } = request.headers;
  // Some parsers leave an empty object for an empty body.
  if (length === "0" || (length === undefined && encoding === undefined)) return NO_BYTES;
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return encoder.encode(isParsed(body, request.headers) ? JSON.stringify(body) : body);
  // The fields of a form are not the form: its files went elsewhere.
  if (body !== undefined && !/^\s*multipart\//i.test(type)) return encoder.encode(serialized(body));
  throw consumed();
}

/** @throws ActivityError `INVALID_INPUT` for what JSON cannot hold, such as a cycle or a BigInt */
function serialized(body: unknown): string {
  try {
    // Nothing at all for a function or what else has no form: like an empty body.
    return JSON.stringify(body) ?? "";
  } catch (cause) {
    const [reason] = messageOf(cause).split("\n", 1);
    throw new ActivityError("INVALID_INPUT", `request.body, left by a body parser, is not JSON: ${reason}`, { cause });
  }
}

/** A text may be the body itself, or a JSON text that a parser has taken the quotes off: then it is shorter. */
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
    // Plain iteration would take the socket down when it ends early, and the response with it.
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    // What is left of a refused body flows away: the next request of the connection stands behind it.
    if (!request.readableEnded) request.resume();
  }
}

/** Listens rather than iterates: the body of a heartbeat is one chunk, and an iterator costs more than its parsing. */
function bytesOf(request: IncomingMessage, limitBytes: number, watch?: BodyWatch): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parsed = parsedBody(request);
    if (parsed !== undefined) {
      if (parsed.length > limitBytes) throw tooLarge(limitBytes);
      resolve(parsed);
      return;
    }
    // None of the events below would come.
    if (request.destroyed) throw brokenOff();
    const body = new GrowingBytes(Number(request.headers["content-length"] ?? 0));
    const onData = (chunk: Uint8Array): void => {
      const isWanted = watch?.receive(chunk.length) ?? true;
      if (isWanted && body.length + chunk.length <= limitBytes) {
        body.add(chunk);
        return;
      }
      // The rest still flows, and goes nowhere: the response gets through only to a client that may finish.
      request.off("data", onData);
      body.clear();
      reject(tooLarge(limitBytes));
    };
    request.on("data", onData);
    request.on("end", () => resolve(body.take()));
    request.on("error", (cause: Error) => reject(brokenOff(cause)));
    request.on("close", () => {
      if (!request.readableEnded) reject(brokenOff());
    });
  });
}

interface ServerLike {
  readonly maxHeadersCount?: number | null;
  address?(): unknown;
  once?(event: "close", listener: () => void): unknown;
}

const boundAddresses = new WeakMap<object, string | undefined>();

/** The address that the socket's server listens at: it decides whether the Host header is checked. */
function boundAddressOf(socket: unknown): string | undefined {
  const server = (socket as { readonly server?: ServerLike } | undefined)?.server;
  if (server === undefined || server === null) return undefined;
  if (boundAddresses.has(server)) return boundAddresses.get(server);
  const bound = server.address?.();
  const address = typeof bound === "object" && bound !== null && "address" in bound ? String(bound.address) : undefined;
  boundAddresses.set(server, address);
  // It may listen at another address later.
  server.once?.("close", () => boundAddresses.delete(server));
  return address;
}
