/** Ends what was admitted; a second call changes nothing. */
export type Release = () => void;

/** How much is admitted at a time, and how long one may wait in line. */
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

/** Lets in as much as there is room for; what comes later waits in line, for a while. */
export class Admission {
  readonly #limits: AdmissionLimits;
  #line: Waiting[] = [];
  #used = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /**
   * @param weight what is heavier than the capacity counts as that, and is let in alone
   * @param hasLeft whether who waits has left the line; asked when a place matters
   * @returns `undefined` when the line is too long, no room was made in time, or who waited has left
   */
  enter(weight = 1, hasLeft: () => boolean = () => false): Promise<Release | undefined> {
    const { capacity, waitMillis, mostWaiting = Number.POSITIVE_INFINITY } = this.#limits;
    const counted = Math.min(weight, capacity);
    if (this.#line.length === 0 && this.#used + counted <= capacity) return Promise.resolve(this.#admitted(counted));
    if (this.#line.length >= mostWaiting) this.#dismissLeft();
    if (this.#line.length >= mostWaiting) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        weight: counted,
        hasLeft,
        admit: resolve,
        timer: setTimeout(() => {
          this.#line.splice(this.#line.indexOf(waiting), 1);
          resolve(undefined);
          // It may have stood in front of lighter ones.
          this.#advance();
        }, waitMillis),
      };
      this.#line.push(waiting);
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
      const [first] = this.#line;
      if (first?.hasLeft()) {
        this.#dismissLeft();
        continue;
      }
      if (first === undefined || this.#used + first.weight > this.#limits.capacity) return;
      this.#line.shift();
      clearTimeout(first.timer);
      first.admit(this.#admitted(first.weight));
    }
  }

  #dismissLeft(): void {
    const left = this.#line.filter(({ hasLeft }) => hasLeft());
    this.#line = this.#line.filter((waiting) => !left.includes(waiting));
    for (const { timer, admit } of left) {
      clearTimeout(timer);
      admit(undefined);
    }
  }
}
