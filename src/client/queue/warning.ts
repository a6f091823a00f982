/**
 * Warnings of a queue.
 *
 * | code | meaning |
 * |---|---|
 * | `UNREACHABLE` | the server does not respond; once until it responds again |
 * | `UNAUTHORIZED` | the bucket, the key or the URL is refused; events are kept; once until that is fixed |
 * | `REFUSED` | the server permanently refuses this event; it is dropped |
 * | `OVERFLOW` | the limit is reached; the oldest events were dropped |
 * | `DAMAGED` | the file was not fully readable; it was set aside, and the readable part is kept |
 * | `FILE` | the file is not writable; until it is again, events are only in memory |
 * | `LOST` | closed with events that are neither sent nor fully stored in a file |
 */
export type HeartbeatQueueWarningCode =
  | "UNREACHABLE"
  | "UNAUTHORIZED"
  | "REFUSED"
  | "OVERFLOW"
  | "DAMAGED"
  | "FILE"
  | "LOST";

export interface HeartbeatQueueWarning {
  readonly code: HeartbeatQueueWarningCode;
  readonly message: string;
  /** How many events it lost; 0 if none. */
  readonly count: number;
  /** The error that caused it. */
  readonly cause?: unknown;
}

/** Receives warnings; its errors are ignored. */
export type Warn = (
  code: HeartbeatQueueWarningCode,
  message: string,
  details?: { readonly count?: number; readonly cause?: unknown },
) => void;

/** Creates warnings. A failing listener has no other effect. */
export function warnTo(listener: (warning: HeartbeatQueueWarning) => void): Warn {
  return (code, message, { count = 0, cause } = {}) => {
    try {
      listener({ code, message, count, ...(cause !== undefined && { cause }) });
    } catch {
      // There is nowhere left to report it.
    }
  };
}

export function warningText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
