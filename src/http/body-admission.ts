import type { RequestContext } from "./request-context.js";
import { RequestQueue } from "./request-queue.js";

/** Bytes of all large bodies that are read or worked on at a time. */
const MOST_BYTES = 64 * 1024 * 1024;
/** What is smaller is not counted: heartbeats wait for nobody. */
const SMALL_BYTES = 64 * 1024;
/** Nor is one of unknown length where no more than this is read: a heartbeat in chunks waits for nobody either. */
const SMALL_LIMIT_BYTES = 1024 * 1024;
/** How long a large body may wait in the queue, in milliseconds. */
const WAIT_MILLIS = 20_000;

/** Bounds the memory of large bodies together. */
export class BodyAdmission {
  readonly #queue: RequestQueue;

  /** @param waitMillis how long one may wait in the queue */
  constructor(waitMillis: number = WAIT_MILLIS) {
    this.#queue = new RequestQueue({ capacity: MOST_BYTES, waitMillis }, "too many large bodies are being read");
  }

  /**
   * Does something that needs the whole body; a large one waits until others are done. Until then nothing of it is
   * read, so the client holds it.
   *
   * @param limitBytes largest body that is read
   * @throws ActivityError `BUSY` when there is no room in time
   */
  during<Result>(request: RequestContext, limitBytes: number, work: () => Promise<Result>): Promise<Result> {
    const bytes = bytesOf(request, limitBytes);
    return bytes <= SMALL_BYTES ? work() : this.#queue.during(request, bytes, work);
  }
}

/** How large the body can become; 0 for one that is refused before it is read. */
function bytesOf(request: RequestContext, limitBytes: number): number {
  const length = Number(request.header("content-length") ?? Number.NaN);
  if (!Number.isNaN(length)) return length > limitBytes ? 0 : length;
  // Without a length a body comes in chunks, or over HTTP/2; that of a Request is in memory already, or the embedder's.
  const { node } = request.host;
  const isUnknown = request.header("transfer-encoding") !== undefined || (node?.httpVersionMajor ?? 1) > 1;
  return isUnknown && limitBytes > SMALL_LIMIT_BYTES ? limitBytes : 0;
}
