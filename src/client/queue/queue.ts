import type { JsonObject } from "../../domain/json.js";
import { secondsToMicros } from "../../domain/time.js";
import { backOff } from "../back-off.js";
import { retryAfterMillis } from "../retries.js";
import { parseBeat, type QueueBeat } from "./beat.js";
import { Delivery, type Outcome } from "./delivery.js";
import { atExit } from "./exit.js";
import { FailureLog } from "./failure-log.js";
import { type Journal, type Live, NO_JOURNAL, openJournal } from "./journal.js";
import { nodeParts } from "./node.js";
import type { CheckedOptions } from "./options.js";
import { bytesOf, type Group, Pending } from "./pending.js";
import { HeartbeatQueueError } from "./queue-error.js";
import { beatLine, doneLine, droppedLine, headerLine, NOTHING, type Recovered, sendingLine } from "./records.js";
import { orAborted, safeWait } from "./sleep.js";
import { Waiters } from "./waiters.js";
import { type Warn, warnTo } from "./warning.js";

/** Where a heartbeat is stored. */
export type TakenTo = "disk" | "memory";

export interface HeartbeatQueueState {
  /** Waiting events, after merging. */
  readonly size: number;
  /** Their approximate bytes. */
  readonly bytes: number;
  /** Events that were sent since the queue was opened. */
  readonly sent: number;
  /** Events dropped since then: above the limit, or refused by the server. */
  readonly dropped: number;
  /** Whether the last request succeeded; `undefined` before the first one. */
  readonly isReachable: boolean | undefined;
  /** Whether all waiting events are in the file. */
  readonly isOnDisk: boolean;
}

const CLOSE_MILLIS = 5_000;

/**
 * Merges heartbeats, stores them, and sends one event after another. See docs/guides/client-queue.md for the
 * guarantees.
 */
export class Queue {
  readonly #options: CheckedOptions;
  readonly #warn: Warn;
  readonly #pending: Pending;
  readonly #journal: Journal;
  readonly #delivery: Delivery;
  readonly #failureLog: FailureLog;
  readonly #stop = new AbortController();
  readonly #waiters = new Waiters();
  #next: number;
  /** All heartbeats up to this number must be sent without delay. */
  #urgent = 0;
  #sent = 0;
  /** Ends the current wait; `isBackOff` = after a failed attempt. */
  #wait: { readonly isBackOff: boolean; readonly wake: AbortController } | undefined;
  #isRunning = false;
  #running: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #stayOnExit: () => void = () => {};
  #isReleased = false;

