import type { ServerResponse } from "node:http";
import { discard } from "./buffering.js";
import { type Chunk, type HttpResponse, isStreamed } from "./request-context.js";
import { statusTextOf } from "./status.js";

/** Sends a response. @returns a promise while there is something left to send */
export function sendResponse(response: ServerResponse, made: HttpResponse): Promise<void> | undefined {
  const { status, body, cookies } = made;
  let { headers } = made;
  // Beside those of the embedder, which may have set some of its own.
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
  // A header field with the length spares the chunk marks around the body.
  // A response without a body may know the length of what it stands for, as to HEAD.
  const isKnown = body === null && headers["content-length"] !== undefined;
  if (status !== 304 && status !== 204 && !isKnown)
    // Not by spreading: V8 makes a hidden class for each copy that gets one more property.
    headers = Object.assign({}, headers, { "content-length": String(byteLengthOf(chunks)) });
  writeHead(response, status, headers);
  const last = chunks.length - 1;
  for (let at = 0; at < last; at++) response.write(chunks[at] as Chunk);
  response.end(chunks[last]);
  return undefined;
}

/** Nobody takes the chunks of a response whose head cannot be written. */
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
  // HTTP/2 has no words behind the status, and Node warns about them.
  if (response.req.httpVersionMajor >= 2) {
    response.writeHead(status, headers);
    return;
  }
  // A server that was told to close waits for its connections, and a watcher would keep one for ever.
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
    // The status is sent; all that is left to tell the client is a body that ends in the middle.
    response.destroy();
  }
}

/** A response that waits behind others of its connection is not told when that ends. */
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
