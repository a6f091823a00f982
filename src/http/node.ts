import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "srvx/node";
import type { Answer } from "./exchange.js";
import { viewOf } from "./node-request.js";
import { discard } from "./pieces.js";
import type { Pipeline } from "./pipeline.js";
import type { Resource } from "./route.js";
import { statusTextOf } from "./status.js";

/** A request listener for `node:http` and for every framework that takes one. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** What a Node request listener is made of. */
export interface NodeHandlerOptions {
  /** Serves everything, by web-standard requests. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Serves the resources of the short way. */
  readonly pipeline: Pipeline;
  /** All resources by path. */
  readonly resources: ReadonlyMap<string, Resource>;
}

/**
 * What watchers send, pages poll and backups fetch: the web-standard objects around such a request cost more than its
 * parsing, and a stream of them more than the printing of an export.
 */
const SHORT_WAY = /^\/api\/0\/(?:buckets\/([^/?#]+)\/(heartbeat|events|export)|(export))\/?(?:\?([^#]*))?$/;

/**
 * Makes a Node request listener. Heartbeats, reads of events and exports take a short way into the same pipeline,
 * without a `Request` and without h3; a test compares the two ways byte for byte.
 */
export function createNodeHandler({ fetch, pipeline, resources }: NodeHandlerOptions): NodeHandler {
  // Declared for HTTP/1 and HTTP/2 requests at once; it takes either.
  const handle = toNodeHandler(fetch) as NodeHandler;

  async function serveShort(request: IncomingMessage, response: ServerResponse, match: RegExpExecArray): Promise<void> {
    const [, bucketId, kind, all, search = ""] = match;
    const target = resources.get(bucketId === undefined ? `/api/0/${all}` : `/api/0/buckets/:bucketId/${kind}`);
    const rawParams: Record<string, string> = bucketId === undefined ? {} : { bucketId };
    const exchange = { method: request.method as string, rawParams, search, ...viewOf(request) };
    send(response, await pipeline(target ?? "unknown", exchange));
  }

  return (request, response) => {
    // Read as a URL, a path that starts with two slashes would name a host.
    if (request.url?.includes("//")) request.url = foldSlashes(request.url);
    const match = canTakeShortWay(request) ? SHORT_WAY.exec(request.url as string) : null;
    if (match === null) handle(request, response);
    else void serveShort(request, response, match);
  };
}

/** What a URL parser would rewrite: backslashes, and segments of dots. */
const REWRITTEN = /\\|\/(?:\.|%2e)/i;

/** Only bodies that nobody has read yet, and paths that mean what they say; other methods are rare enough. */
function canTakeShortWay(request: IncomingMessage): boolean {
  if (request.readableDidRead || "body" in request || REWRITTEN.test(request.url ?? "")) return false;
  return request.method === "POST" ? request.url?.includes("/heartbeat") === true : request.method === "GET";
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (body !== null && typeof body !== "string") {
    if (!response.destroyed) response.writeHead(status, statusTextOf(status), headers);
    void sendPieces(response, body);
    return;
  }
  if (response.destroyed) return;
  const text = body ?? "";
  // A header field with the length spares the chunk marks around the body.
  if (status !== 304 && status !== 204) headers = { ...headers, "content-length": String(Buffer.byteLength(text)) };
  response.writeHead(status, statusTextOf(status), headers);
  response.end(text);
}

async function sendPieces(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  try {
    if (isGone(response)) return await discard(pieces);
    for await (const piece of pieces) {
      if (isGone(response)) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
  } catch {
    // The status is sent; all that is left to tell the client is a body that ends in the middle.
    response.destroy();
  }
}

/** An answer that waits behind others of its connection is not told when that ends. */
function isGone({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket?.destroyed === true;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const { socket } = response.req;
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      socket?.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
    socket?.on("close", done);
  });
}

/** Folds doubled slashes of the path, not of the query string (contract rest.md 1). */
export function foldSlashes(target: string): string {
  // A whole URL as the target, as proxies send it, keeps the slashes in front of its host.
  const [, origin = "", path = "", rest = ""] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(.*)$/is.exec(target) ?? [];
  return origin + path.replace(/\/{2,}/g, "/") + rest;
}
