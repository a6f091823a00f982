import type { ServerResponse } from "node:http";
import { discard } from "./buffering.js";
import { type Chunk, type HttpResponse, isStreamed } from "./request-context.js";
import { statusTextOf } from "./status.js";

/** Sends a response. @returns a promise while there is something left to send */
export function sendResponse(response: ServerResponse, made: HttpResponse): Promise<void> | undefined {
  const { status, body, cookies } = made;
  let { headers } = made;
  // Keeps the cookies that the embedder has already set.
  if (cookies !== undefined && !response.destroyed) response.appendHeader("set-cookie", cookies);
  if (isStreamed(body)) {
    try {
      if (!response.destroyed) writeHead(response, status, headers);
    } catch (thrown) {
      return endUnsent(body, thrown);
    }
    return sendChunks(response, body);
  }
  if (response.destroyed) return undefined;
  const chunks = typeof body === "string" ? [body] : (body ?? []);
  const length = byteLengthOf(chunks);
  // With a length header, Node sends no chunk marks around the body. A response without a body may know the length of
  // the full one, as for HEAD.
  const isKnown = body === null && headers["content-length"] !== undefined;
  if (status !== 304 && status !== 204 && !isKnown)
    // No spread: V8 creates a hidden class for each copy with one more property.
    headers = Object.assign({}, headers, { "content-length": String(length) });
  writeHead(response, status, headers);
  if (length <= MAX_JOINED && endWithHead(response, chunks)) return undefined;
  const last = chunks.length - 1;
  for (let at = 0; at < last; at++) response.write(chunks[at] as Chunk);
  response.end(chunks[last]);
  return undefined;
}

/** A response of Node, with the head that it sends next. Node keeps it under an undocumented name. */
interface WithHead {
  _header?: unknown;
}

/** Largest body in bytes that is joined with its head. */
const MAX_JOINED = 8 * 1024;

/**
 * Ends a response with a single write of head and body, for rows `heartbeats/*`, `latest/1` and `query-day` of the
 * bench: Node alone sends them in several parts, which takes a tenth of its time for a short request. Not if the
 * embedder changed how responses end, for example to compress them.
 *
 * @returns whether the response has ended
 */
function endWithHead(response: ServerResponse, chunks: readonly Chunk[]): boolean {
  const { _header: head } = response as WithHead;
  if (typeof head !== "string" || response.req.method === "HEAD" || Object.hasOwn(response, "end")) return false;
  if (response.strictContentLength || response.chunkedEncoding) return false;
  let joined = head;
  for (const chunk of chunks) joined += asLatin1(chunk);
  (response as WithHead)._header = joined;
  response.end();
  return true;
}

/** The bytes of a chunk as characters of Latin-1, the encoding of heads. */
function asLatin1(chunk: Chunk): string {
  if (typeof chunk !== "string") return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1");
  const isAscii = Buffer.byteLength(chunk) === chunk.length;
  return isAscii ? chunk : Buffer.from(chunk).toString("latin1");
}

/** Ends the chunks of a response whose head cannot be written. */
async function endUnsent(chunks: AsyncIterable<Chunk>, thrown: unknown): Promise<never> {
  await discard(chunks).catch(() => undefined);
  throw thrown;
}

function byteLengthOf(chunks: readonly Chunk[]): number {
  let length = 0;
  for (const chunk of chunks) length += Buffer.byteLength(chunk);
  return length;
}

function writeHead(response: ServerResponse, status: number, headers: HttpResponse["headers"]): void {
  // HTTP/2 has no status phrase; Node warns about one.
  if (response.req.httpVersionMajor >= 2) {
    response.writeHead(status, headers);
    return;
  }
  // A closing server waits for its connections, and a watcher would keep one open indefinitely.
  const { server } = response.req.socket as { readonly server?: { readonly listening?: boolean } };
  const last = server?.listening === false ? { connection: "close" } : undefined;
  response.writeHead(status, statusTextOf(status), last === undefined ? headers : { ...headers, ...last });
}

async function sendChunks(response: ServerResponse, chunks: AsyncIterable<Chunk>): Promise<void> {
  try {
    if (isGone(response)) return await discard(chunks);
    if (response.req.method === "HEAD") await discard(chunks);
    else
      for await (const chunk of chunks) {
        if (isGone(response)) return;
        if (!response.write(chunk)) await drained(response);
      }
    response.end();
  } catch {
    // The status is already sent. Only a truncated body can show the error.
    response.destroy();
  }
}

/** A response that waits for others of its connection is not notified when it ends. */
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
