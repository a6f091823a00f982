/** Work to wait for; `undefined` if there is none: an unneeded `await` would delay every heartbeat. */
export type Waiting = Promise<void> | undefined;

/** Runs work at once if there is nothing to wait for. */
export function afterWaiting<Result>(waiting: Waiting, work: () => Promise<Result>): Promise<Result> {
  return waiting === undefined ? work() : waiting.then(work);
}
