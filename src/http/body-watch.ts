import { busy } from "../errors.js";

/** A body below this many bytes a millisecond is slow: a few kB a second. */
const SLOW_RATE = 4;

/** Watches a body that takes up room that others may be waiting for. */
export class BodyWatch {
  #received = 0;
  /** Time of the last check of its pace, and the bytes received by then. */
  #judgedAt = performance.now();
  #judged = 0;
  /** Since when its reader is busy and requests nothing from the client. */
  #pausedAt: number | undefined;
  #giveUp: (() => void) | undefined;

  /** Counts received bytes. @returns whether the reader still needs them */
  receive(bytes: number): boolean {
    this.#received += bytes;
    return this.#giveUp !== undefined;
  }

  /** Notes that the reader is busy: this time does not make the client slow. */
  pause(): void {
    this.#pausedAt = performance.now();
  }

  resume(): void {
    if (this.#pausedAt !== undefined) this.#judgedAt += performance.now() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  /** Settles like `reading`; rejects with `BUSY` if the body must make room first. */
  during<Result>(reading: Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#giveUp = () => reject(busy("others wait for the room of this body, which comes too slowly"));
      reading.then(resolve, reject).finally(() => {
        this.#giveUp = undefined;
      });
    });
  }

  /** Gives up a body that arrives slowly. @param windowMillis how long its pace is measured */
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
