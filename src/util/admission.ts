/** Ends what was admitted; a second call changes nothing. */
export type Release = () => void;

/** How much is admitted at a time, and how long one may wait in the queue. */
export interface AdmissionLimits {
  /** In whatever the weights are: bytes, or one for each. */
  readonly capacity: number;
  readonly waitMillis: number;
  /** @default unlimited */
  readonly mostWaiting?: number;
}

interface Waiting {
  readonly weight: number;
  /** Whether nobody waits any more. */
  readonly hasLeft: () => boolean;
  readonly admit: (release: Release | undefined) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Lets in as much as there is room for; what comes later waits in the queue, for a while. */
export class Admission {
  readonly #limits: AdmissionLimits;
  #queue: Waiting[] = [];
  #used = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /**
   * @param weight what is heavier than the capacity counts as that, and is let in alone
   * @param hasLeft whether who waits has left the queue; asked when a place matters
   * @returns `undefined` when the queue is too long, no room was made in time, or who waited has left
   */
  enter(weight = 1, hasLeft: () => boolean = () => false): Promise<Release | undefined> {
    const { capacity, waitMillis, mostWaiting = Number.POSITIVE_INFINITY } = this.#limits;
    const counted = Math.min(weight, capacity);
    if (this.#queue.length === 0 && this.#used + counted <= capacity) return Promise.resolve(this.#admitted(counted));
    if (this.#queue.length >= mostWaiting) this.#dismissLeft();
    if (this.#queue.length >= mostWaiting) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        weight: counted,
        hasLeft,
        admit: resolve,
        timer: setTimeout(() => {
          this.#queue.splice(this.#queue.indexOf(waiting), 1);
          resolve(undefined);
          // It may have stood in front of lighter ones.
          this.#advance();
        }, waitMillis),
      };
      this.#queue.push(waiting);
    });
  }

  #admitted(weight: number): Release {
    this.#used += weight;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#used -= weight;
      this.#advance();
    };
  }

  #advance(): void {
    for (;;) {
      const [first] = this.#queue;
      if (first?.hasLeft()) {
        this.#dismissLeft();
        continue;
      }
      if (first === undefined || this.#used + first.weight > this.#limits.capacity) return;
      this.#queue.shift();
      clearTimeout(first.timer);
      first.admit(this.#admitted(first.weight));
    }
  }

  #dismissLeft(): void {
    const left = this.#queue.filter(({ hasLeft }) => hasLeft());
    this.#queue = this.#queue.filter((waiting) => !left.includes(waiting));
    for (const { timer, admit } of left) {
      clearTimeout(timer);
      admit(undefined);
    }
  }
}
