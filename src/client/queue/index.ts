import type { JsonObject } from "../../domain/json.js";
import type { QueueBeat } from "./beat.js";
import { checkedOptions, type HeartbeatQueueOptions } from "./options.js";
import { type HeartbeatQueueState, Queue, type TakenTo } from "./queue.js";

export type { QueueBeat } from "./beat.js";
export type { HeartbeatQueueClient, HeartbeatQueueOptions } from "./options.js";
export type { QueueLimit } from "./pending.js";
export type { HeartbeatQueueState, TakenTo } from "./queue.js";
export { HeartbeatQueueError, type HeartbeatQueueErrorCode } from "./queue-error.js";
export type { HeartbeatQueueWarning, HeartbeatQueueWarningCode } from "./warning.js";

/** A queue of heartbeats for one bucket. */
export interface HeartbeatQueue {
  /**
   * Takes a heartbeat. Heartbeats of a queue apply in the order of the calls. The object is copied.
   *
   * @returns where it is stored: `disk` = it survives this process; `memory` = there is no file, or it is not writable
   * @throws HeartbeatQueueError `INVALID_EVENT`, `CLOSED`
   */
  heartbeat<Data extends object = JsonObject>(beat: QueueBeat<Data>): Promise<TakenTo>;
  /**
   * Sends all events at once and waits until none is left, however long that takes: the server has stored or
   * permanently refused them, or they were dropped above the limit; see `state.dropped`.
   *
   * @throws HeartbeatQueueError `ABORTED`; `CLOSED` if the queue is closed in the meantime
   */
  flush(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * Tries to send the remaining events, and closes the file, which keeps unsent ones. Never rejects. You may call it
   * twice.
   *
   * @param options `timeoutMillis`: longest time to try, in milliseconds; 0 = not at all. Default 5000
   */
  close(options?: { readonly timeoutMillis?: number | undefined }): Promise<void>;
  readonly state: HeartbeatQueueState;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a queue. It immediately sends the events that an earlier process left in its file.
 *
 * @throws TypeError for invalid options; HeartbeatQueueError `LOCKED`, `OTHER_BUCKET`
 */
export function createHeartbeatQueue(options: HeartbeatQueueOptions): HeartbeatQueue {
  const queue = new Queue(checkedOptions(options));
  return {
    heartbeat: (beat) => queue.heartbeat(beat),
    flush: ({ signal } = {}) => queue.flush(signal),
    close: ({ timeoutMillis } = {}) => queue.close(timeoutMillis),
    get state() {
      return queue.state;
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
}
