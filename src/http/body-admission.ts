import { BodyPace } from "./body-pace.js";
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

/** Bodies that wait at a time. What Node has received of each stays in memory meanwhile, in tiny chunks perhaps. */
const MOST_WAITING = 32;

/** What a test may change, in milliseconds. */
export interface AdmissionTimes {
  /** How long one may wait in the queue. */
  readonly waitMillis?: number;
  /** How long the pace of a body is looked at. */
  readonly windowMillis?: number;
}

/** Bounds the memory of large bodies together. */
export class BodyAdmission {
  readonly #queue: RequestQueue;
  readonly #pace: BodyPace;

  constructor({ waitMillis = WAIT_MILLIS, windowMillis }: AdmissionTimes = {}) {
    const limits = { capacity: MOST_BYTES, waitMillis, mostWaiting: MOST_WAITING };
    this.#queue = new RequestQueue(limits, "too many large bodies are being read");
    this.#pace = new BodyPace(windowMillis);
  }

  /**
   * Does something that needs the whole body; a large one waits until others are done. Until then nothing of it is
   * read, so the client holds it. While one waits, those that come too slowly make room.
   *
   * @param limitBytes largest body that is read
   * @throws ActivityError `BUSY` when there is no room in time
   */
  during<Result>(request: RequestContext, limitBytes: number, work: () => Promise<Result>): Promise<Result> {
    const bytes = bytesOf(request, limitBytes);
    return bytes <= SMALL_BYTES ? work() : this.#admitLarge(request, bytes, work);
  }

  #admitLarge<Result>(request: RequestContext, bytes: number, work: () => Promise<Result>): Promise<Result> {
    return this.#pace.during(request, (admitted) =>
      this.#queue.during(request, bytes, () => {
        admitted();
        return work();
      }),
    );
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
