import type { ActivityError } from "../../src/errors.js";
import { BatchingDelay } from "./batching-delay.js";
import { MAX_WAIT_MILLIS } from "./database.js";
import { unsentError } from "./failures.js";

/** A heartbeat that waits to be sent. */
interface Waiting<Beat, Answer> {
  readonly beat: Beat;
  /** When it expires, by `performance.now()`. */
  readonly until: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The last writes of a key that has unfinished ones. */
interface Tail<Beat, Answer> {
  /** Never rejects. */
  readonly done: Promise<void>;
  /** Unsent heartbeats, which more may join; `undefined` if none may. */
  joinable: Waiting<Beat, Answer>[] | undefined;
}

/** Heartbeats of one bucket to send. */
interface Group<Beat, Answer> {
  readonly tail: Tail<Beat, Answer>;
  /** In the order of arrival. */
  readonly beats: Waiting<Beat, Answer>[];
  end(): void;
}

/** Maximum concurrent statements with heartbeats. Further heartbeats share the next one. */
const MAX_STATEMENTS = 2;
/** Maximum heartbeats of one statement. */
const MAX_HEARTBEATS = 1_000;
/** Maximum buckets of one statement: it locks all of them until the commit. */
const MAX_BUCKETS = 100;
/** Maximum waiting writes. More are refused at once, so that a stuck database does not fill the memory. */
const MAX_WAITING = 10_000;

/**
 * Keeps the order of writes to each bucket, and batches heartbeats. All heartbeats of one event-loop turn are sent
 * together, and under load those of several turns. A bucket is never in two statements at once. A write that waits too
 * long is refused and never sent.
 */
export class WriteQueue<Beat, Answer> {
  readonly #send: (beats: readonly Beat[]) => Promise<readonly Answer[]>;
  readonly #tails: Map<string, Tail<Beat, Answer>> = new Map();
  readonly #ready: Group<Beat, Answer>[] = [];
  /** Unsent groups, ready or waiting for earlier writes. */
  readonly #groups: Set<Group<Beat, Answer>> = new Set();
  #waiting = 0;
  #runningStatements = 0;
  #runningBuckets = 0;
  readonly #batchingDelay = new BatchingDelay(MAX_BUCKETS);
  #isScheduled = false;
  #delayTimer: NodeJS.Timeout | undefined;
  #expiryTimer: NodeJS.Timeout | undefined;

  /** @param send returns a result for each heartbeat, in order */
  constructor(send: (beats: readonly Beat[]) => Promise<readonly Answer[]>) {
    this.#send = send;
  }

