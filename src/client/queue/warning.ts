/**
 * What a queue warns about.
 *
 * | code | meaning |
 * |---|---|
 * | `UNREACHABLE` | the server does not respond, or not now; once until it responds again |
 * | `UNAUTHORIZED` | the bucket, the key or the way is refused; events are kept; once until that is fixed |
 * | `REFUSED` | the server refuses this one event for good; it is dropped |
 * | `OVERFLOW` | the limit is reached; the oldest events were dropped |
 * | `DAMAGED` | the file could not be read wholly; it was set aside, and what could be read is kept |
 * | `FILE` | the file cannot be written; events are kept in memory alone until it can be again |
 * | `LOST` | closed with events that are neither sent nor, wholly, in a file |
 */
export type HeartbeatQueueWarningCode =
  | "UNREACHABLE"
  | "UNAUTHORIZED"
  | "REFUSED"
  | "OVERFLOW"
  | "DAMAGED"
  | "FILE"
  | "LOST";

/** A warning, with a text for people. */
export interface HeartbeatQueueWarning {
  readonly code: HeartbeatQueueWarningCode;
  readonly message: string;
  /** How many events are lost by it; 0 when none is. */
  readonly count: number;
  /** The error behind it. */
  readonly cause?: unknown;
}

/** Takes warnings; what it throws is ignored. */
export type Warn = (
  code: HeartbeatQueueWarningCode,
  message: string,
  details?: { readonly count?: number; readonly cause?: unknown },
) => void;

/** Makes warnings of codes and texts; a failure of the listener takes nothing else down. */
export function warnTo(listener: (warning: HeartbeatQueueWarning) => void): Warn {
  return (code, message, { count = 0, cause } = {}) => {
    try {
      listener({ code, message, count, ...(cause !== undefined && { cause }) });
    } catch {
      // There is nowhere left to report it.
    }
  };
}

/** The text of whatever was thrown. */
export function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
