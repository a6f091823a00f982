import type { ActivityError } from "../../src/errors.js";
import { PATIENCE_MILLIS } from "./database.js";
import { notSent } from "./failures.js";
import { Gathering } from "./gathering.js";

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
const MOST_STATEMENTS = 2;
/** Maximum heartbeats of one statement. */
const MOST_BEATS = 1_000;
/** Maximum buckets of one statement: it locks all of them until the commit. */
const MOST_BUCKETS = 100;
/** Maximum waiting writes. More are refused at once, so that a stuck database does not fill the memory. */
const MOST_WAITING = 10_000;

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
  #underWay = 0;
  #bucketsUnderWay = 0;
  readonly #gathering = new Gathering(MOST_BUCKETS);
  #isScheduled = false;
  #lookAgain: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;

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
      this.#hold(key, { done: result.then(ignore, ignore), joinable: undefined });
      return result;
    }
    if (this.#waiting >= MOST_WAITING) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      this.#waiting++;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(tooLate());
      }, PATIENCE_MILLIS);
      const done = before.then(() => {
        this.#waiting--;
        clearTimeout(timer);
        return isLate ? undefined : write().then(resolve, reject);
      });
      this.#hold(key, { done, joinable: undefined });
    });
  }

  /** Runs a write after all earlier ones to these keys. Later ones wait for it. */
  runAll<T>(keys: readonly string[], write: () => Promise<T>): Promise<T> {
    // Queue for all keys at once: every later write comes after this one everywhere, so a deadlock is impossible.
    const result = Promise.all(keys.map((key) => this.#tails.get(key)?.done)).then(write);
    const ignore = (): void => {};
    const done = result.then(ignore, ignore);
    for (const key of keys) this.#hold(key, { done, joinable: undefined });
    return result;
  }

  /** Sends a heartbeat after earlier writes to the same key. */
  beat(key: string, beat: Beat): Promise<Answer> {
    if (this.#waiting >= MOST_WAITING) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const waiting = { beat, until: performance.now() + PATIENCE_MILLIS, resolve, reject };
      this.#waiting++;
      const tail = this.#tails.get(key);
      if (tail?.joinable !== undefined && tail.joinable.length < MOST_BEATS) tail.joinable.push(waiting);
      else this.#begin(key, tail?.done, [waiting]);
      this.#sweep ??= setTimeout(() => this.#giveUp(), PATIENCE_MILLIS);
    });
  }

  /** Resolves when all started writes are done. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(Array.from(this.#tails.values(), ({ done }) => done));
  }

  #begin(key: string, before: Promise<void> | undefined, beats: Waiting<Beat, Answer>[]): void {
    let end = (): void => {};
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    const tail: Tail<Beat, Answer> = { done, joinable: beats };
    this.#hold(key, tail);
    const group = { tail, beats, end };
    this.#groups.add(group);
    const enlist = (): void => {
      this.#ready.push(group);
      this.#schedule();
    };
    if (before === undefined) enlist();
    else void before.then(enlist);
  }

  #hold(key: string, tail: Tail<Beat, Answer>): void {
    this.#tails.set(key, tail);
    void tail.done.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
  }

  /** Refuses heartbeats that have waited too long. An empty group is sent as a no-op. */
  #giveUp(): void {
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const { beats } of this.#groups) {
      const kept = beats.findIndex(({ until }) => until > now);
      const late = beats.splice(0, kept < 0 ? beats.length : kept);
      this.#waiting -= late.length;
      for (const { reject } of late) reject(tooLate());
      next = Math.min(next, beats[0]?.until ?? next);
    }
    this.#sweep = next === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => this.#giveUp(), next - now + 1);
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
    while (this.#ready.length > 0 && this.#underWay < MOST_STATEMENTS) {
      const millis = this.#gathering.waitMillis(this.#ready.length, performance.now());
      if (millis > 0) {
        this.#lookAgain ??= setTimeout(() => {
          this.#lookAgain = undefined;
          this.#sendReady();
        }, millis);
        return;
      }
      void this.#sendNext();
    }
  }

  async #sendNext(): Promise<void> {
    this.#gathering.begin(this.#bucketsUnderWay + this.#ready.length);
    const groups: Group<Beat, Answer>[] = [];
    for (let count = 0; count < MOST_BEATS && groups.length < MOST_BUCKETS && this.#ready.length > 0; ) {
      const group = this.#ready.shift() as Group<Beat, Answer>;
      group.tail.joinable = undefined;
      this.#groups.delete(group);
      groups.push(group);
      count += group.beats.length;
    }
    const sent = groups.flatMap(({ beats }) => beats);
    this.#waiting -= sent.length;
    this.#stopSweep();
    this.#underWay++;
    this.#bucketsUnderWay += groups.length;
    try {
      const answers = sent.length === 0 ? [] : await this.#send(sent.map(({ beat }) => beat));
      for (const [index, { resolve }] of sent.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
    this.#underWay--;
    this.#bucketsUnderWay -= groups.length;
    for (const { end } of groups) end();
    this.#schedule();
  }

  /** An unused timer would keep the process alive. */
  #stopSweep(): void {
    if (this.#groups.size > 0) return;
    clearTimeout(this.#sweep);
    this.#sweep = undefined;
  }
}

function tooLate(): ActivityError {
  return notSent("earlier writes take too long");
}

function tooMany(): ActivityError {
  return notSent("too many writes are waiting for the database");
}
