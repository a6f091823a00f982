import type { Release } from "../util/admission.js";
import type { Waiting } from "../util/waiting.js";
import type { RequestContext } from "./request-context.js";
import { RequestQueue } from "./request-queue.js";

/** Requests over whole buckets that run at a time, each in one step. Each may need memory for every event. */
const LIMITS = { capacity: 8, waitMillis: 30_000, mostWaiting: 32 };

/** Facts about such a request. */
export interface BulkRequest {
  readonly takesBody: boolean;
  /** Called after the wait. @throws ActivityError if the request is no longer allowed */
  readonly recheckAccess: () => Waiting;
}

/** Bounds the requests over whole buckets. */
export class BulkAdmission {
  readonly #queue: RequestQueue = new RequestQueue(LIMITS, "too many read whole buckets");

  /**
   * Runs a request when there is room for it. It takes room only after its body has arrived, so that an endless body
   * blocks no one else.
   *
   * @throws ActivityError `BUSY` if there is no room in time, AbandonedError
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

/** Drains an unread body, which would otherwise stay in memory while its response waits. */
export function discardBody({ host: { node } }: RequestContext): void {
  node?.resume?.();
}
