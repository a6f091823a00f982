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

/** Beats on their way to a bucket. */
export interface HeartbeatQueue {
  /**
   * Takes a beat. Beats of a queue take effect in the order in which they are handed in. The object is copied.
   *
   * @returns where it is safe: `disk` = it outlives this process; `memory` = there is no file, or it cannot be written
   * @throws HeartbeatQueueError `INVALID_EVENT`, `CLOSED`
   */
  heartbeat<Data extends object = JsonObject>(beat: QueueBeat<Data>): Promise<TakenTo>;
  /**
   * Sends what was taken, without waiting for more, and waits until nothing of it waits any more, however long that
   * takes: the server has it, has refused it for good, or it was dropped above the limit; see `state.dropped`.
   *
   * @throws HeartbeatQueueError `ABORTED`; `CLOSED` when the queue is closed meanwhile
   */
  flush(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * Tries to send what is left, and lets go of the file, which keeps what could not be sent. Never rejects; may be
   * called twice.
   *
   * @param options `timeoutMillis`: longest time to try, in milliseconds; 0 = not at all. Default 5000
   */
  close(options?: { readonly timeoutMillis?: number | undefined }): Promise<void>;
  /** How it is doing. */
  readonly state: HeartbeatQueueState;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a queue, which begins at once to send what an earlier process has left in its file.
 *
 * @throws TypeError for options that cannot work; HeartbeatQueueError `LOCKED`, `OTHER_BUCKET`
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
