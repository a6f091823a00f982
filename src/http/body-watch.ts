import { busy } from "../errors.js";

/** Bytes a millisecond below which a body is slow: a few kB a second. */
const SLOW_RATE = 4;

/** Watches the body of a request that takes up room for which others may wait. */
export class BodyWatch {
  #received = 0;
  /** When its pace was judged last, and what had come by then. */
  #judgedAt = performance.now();
  #judged = 0;
  /** Since when its reader has enough, and nothing is asked of the client. */
  #pausedAt: number | undefined;
  #giveUp: (() => void) | undefined;

  /** Counts bytes that have come. @returns whether the reader still needs them */
  receive(bytes: number): boolean {
    this.#received += bytes;
    return this.#giveUp !== undefined;
  }

  /** Its reader works on what has come, which says nothing of the client. */
  pause(): void {
    this.#pausedAt = performance.now();
  }

  resume(): void {
    if (this.#pausedAt !== undefined) this.#judgedAt += performance.now() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  /** Resolves as the reading does; rejects with `BUSY` if the body has to make room before. */
  during<Result>(reading: Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#giveUp = () => reject(busy("others wait for the room of this body, which comes too slowly"));
      reading.then(resolve, reject).finally(() => {
        this.#giveUp = undefined;
      });
    });
  }

  /** Gives up a body that is being read and came slowly. @param windowMillis how long it is looked at */
  judge(windowMillis: number): void {
    const now = performance.now();
    const millis = now - this.#judgedAt;
    if (this.#giveUp === undefined || this.#pausedAt !== undefined || millis < windowMillis) return;
    const isSlow = this.#received - this.#judged < millis * SLOW_RATE;
    this.#judgedAt = now;
    this.#judged = this.#received;
    if (!isSlow) return;
    this.#giveUp();
    this.#giveUp = undefined;
  }
}
