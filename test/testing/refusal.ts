// What the tests of `activity-server/testing` expect of wrong input.
import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { ActivityError } from "../../src/errors.js";

/** A call with wrong input, and what its message must say. */
export type Refusal = readonly [call: () => unknown, message: string];

/** How messages end that ask for a time. */
export const TIME: string =
  "a Date, a time like 2024-03-01T10:00:00Z or whole microseconds since 1970, from the years 1700 to 2249, are expected";
/** How messages end that ask for a duration. */
export const LENGTH: string = 'a duration such as "60s", "5m" or { seconds: 60 } is expected';

/** Passes a wrong value where types would not let it. */
export function wrong<Value>(value: unknown): Value {
  return value as Value;
}

/** Tests that each call throws `INVALID_INPUT` with exactly its message. */
export function testRefusals(test: Test, refusals: readonly Refusal[]): void {
  for (const refusal of refusals) test(`refused: ${refusal[1]}`, () => assertRefused(...refusal));
}

export function assertRefused(...[call, message]: Refusal): void {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  assert.ok(ActivityError.is(thrown), `it threw ${thrown}`);
  assert.is(thrown.code, "INVALID_INPUT");
  assert.is(thrown.message, message);
}
