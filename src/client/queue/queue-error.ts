/**
 * All ways in which a call of a heartbeat queue can fail.
 *
 * | code | meaning |
 * |---|---|
 * | `INVALID_EVENT` | the argument is not a valid event; it was not taken |
 * | `LOCKED` | another queue uses the file; the message names its process |
 * | `OTHER_BUCKET` | the file contains events of another bucket; it was not changed |
 * | `CLOSED` | used after `close()` |
 * | `ABORTED` | the caller's signal ended the wait; events stay in the queue |
 */
export type HeartbeatQueueErrorCode = "INVALID_EVENT" | "LOCKED" | "OTHER_BUCKET" | "CLOSED" | "ABORTED";

/**
 * A refused call of a heartbeat queue, with a code to branch on. A server that is down is not an error: the queue
 * waits.
 */
export class HeartbeatQueueError extends Error {
  readonly code: HeartbeatQueueErrorCode;

  constructor(code: HeartbeatQueueErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HeartbeatQueueError";
    this.code = code;
  }
}
