// What the tests of `activity-server/testing` expect of wrong input.
import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { ActivityError } from "../../src/errors.js";

/** A call with wrong input, and how its message begins. */
export type Refusal = readonly [call: () => unknown, message: string | RegExp];

/** Passes a wrong value where types would not let it. */
export function wrong<Value>(value: unknown): Value {
  return value as Value;
}

/** Tests that each call throws `INVALID_INPUT` with its message. */
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
  if (typeof message === "string") assert.ok(thrown.message.startsWith(message), thrown.message);
  else assert.match(thrown.message, message);
}
