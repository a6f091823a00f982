import type { Release } from "../util/admission.js";
import type { Waiting } from "../util/waiting.js";
import type { RequestContext } from "./request-context.js";
import { RequestQueue } from "./request-queue.js";

/** Requests of one step over whole buckets that are carried out at a time; each may hold something of each event. */
const LIMITS = { capacity: 8, waitMillis: 30_000, mostWaiting: 32 };

/** What is to be known of such a request. */
export interface BulkRequest {
  readonly takesBody: boolean;
  /** Called after the wait. @throws ActivityError where the request is refused by then */
  readonly recheckAccess: () => Waiting;
}

/** Bounds the requests over whole buckets. */
export class BulkAdmission {
  readonly #queue: RequestQueue = new RequestQueue(LIMITS, "too many read whole buckets");

  /**
   * Carries out a request when there is room for it. Room is taken when its body has come: one that never ends keeps
   * nobody out.
   *
   * @throws ActivityError `BUSY` when there is no room in time, AbandonedError
   */
  async during<Result>(request: RequestContext, bulk: BulkRequest, work: () => Promise<Result>): Promise<Result> {
    let release: Release | undefined;
    const enter = async (): Promise<void> => {
      release = await this.#queue.enter(request, 1);
      await bulk.recheckAccess();
    };
    try {
      if (bulk.takesBody) {
        request.afterBody = enter;
      } else {
        discardBody(request);
        await enter();
      }
      return await work();
    } finally {
      release?.();
    }
  }
}

/** Lets a body flow away that nobody will read: what has come of it would stay in memory while its answer waits. */
export function discardBody({ host: { node } }: RequestContext): void {
  node?.resume?.();
}
