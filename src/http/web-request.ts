// Web-standard requests and responses, without h3.
import { joinBytes } from "../util/bytes.js";
import { bodyAlreadyRead } from "./body.js";
import { discard } from "./buffering.js";
import { checkHeaderCount } from "./head-limit.js";
import { type Chunk, type HttpResponse, isStreamed, type RequestContext } from "./request-context.js";
import { statusTextOf } from "./status.js";

/** The context of a request that was created in process. */
export function contextOfWeb(
  req: Request,
  url: URL,
  request: Pick<RequestContext, "takesEncoded" | "method" | "path" | "search" | "context">,
): RequestContext {
  checkHeaderCount(req.headers);
  return {
    ...request,
    boundAddress: undefined,
    isEncrypted: url.protocol === "https:",
    host: { web: req },
    // A Request created in process has no Host header; the URL has the name.
    header: (name) => req.headers.get(name) ?? (name === "host" ? url.host : undefined),
    body: () => chunksOf(req),
    onGone(listener) {
      req.signal?.addEventListener("abort", listener, { once: true });
      return () => req.signal?.removeEventListener("abort", listener);
    },
  };
}

type WebBody = null | string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export async function* chunksOf({ body, bodyUsed }: Request): AsyncGenerator<Uint8Array> {
  if (bodyUsed || body?.locked) throw bodyAlreadyRead();
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    reader.releaseLock();
  }
}

/** Statuses whose responses have no body, not even an empty one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Creates a response, of a class with the constructor of the global one. */
export async function toWebResponse<Made>(
  Class: new (body: WebBody, init: ResponseInit) => Made,
  { status, headers, cookies, body }: HttpResponse,
  method: string,
  onCanceled: () => void = () => {},
): Promise<Made> {
  const init = { status, statusText: statusTextOf(status), headers: linesOf(headers, cookies) };
  const none = method === "HEAD" || WITHOUT_BODY.has(status) ? null : "";
  if (body === null) return new Class(none, init);
  if (isStreamed(body)) {
    if (method !== "HEAD") return new Class(streamOf(body[Symbol.asyncIterator](), onCanceled), init);
    await discard(body);
    return new Class(none, init);
  }
  const chunks = typeof body === "string" ? [body] : body;
  const bytes = chunks.length === 1 ? ownBytesOf(chunks[0] as Chunk) : joinBytes(chunks.map(bytesOf));
  if (method !== "HEAD") return new Class(bytes as Uint8Array<ArrayBuffer>, init);
  init.headers = linesOf({ ...headers, "content-length": String(bytes.length) }, cookies);
  return new Class(none, init);
}

/** Cookies need a line each; all other headers fit into an object. */
function linesOf(
  headers: HttpResponse["headers"],
  cookies: HttpResponse["cookies"],
): HttpResponse["headers"] | [string, string][] {
  if (cookies === undefined) return headers;
  return [...Object.entries(headers), ...cookies.map((cookie): [string, string] => ["set-cookie", cookie])];
}

const encoder: TextEncoder = new TextEncoder();

function bytesOf(chunk: Chunk): Uint8Array {
  return typeof chunk === "string" ? encoder.encode(chunk) : chunk;
}

/** Bytes that the consumer may overwrite or transfer. Other responses may share the bytes of a chunk. */
function ownBytesOf(chunk: Chunk): Uint8Array {
  return typeof chunk === "string" ? encoder.encode(chunk) : new Uint8Array(chunk);
}

function streamOf(chunks: AsyncIterator<Chunk>, onCanceled: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const chunk = await chunks.next();
      if (chunk.done) controller.close();
      else controller.enqueue(ownBytesOf(chunk.value));
    },
    async cancel() {
      onCanceled();
      await chunks.return?.();
    },
  });
}