  /** Runs a write after earlier ones to the same key. */
  run<T>(key: string, write: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key)?.done;
    const ignore = (): void => {};
    if (before === undefined) {
      const result = write();
      this.#setTail(key, { done: result.then(ignore, ignore), joinable: undefined });
      return result;
    }
    if (this.#waiting >= MAX_WAITING) return Promise.reject(tooManyError());
    return new Promise((resolve, reject) => {
      this.#waiting++;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(tooLateError());
      }, MAX_WAIT_MILLIS);
      const done = before.then(() => {
        this.#waiting--;
        clearTimeout(timer);
        return isLate ? undefined : write().then(resolve, reject);
      });
      this.#setTail(key, { done, joinable: undefined });
    });
  }

  /** Runs a write after all earlier ones to these keys. Later ones wait for it. */
  runAll<T>(keys: readonly string[], write: () => Promise<T>): Promise<T> {
    // Queue for all keys at once: every later write comes after this one everywhere, so a deadlock is impossible.
    const result = Promise.all(keys.map((key) => this.#tails.get(key)?.done)).then(write);
    const ignore = (): void => {};
    const done = result.then(ignore, ignore);
    for (const key of keys) this.#setTail(key, { done, joinable: undefined });
    return result;
  }

  /** Sends a heartbeat after earlier writes to the same key. */
  addHeartbeat(key: string, beat: Beat): Promise<Answer> {
    if (this.#waiting >= MAX_WAITING) return Promise.reject(tooManyError());
    return new Promise((resolve, reject) => {
      const waiting = { beat, until: performance.now() + MAX_WAIT_MILLIS, resolve, reject };
      this.#waiting++;
      const tail = this.#tails.get(key);
      if (tail?.joinable !== undefined && tail.joinable.length < MAX_HEARTBEATS) tail.joinable.push(waiting);
      else this.#addGroup(key, tail?.done, [waiting]);
      this.#expiryTimer ??= setTimeout(() => this.#rejectExpired(), MAX_WAIT_MILLIS);
    });
  }

  /** Resolves when all started writes are done. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(Array.from(this.#tails.values(), ({ done }) => done));
  }

  #addGroup(key: string, before: Promise<void> | undefined, beats: Waiting<Beat, Answer>[]): void {
    let end = (): void => {};
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    const tail: Tail<Beat, Answer> = { done, joinable: beats };
    this.#setTail(key, tail);
    const group = { tail, beats, end };
    this.#groups.add(group);
    const markReady = (): void => {
      this.#ready.push(group);
      this.#schedule();
    };
    if (before === undefined) markReady();
    else void before.then(markReady);
  }

  #setTail(key: string, tail: Tail<Beat, Answer>): void {
    this.#tails.set(key, tail);
    void tail.done.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
  }

  /** Refuses heartbeats that have waited too long. An empty group is sent as a no-op. */
  #rejectExpired(): void {
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const { beats } of this.#groups) {
      const kept = beats.findIndex(({ until }) => until > now);
      const late = beats.splice(0, kept < 0 ? beats.length : kept);
      this.#waiting -= late.length;
      for (const { reject } of late) reject(tooLateError());
      next = Math.min(next, beats[0]?.until ?? next);
    }
    this.#expiryTimer =
      next === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => this.#rejectExpired(), next - now + 1);
  }

  /** Sends at the end of this event-loop turn, when all its heartbeats have joined. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendReady();
    });
  }

  #sendReady(): void {
    while (this.#ready.length > 0 && this.#runningStatements < MAX_STATEMENTS) {
      const millis = this.#batchingDelay.waitMillis(this.#ready.length, performance.now());
      if (millis > 0) {
        this.#delayTimer ??= setTimeout(() => {
          this.#delayTimer = undefined;
          this.#sendReady();
        }, millis);
        return;
      }
      void this.#sendNext();
    }
  }

  async #sendNext(): Promise<void> {
    this.#batchingDelay.recordStatement(this.#runningBuckets + this.#ready.length);
    const groups: Group<Beat, Answer>[] = [];
    for (let count = 0; count < MAX_HEARTBEATS && groups.length < MAX_BUCKETS && this.#ready.length > 0; ) {
      const group = this.#ready.shift() as Group<Beat, Answer>;
      group.tail.joinable = undefined;
      this.#groups.delete(group);
      groups.push(group);
      count += group.beats.length;
    }
    const sent = groups.flatMap(({ beats }) => beats);
    this.#waiting -= sent.length;
    this.#stopExpiryTimer();
    this.#runningStatements++;
    this.#runningBuckets += groups.length;
    try {
      const answers = sent.length === 0 ? [] : await this.#send(sent.map(({ beat }) => beat));
      for (const [index, { resolve }] of sent.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
    this.#runningStatements--;
    this.#runningBuckets -= groups.length;
    for (const { end } of groups) end();
    this.#schedule();
  }

  /** An unused timer would keep the process alive. */
  #stopExpiryTimer(): void {
    if (this.#groups.size > 0) return;
    clearTimeout(this.#expiryTimer);
    this.#expiryTimer = undefined;
  }
}

function tooLateError(): ActivityError {
  return unsentError("earlier writes take too long");
}

function tooManyError(): ActivityError {
  return unsentError("too many writes are waiting for the database");
}
