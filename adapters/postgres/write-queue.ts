/** A heartbeat that waits for its turn. */
interface Waiting<Beat, Answer> {
  readonly beat: Beat;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/** The last thing of a bucket that is not done yet. */
interface Tail<Beat, Answer> {
  /** Never rejects. */
  readonly done: Promise<void>;
  /** Heartbeats that were not sent yet; more may join. `undefined`: nobody may. */
  joinable: Waiting<Beat, Answer>[] | undefined;
}

/** Heartbeats of one bucket that are to be sent. */
interface Group<Beat, Answer> {
  readonly tail: Tail<Beat, Answer>;
  readonly beats: Waiting<Beat, Answer>[];
  end(): void;
}

/** Statements with heartbeats under way at once; what arrives meanwhile travels together in the next one. */
const MOST_STATEMENTS = 2;
/** Heartbeats of one statement. */
const MOST_BEATS = 1_000;

/**
 * Keeps the order of writes to each bucket, and gathers heartbeats: those of one turn, of whatever buckets, are sent
 * together. A bucket is never in two statements at once.
 */
export class WriteQueue<Beat, Answer> {
  readonly #send: (beats: readonly Beat[]) => Promise<readonly Answer[]>;
  readonly #tails: Map<string, Tail<Beat, Answer>> = new Map();
  readonly #ready: Group<Beat, Answer>[] = [];
  #underWay = 0;
  #isScheduled = false;

  /** @param send answers one for each, in their order */
  constructor(send: (beats: readonly Beat[]) => Promise<readonly Answer[]>) {
    this.#send = send;
  }

  /** Runs a write when those to the same key that were called before are done. */
  run<T>(key: string, write: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key)?.done;
    const result = before === undefined ? write() : before.then(write);
    const ignore = (): void => {};
    this.#hold(key, { done: result.then(ignore, ignore), joinable: undefined });
    return result;
  }

  /** Sends a heartbeat when the writes to the same key that were called before are done. */
  beat(key: string, beat: Beat): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiting = { beat, resolve, reject };
      const tail = this.#tails.get(key);
      if (tail?.joinable !== undefined && tail.joinable.length < MOST_BEATS) tail.joinable.push(waiting);
      else this.#begin(key, tail?.done, [waiting]);
    });
  }

  /** Resolves when everything that was begun is done. */
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
    const enlist = (): void => {
      this.#ready.push({ tail, beats, end });
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

  /** At the end of this turn, when all that came with it has joined. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#ready.length > 0 && this.#underWay < MOST_STATEMENTS) void this.#sendNext();
    });
  }

  async #sendNext(): Promise<void> {
    const groups: Group<Beat, Answer>[] = [];
    for (let count = 0; count < MOST_BEATS && this.#ready.length > 0; ) {
      const group = this.#ready.shift() as Group<Beat, Answer>;
      group.tail.joinable = undefined;
      groups.push(group);
      count += group.beats.length;
    }
    const waiting = groups.flatMap(({ beats }) => beats);
    this.#underWay++;
    try {
      const answers = await this.#send(waiting.map(({ beat }) => beat));
      for (const [index, { resolve }] of waiting.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
    this.#underWay--;
    for (const { end } of groups) end();
    this.#schedule();
  }
}
