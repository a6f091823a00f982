import * as assert from "uvu/assert";

/** How often something is asked before it counts as never to come, and how long between, in milliseconds. */
const TRIES = 2000;
const BETWEEN_MILLIS = 25;

/** Waits until a condition holds. */
export async function until(isOver: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (let left = TRIES; !(await isOver()); left--) {
    assert.ok(left > 0, `waited in vain: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MILLIS));
  }
}

/** Tries a call again until it is accepted: writing comes back by itself. */
export async function accepted<T>(call: () => Promise<T>, what: string = "a call"): Promise<T> {
  let outcome: PromiseSettledResult<T> | undefined;
  await until(
    async () => {
      [outcome] = await Promise.allSettled([call()]);
      return outcome.status === "fulfilled";
    },
    () => `${what} is refused again and again: ${outcome?.status === "rejected" ? outcome.reason : ""}`,
  );
  return (outcome as unknown as PromiseFulfilledResult<T>).value;
}