  constructor(options: CheckedOptions) {
    const { pulsetime, path, fsync = false, flushOnExit = false, bucketId, clock } = options;
    this.#options = options;
    this.#warn = warnTo(options.onWarning);
    this.#failureLog = new FailureLog(this.#warn, clock);
    this.#pending = new Pending(secondsToMicros(pulsetime));
    const node = path === undefined ? undefined : nodeParts("path");
    if (flushOnExit) nodeParts("flushOnExit");
    let found: Recovered = NOTHING;
    // Opening the file may rewrite it, which needs these two fields.
    this.#next = 1;
    this.#delivery = new Delivery(options, 0);
    const begin = (recovered: Recovered): Live => {
      found = recovered;
      this.#next = found.next;
      this.#delivery.eventId = found.eventId;
      this.#pending.restore(found.beats, found.sent);
      return this.#live();
    };
    this.#journal =
      node === undefined || path === undefined
        ? NO_JOURNAL
        : openJournal(node, { path, bucketId, fsync, clock, warn: this.#warn }, begin);
    if (flushOnExit) {
      this.#stayOnExit = atExit({ flush: () => this.#closing ?? this.#drain(CLOSE_MILLIS), close: () => this.#end() });
    }
    this.#trim();
    this.#start();
  }

  #live(): Live {
    const pending = this.#pending;
    const bucketBytes = Buffer.byteLength(JSON.stringify(this.#options.bucketId));
    return {
      lines: () => this.#lines(),
      bytes: () => pending.bytes + pending.size * bucketBytes,
      newest: () => this.#next - 1,
    };
  }

  *#lines(): Generator<string> {
    const { bucketId } = this.#options;
    yield headerLine({ bucketId, next: this.#next, eventId: this.#delivery.eventId });
    for (const { last, event, isFrozen } of this.#pending) {
      yield beatLine(bucketId, { n: last, event });
      if (isFrozen) yield sendingLine(last);
    }
  }

  get state(): HeartbeatQueueState {
    return {
      size: this.#pending.size,
      bytes: this.#pending.bytes,
      sent: this.#sent,
      dropped: this.#failureLog.dropped,
      isReachable: this.#failureLog.isReachable,
      isOnDisk: this.#journal.isWritten,
    };
  }

  async heartbeat<Data extends object = JsonObject>(beat: QueueBeat<Data>): Promise<TakenTo> {
    if (this.#closing !== undefined) throw closed();
    const { clock, limit } = this.#options;
    const now = clock();
    const event = parseBeat(beat, now);
    if (bytesOf(event) > limit.bytes) {
      throw new HeartbeatQueueError("INVALID_EVENT", `the event is larger than the limit of ${limit.bytes} bytes`);
    }
    const taken = { n: this.#next++, event };
    this.#pending.take(taken, now);
    this.#journal.append(beatLine(this.#options.bucketId, taken), taken.n);
    this.#trim();
    this.#start();
    return this.#journal.isWritten ? "disk" : "memory";
  }

  #trim(): void {
    const dropped = this.#pending.trim(this.#options.limit);
    if (dropped === undefined) return;
    this.#journal.append(droppedLine(dropped.range));
    this.#failureLog.overflow(dropped.count);
    this.#settle();
  }

  /** Starts to send, or wakes up a send loop that waits for heartbeats. */
  #start(): void {
    if (this.#wait?.isBackOff === false) this.#wait.wake.abort();
    if (this.#pending.head === undefined || this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    for (let head = this.#pending.head; head !== undefined; head = this.#pending.head) {
      if (this.#stop.signal.aborted) break;
      const wait = this.#millisUntilDue(head);
      if (wait > 0) await this.#pause(wait, false);
      else await this.#sendHead(head);
    }
    // No `await` since the check of the head: a heartbeat must not come in between.
    this.#isRunning = false;
  }

  /** How long an event may still grow before it is sent. */
  #millisUntilDue(group: Group): number {
    const { clock, commitInterval } = this.#options;
    if (this.#pending.size > 1 || group.isFrozen || group.first <= this.#urgent) return 0;
    if (group.event.duration >= secondsToMicros(commitInterval)) return 0;
    const now = clock();
    // The clock may have been set back.
    group.takenAt = Math.min(group.takenAt, now);
    return Math.max(0, group.takenAt + commitInterval * 1000 - now);
  }

  async #sendHead(head: Group): Promise<void> {
    if (!head.isFrozen) {
      head.isFrozen = true;
      this.#journal.append(sendingLine(head.last));
    }
    const { signal } = this.#stop;
    const outcome = await orAborted(this.#delivery.attempt(head, signal), signal);
    // Closing interrupted the attempt: the next run finds the event in the file.
    if (outcome === undefined || (signal.aborted && outcome.kind === "unreachable")) return;
    const failures = this.#failureLog.note(outcome);
    if (outcome.kind === "done" || outcome.kind === "refused") this.#finish(head, outcome);
    else await this.#pause(waitMillis(outcome.error, failures - 1, this.#options.random), true);
  }

  #finish(head: Group, outcome: Outcome): void {
    const isDone = outcome.kind === "done";
    if (isDone) this.#sent++;
    this.#pending.removeHead();
    this.#journal.append(doneLine(head.last, isDone ? this.#delivery.eventId : undefined));
    // Events are sent in order: if the server lacked this one, it lacks all later ones.
    if (isDone && !outcome.wasStored && this.#pending.head?.inDoubt) {
      for (const group of this.#pending) group.inDoubt = false;
    }
    this.#settle();
  }

  async #pause(millis: number, isBackOff: boolean): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const wake = new AbortController();
    this.#wait = { isBackOff, wake };
    await safeWait(this.#options.wait, millis, wake.signal, this.#waiters.size > 0);
    this.#wait = undefined;
  }

  #settle(): void {
    this.#waiters.settle(this.#pending.head?.first ?? this.#next);
  }

  async flush(signal?: AbortSignal): Promise<void> {
    if (this.#closing !== undefined) throw closed();
    await this.#flush(signal);
  }

  #flush(signal?: AbortSignal): Promise<void> {
    const newest = this.#next - 1;
    const flushed = this.#waiters.until(newest, signal);
    if (signal?.aborted) return flushed;
    this.#urgent = Math.max(this.#urgent, newest);
    this.#wait?.wake.abort();
    this.#settle();
    return flushed;
  }

  close(timeoutMillis: number = CLOSE_MILLIS): Promise<void> {
    this.#closing ??= this.#close(timeoutMillis);
    return this.#closing;
  }

  async #close(timeoutMillis: number): Promise<void> {
    if (timeoutMillis > 0) await this.#drain(timeoutMillis);
    this.#stop.abort();
    this.#wait?.wake.abort();
    this.#waiters.fail(closed());
    await this.#running;
    this.#release();
  }

  /** Sends everything, and from now on each heartbeat at once. Returns when the queue is empty, or after this time. */
  async #drain(timeoutMillis: number): Promise<void> {
    this.#urgent = Number.POSITIVE_INFINITY;
    const over = new AbortController();
    const sendAll = async (): Promise<void> => {
      while (this.#pending.head !== undefined) await this.#flush(over.signal);
    };
    const wait = safeWait(this.#options.wait, timeoutMillis, over.signal, true);
    await Promise.race([sendAll().catch(() => {}), wait]);
    over.abort();
  }

  /** Closes at the end of the process, without waiting. The next process repeats an unfinished request. */
  #end(): void {
    this.#closing ??= Promise.resolve();
    this.#stop.abort();
    this.#release();
  }

  #release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#stayOnExit();
    this.#failureLog.reportOverflow();
    const kept = this.#journal.close();
    const lost = [...this.#pending].filter(({ last }) => last > kept).length;
    if (lost > 0) this.#warn("LOST", `closed with ${lost} events that are neither sent nor in a file`, { count: lost });
  }
}

/** Longest wait that a server can request, in milliseconds: its state may change earlier. */
const MAX_ASKED_MILLIS = 60 * 60_000;

/** The wait after a failed attempt: the server's request, at least the back-off. */
function waitMillis(error: unknown, attempt: number, random: (() => number) | undefined): number {
  return Math.max(backOff(attempt, random), Math.min(retryAfterMillis(error) ?? 0, MAX_ASKED_MILLIS));
}

function closed(): HeartbeatQueueError {
  return new HeartbeatQueueError("CLOSED", "the heartbeat queue is closed");
}
