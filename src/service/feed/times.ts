import { unrefTimer } from "../../util/unref-timer.js";

/** Time for the feed: the real one, or that of a test. */
export interface FeedTimes {
  /** Milliseconds since some moment. Never goes back. */
  now(): number;
  /** Calls back once, without keeping the process alive. @returns cancels it */
  after(millis: number, callback: () => void): () => void;
  /** The same, but keeps the process alive: a reader in the process waits for what follows. */
  soon(millis: number, callback: () => void): () => void;
}

export const REAL_TIMES: FeedTimes = {
  now: () => performance.now(),
  after(millis, callback) {
    const timer = unrefTimer(millis, callback);
    return () => clearTimeout(timer);
  },
  soon(millis, callback) {
    const timer = setTimeout(callback, millis);
    return () => clearTimeout(timer);
  },
};
