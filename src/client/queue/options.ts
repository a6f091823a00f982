import type { ActivityClient, ClientBuckets, ClientEvents, NewBucket } from "../client-types.js";
import type { QueueLimit } from "./pending.js";
import type { Wait } from "./sleep.js";
import type { HeartbeatQueueWarning } from "./warning.js";

/** What a queue needs of a client: what `createClient()` and `connect()` make has it. */
export interface HeartbeatQueueClient extends Pick<ActivityClient, "heartbeat"> {
  readonly buckets: Pick<ClientBuckets, "create">;
  readonly events: Pick<ClientEvents, "list">;
}

/** How a queue reports, keeps and sends. */
export interface HeartbeatQueueOptions {
  /** The way to the server. */
  readonly client: HeartbeatQueueClient;
  /** The bucket that it reports to: a queue has one, and is the only one that reports to it. */
  readonly bucketId: string;
  /** What the bucket is created from, when it is not there. */
  readonly bucket: NewBucket;
  /** Longest gap between beats of the same activity, in seconds, 0 or more. */
  readonly pulsetime: number;
  /**
   * Seconds for which beats of the same activity are gathered before they are sent as one; 0 = each is sent at once.
   * Other data are sent at once in any case. @default 10
   */
  readonly commitInterval?: number | undefined;
  /**
   * A file that keeps what waits, so that it outlives the process. Needs Node, Deno or Bun. @default none: memory alone
   */
  readonly path?: string | undefined;
  /**
   * Whether what is in the file also outlives the power supply: each beat then waits for the disk, during which the
   * process stands still. Without it, it outlives the death of the process. @default false
   */
  readonly fsync?: boolean | undefined;
  /** Where the queue ends; beyond it the oldest events are dropped, with a warning. @default 100000 events, 32 MiB */
  readonly limit?: { readonly [Name in keyof QueueLimit]?: QueueLimit[Name] | undefined } | undefined;
  /**
   * Whether the queue sends what is left when the process ends: when it has nothing left to do, and on SIGTERM and
   * SIGINT, which it then raises again unless your app listens to them. The queue takes heartbeats until the end. Needs
   * Node, Deno or Bun. @default false
   */
  readonly flushOnExit?: boolean | undefined;
  /** Gets warnings; required, since nothing else reports lost events. */
  readonly onWarning: (warning: HeartbeatQueueWarning) => void;
  /** The time in Unix milliseconds, for tests. @default Date.now */
  readonly clock?: (() => number) | undefined;
  /**
   * Waits for so many milliseconds, or until the signal is aborted, for tests. Where it throws or rejects, a timer
   * takes over. @default a timer
   */
  readonly wait?: Wait | undefined;
  /** A number from 0 up to 1 that spreads the waits, for tests. @default Math.random */
  readonly random?: (() => number) | undefined;
}

/** Options that have been looked at, with their defaults. */
export interface CheckedOptions extends HeartbeatQueueOptions {
  readonly commitInterval: number;
  readonly limit: QueueLimit;
  readonly clock: () => number;
}

/** @throws TypeError for options that cannot work */
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
  throw new TypeError(`${name} must be a number of seconds of 0 or more, got ${value}`);
}

function checkCount(name: string, value: number): void {
  if (value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value > 0)) return;
  throw new TypeError(`${name} must be an integer above 0, got ${value}`);
}
