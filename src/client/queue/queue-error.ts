/**
 * Every way in which a call of a heartbeat queue can fail. The list is closed.
 *
 * | code | meaning |
 * |---|---|
 * | `INVALID_EVENT` | what was handed in is no event; it was not taken |
 * | `LOCKED` | another queue uses the file; the message names its process |
 * | `OTHER_BUCKET` | the file holds events of another bucket; it was not touched |
 * | `CLOSED` | used after `close()` |
 * | `ABORTED` | the caller's signal ended the wait; what was taken stays in the queue |
 */
export type HeartbeatQueueErrorCode = "INVALID_EVENT" | "LOCKED" | "OTHER_BUCKET" | "CLOSED" | "ABORTED";

/** A refused call of a heartbeat queue, with a code to branch on. A server that is down is none: the queue waits. */
export class HeartbeatQueueError extends Error {
  readonly code: HeartbeatQueueErrorCode;

  constructor(code: HeartbeatQueueErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HeartbeatQueueError";
    this.code = code;
  }
}
