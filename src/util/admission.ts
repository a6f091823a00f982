/** Frees an admitted place; a second call changes nothing. */
export type Release = () => void;

/** Limits of admitted work, and of the queue. */
export interface AdmissionLimits {
  /** In the unit of the weights: bytes, or 1 per caller. */
  readonly capacity: number;
  readonly waitMillis: number;
  /** @default unlimited */
  readonly mostWaiting?: number;
}

interface Waiting {
  readonly weight: number;
  /** Whether the caller has stopped waiting. */
  readonly hasLeft: () => boolean;
  readonly admit: (release: Release | undefined) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Admits callers while there is room; later callers wait in the queue, for a limited time. */
export class Admission {
  readonly #limits: AdmissionLimits;
  #queue: Waiting[] = [];
  #used = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /**
   * @param weight a weight above the capacity is treated as the capacity, and admitted without others
   * @param hasLeft whether the waiting caller has left the queue; called when a place matters
   * @returns `undefined` if the queue is too long, no room became free in time, or the caller has left
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
          // It may have blocked lighter ones.
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
