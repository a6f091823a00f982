import { withTimeouts } from "../timeouts.js";

/**
 * Runs a body for which a second is the fifth part of one: what waits for a database that stands still waits for some.
 * For timeouts and `Date`; intervals and `performance` keep their seconds.
 */
export async function withShortSeconds<T>(body: () => Promise<T>): Promise<T> {
  const { now } = Date;
  const began = now();
  Date.now = () => began + (now() - began) * 5;
  try {
    return await withTimeouts((millis) => millis / 5, body);
  } finally {
    Date.now = now;
  }
}
