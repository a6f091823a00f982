import type { IncomingMessage } from "node:http";
import { brokenOff, joined, tooLarge } from "./body.js";
import type { Exchange } from "./exchange.js";

/** The parts of an exchange that a Node request gives. */
export type NodeRequestView = Pick<Exchange, "boundAddress" | "header" | "body"> &
  Required<Pick<Exchange, "bytes" | "onGone">>;

/** A Node request in the terms of an exchange. */
export function viewOf(request: IncomingMessage): NodeRequestView {
  return {
    boundAddress: boundAddressOf(request.socket),
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    onGone(listener) {
      // Not the response: of several answers on one connection only the first one hears of its end.
      request.socket?.once("close", listener);
      return () => request.socket?.off("close", listener);
    },
    body: () => piecesOf(request),
    bytes: (limitBytes) => bytesOf(request, limitBytes),
  };
}

const encoder: TextEncoder = new TextEncoder();

/** What a body parser of the host left behind: the stream is empty then. */
function parsedBody(request: IncomingMessage): Uint8Array | undefined {
  const { body } = request as { body?: unknown };
  if (body === undefined || !(request.readableEnded || request.readableDidRead)) return undefined;
  if (body instanceof Uint8Array) return body;
  return encoder.encode(typeof body === "string" ? body : JSON.stringify(body));
}

async function* piecesOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const parsed = parsedBody(request);
  if (parsed !== undefined) {
    yield parsed;
    return;
  }
  try {
    // Plain iteration would take the socket down when it ends early, and the answer with it.
    yield* request.iterator({ destroyOnReturn: false });
  } finally {
    // What is left of a refused body flows away: the next request of the connection stands behind it.
    if (!request.readableEnded) request.resume();
  }
}

/** Listens rather than iterates: the body of a heartbeat is one piece, and an iterator costs more than its parsing. */
function bytesOf(request: IncomingMessage, limitBytes: number): Promise<Uint8Array> {
  const parsed = parsedBody(request);
  if (parsed !== undefined) {
    return parsed.length > limitBytes ? Promise.reject(tooLarge(limitBytes)) : Promise.resolve(parsed);
  }
  // Somebody read it and kept nothing: none of the events below would come.
  if (request.readableEnded || request.destroyed) return Promise.reject(brokenOff());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limitBytes) return;
      // The rest still flows, and goes nowhere: the answer gets through only to a client that may finish.
      request.off("data", onData);
      chunks.length = 0;
      reject(tooLarge(limitBytes));
    };
    request.on("data", onData);
    request.on("end", () => resolve(joined(chunks)));
    request.on("error", (cause: Error) => reject(brokenOff(cause)));
    request.on("close", () => {
      if (!request.readableEnded) reject(brokenOff());
    });
  });
}

interface ServerLike {
  address?(): unknown;
  once?(event: "close", listener: () => void): unknown;
}

const boundAddresses = new WeakMap<object, string | undefined>();

/** The address that the socket's server listens at: it decides whether the Host header is checked. */
function boundAddressOf(socket: unknown): string | undefined {
  const server = (socket as { readonly server?: ServerLike } | undefined)?.server;
  if (server === undefined || server === null) return undefined;
  const known = boundAddresses.get(server);
  if (known !== undefined) return known;
  const bound = server.address?.();
  const address = typeof bound === "object" && bound !== null && "address" in bound ? String(bound.address) : undefined;
  boundAddresses.set(server, address);
  // It may listen at another address later.
  server.once?.("close", () => boundAddresses.delete(server));
  return address;
}
