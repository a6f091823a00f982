import type { FEED_OPERATIONS } from "../../api/subjects/feed.js";
import { AbandonedError } from "../../errors.js";
import type { FeedBatch } from "../../service/feed/batches.js";
import type { FeedReader } from "../../service/feed/reader.js";
import { leaveUncounted } from "../connections.js";
import { onHostEnd } from "../host-end.js";
import type { Chunk, HttpResponse, RequestContext } from "../request-context.js";
import type { Handlers } from "../route.js";
import { readQuery } from "./action-handlers.js";

/** When a reader connects again after the server has stopped, in seconds. */
const RECONNECT_SECONDS = 2;

/** The first chunk: a reader sees at once that the feed works. */
const HEAD = `:\nretry: ${RECONNECT_SECONDS * 1000}\n\n`;

const BYE = `event: bye\ndata: {"type":"bye","reconnect_after":${RECONNECT_SECONDS}}\n\n`;

/** Proxies and compressing middleware would keep messages back. */
const HEADERS: HttpResponse["headers"] = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** An app that ends waits for idle connections, too. HTTP/2 has no such header. */
const CLOSING_HEADERS: HttpResponse["headers"] = { ...HEADERS, connection: "close" };

/** docs/guides/feed.md. */
export const feedHandlers: Handlers<keyof typeof FEED_OPERATIONS> = {
  async readFeed(request, { service, query }) {
    const { types, after, buckets } = readQuery("readFeed", query);
    const wanted = {
      buckets: buckets ?? undefined,
      types: types?.split(","),
      after: request.header("last-event-id") ?? after ?? undefined,
    };
    const reader = await service.openFeed(wanted, () => request.disconnect?.());
    const leave = (): void => void reader.return();
    // Also while a pull waits, which generators do not allow.
    request.onGone?.(leave);
    request.onCanceled = leave;
    const headers = request.host.node?.httpVersionMajor === 1 ? CLOSING_HEADERS : HEADERS;
    return { status: 200, headers, body: serialize(reader, request) };
  },
};

async function* serialize(reader: FeedReader, request: RequestContext): AsyncGenerator<Chunk> {
  const { host } = request;
  const countAgain = leaveUncounted(host.node?.socket);
  const ignoreHost = onHostEnd(host, () => reader.endByServer());
  try {
    yield HEAD;
    for (;;) {
      const { done, value } = await reader.next();
      if (done) {
        if (value === "bye") yield BYE;
        return;
      }
      if (value.items.length === 0) await checkAgain(request);
      yield serializeBatch(value);
    }
  } finally {
    countAgain();
    ignoreHost();
    await reader.return();
  }
}

/** Ends the feed of a caller whom the app no longer allows it. @throws AbandonedError */
async function checkAgain({ recheck }: RequestContext): Promise<void> {
  try {
    await recheck?.();
  } catch {
    throw new AbandonedError();
  }
}

const encoder = new TextEncoder();
/** Many readers get the same batch. */
const serialized: WeakMap<FeedBatch, Uint8Array> = new WeakMap();

function serializeBatch(batch: FeedBatch): Chunk {
  const { items, cursor } = batch;
  // A reader of few changes also learns how far it has read.
  if (items.length === 0) return `:\nid: ${cursor}\n\n`;
  let bytes = serialized.get(batch);
  if (bytes === undefined) {
    const messages = items.map((item) => `id: ${item.cursor}\nevent: ${item.message.type}\ndata: ${item.json}\n\n`);
    bytes = encoder.encode(messages.join(""));
    serialized.set(batch, bytes);
  }
  return bytes;
}
