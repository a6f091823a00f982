/** Time for the feed: the real one, or that of a test. */
export interface FeedTimes {
  /** Milliseconds since some moment. Never goes back. */
  now(): number;
  /** Calls back once, without keeping the process alive. @returns cancels it */
  after(millis: number, callback: () => void): () => void;
}

export const REAL_TIMES: FeedTimes = {
  now: () => performance.now(),
  after(millis, callback) {
    const timer = setTimeout(callback, millis);
    // Outside Node a timer is a number.
    if (typeof timer === "object") timer.unref();
    return () => clearTimeout(timer);
  },
};
