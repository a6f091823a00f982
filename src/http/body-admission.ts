import { BodyPace } from "./body-pace.js";
import type { RequestContext } from "./request-context.js";
import { RequestQueue } from "./request-queue.js";

/** Total bytes of large bodies that are read or processed at a time. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Smaller bodies skip the queue, so heartbeats never wait. */
const SMALL_BYTES = 64 * 1024;
/** Bodies of unknown length skip the queue if their limit is at most this: heartbeats in chunks do not wait either. */
const SMALL_LIMIT_BYTES = 1024 * 1024;
/** How long a large body may wait in the queue, in milliseconds. */
const WAIT_MILLIS = 20_000;

/** Bodies that wait at a time. The part that Node has already received stays in memory, perhaps in tiny chunks. */
const MAX_WAITING = 32;

/** Times that a test may change, in milliseconds. */
export interface AdmissionTimes {
  /** How long a body may wait in the queue. */
  readonly waitMillis?: number;
  /** How long the pace of a body is measured. */
  readonly windowMillis?: number;
}

/** Bounds the total memory of large bodies. */
export class BodyAdmission {
  readonly #queue: RequestQueue;
  readonly #pace: BodyPace;

  constructor({ waitMillis = WAIT_MILLIS, windowMillis }: AdmissionTimes = {}) {
    const limits = { capacity: MAX_BYTES, waitMillis, mostWaiting: MAX_WAITING };
    this.#queue = new RequestQueue(limits, "too many large bodies are being read");
    this.#pace = new BodyPace(windowMillis);
  }

  /**
   * Runs work that needs the whole body. A large body waits its turn unread, so the client keeps it. While others wait,
   * slow bodies make room.
   *
   * @param limitBytes largest body that is read
   * @throws ActivityError `BUSY` if there is no room in time
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

/** The largest possible size of the body; 0 if it is refused before it is read. */
function bytesOf(request: RequestContext, limitBytes: number): number {
  const length = Number(request.header("content-length") ?? Number.NaN);
  if (!Number.isNaN(length)) return length > limitBytes ? 0 : length;
  // A body without a length arrives in chunks, or over HTTP/2. The body of a Request is already in memory, or belongs
  // to the embedder.
  const { node } = request.host;
  const isUnknown = request.header("transfer-encoding") !== undefined || (node?.httpVersionMajor ?? 1) > 1;
  return isUnknown && limitBytes > SMALL_LIMIT_BYTES ? limitBytes : 0;
}
