import type { ActivityClient, ClientBuckets, ClientEvents, NewBucket } from "../client-types.js";
import type { QueueLimit } from "./pending.js";
import type { Wait } from "./sleep.js";
import type { HeartbeatQueueWarning } from "./warning.js";

/** The part of a client that a queue needs. The results of `createClient()` and `connect()` fit. */
export interface HeartbeatQueueClient extends Pick<ActivityClient, "heartbeat"> {
  readonly buckets: Pick<ClientBuckets, "create">;
  readonly events: Pick<ClientEvents, "list">;
}

export interface HeartbeatQueueOptions {
  /** Sends to the server. */
  readonly client: HeartbeatQueueClient;
  /** The bucket of the queue. No other program should report to it. */
  readonly bucketId: string;
  /** Fields of the bucket, which is created if it does not exist. */
  readonly bucket: NewBucket;
  /** Longest gap between heartbeats of the same activity, in seconds, 0 or more. */
  readonly pulsetime: number;
  /**
   * Seconds for which heartbeats of the same activity are merged before they are sent as one; 0 sends each at once. A
   * change of data is always sent at once. @default 10
   */
  readonly commitInterval?: number | undefined;
  /** A file for unsent events, so that they survive the process. Needs Node, Deno or Bun. @default none: only memory */
  readonly path?: string | undefined;
  /**
   * Whether the file also survives a power failure: each heartbeat then blocks the process until it is on the disk.
   * Without it, the file survives a process crash. @default false
   */
  readonly fsync?: boolean | undefined;
  /**
   * The size limit of the queue. Above it, the oldest events are dropped, with a warning. @default 100000 events, 32
   * MiB
   */
  readonly limit?: { readonly [Name in keyof QueueLimit]?: QueueLimit[Name] | undefined } | undefined;
  /**
   * Whether the queue sends its remaining events when the process ends: when it has nothing left to do, and on SIGTERM
   * and SIGINT, which it then raises again unless your app listens to them. The queue takes heartbeats until the end.
   * Needs Node, Deno or Bun. @default false
   */
  readonly flushOnExit?: boolean | undefined;
  /** Receives warnings. Required, because lost events are reported nowhere else. */
  readonly onWarning: (warning: HeartbeatQueueWarning) => void;
  /** The time in Unix milliseconds, for tests. @default Date.now */
  readonly clock?: (() => number) | undefined;
  /**
   * Waits for a number of milliseconds, or until the signal is aborted, for tests. If it throws or rejects, a timer
   * takes over. @default a timer
   */
  readonly wait?: Wait | undefined;
  /** A number from 0 up to 1 that spreads the waits, for tests. @default Math.random */
  readonly random?: (() => number) | undefined;
}

export interface CheckedOptions extends HeartbeatQueueOptions {
  readonly commitInterval: number;
  readonly limit: QueueLimit;
  readonly clock: () => number;
}

/** @throws TypeError for invalid options */
export function checkedOptions(options: HeartbeatQueueOptions): CheckedOptions {
  const { commitInterval = 10, limit = {}, clock = Date.now, bucketId, pulsetime, path, onWarning } = options;
  const { events = 100_000, bytes = 32 * 1024 * 1024 } = limit;
  if (typeof bucketId !== "string" || bucketId === "")
    throw new TypeError("bucketId must be a string with at least one character");
  if (path === "") throw new TypeError("path must be a string with at least one character");
  if (typeof onWarning !== "function")
    throw new TypeError("onWarning must be a function: lost events have to be reported");
  checkSeconds("pulsetime", pulsetime);
  checkSeconds("commitInterval", commitInterval);
  checkCount("limit.events", events);
  checkCount("limit.bytes", bytes);
  return { ...options, commitInterval, limit: { events, bytes }, clock };
}

function checkSeconds(name: string, value: number): void {
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return;
  throw new TypeError(`${name} must be 0 or more seconds, got ${value}`);
}

function checkCount(name: string, value: number): void {
  if (value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value > 0)) return;
  throw new TypeError(`${name} must be an integer above 0, got ${value}`);
}
