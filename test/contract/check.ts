import { AssertionError } from "node:assert/strict";
import { inspect } from "node:util";
import type { Bucket } from "../../src/domain/bucket.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { type JsonValue, sameJson } from "../../src/domain/json.js";
import { ActivityError, type ErrorCode } from "../../src/errors.js";
import { type PromiseName, promiseOf } from "./promises.js";

const HEAD = "broken promise: ";

/**
 * Fails the case and names the promise.
 *
 * @param cause what the adapter threw, if that is how the promise was broken
 */
export function broken(promise: PromiseName, detail: string, cause?: unknown): never {
  const message = `${HEAD}${promiseOf(promise)}\n  ${detail}`;
  // An operator with "not" keeps uvu from printing a comparison of two values that are not given.
  const error = new AssertionError({ message, operator: "not kept", stackStartFn: broken });
  throw cause === undefined ? error : Object.assign(error, { cause });
}

/** Tells whether an error comes from `broken`. */
export function isBroken(error: unknown): boolean {
  return error instanceof AssertionError && error.message.startsWith(HEAD);
}

/** Demands equal scalars, or equal lists of scalars. */
export function same<T>(promise: PromiseName, actual: T, expected: T, what: string): void {
  if (Array.isArray(actual) && Array.isArray(expected)) sameList(promise, actual, expected, what);
  else if (!Object.is(actual, expected)) broken(promise, `${what}: expected ${show(expected)}, got ${show(actual)}`);
}

/** Of long lists the message tells the first difference only. */
function sameList(promise: PromiseName, actual: readonly unknown[], expected: readonly unknown[], what: string): void {
  const length = Math.max(actual.length, expected.length);
  for (let index = 0; index < length; index++) {
    if (index < actual.length && index < expected.length && Object.is(actual[index], expected[index])) continue;
    if (length <= 12) broken(promise, `${what}: expected ${show(expected)}, got ${show(actual)}`);
    const [wanted, given] = [expected, actual].map((list) => (index < list.length ? show(list[index]) : "nothing"));
    broken(
      promise,
      `${what}: ${actual.length} (expected ${expected.length}), at ${index}: expected ${wanted}, got ${given}`,
    );
  }
}

/** Demands that a condition holds. */
export function holds(promise: PromiseName, condition: boolean, what: string): void {
  if (!condition) broken(promise, what);
}

/** Demands equal JSON values: key order does not count, prototypes do not count, everything else does. */
export function sameValue(
  promise: PromiseName,
  actual: JsonValue | undefined,
  expected: JsonValue,
  what: string,
): void {
  if (actual === undefined || !sameJson(actual, expected)) {
    broken(promise, `${what}: expected ${show(expected)}, got ${show(actual)}`);
  }
}

/** Demands the same event: id, timestamp, duration and data, and no further field. */
export function sameEvent(
  promise: PromiseName,
  actual: StoredEvent | undefined,
  expected: StoredEvent,
  what: string,
): void {
  const defect = eventDefect(actual, expected);
  if (defect !== undefined) broken(promise, `${what}: ${defect}`);
}

/** Demands the same events in the same order; the message tells the first difference only. */
export function sameEvents(
  promise: PromiseName,
  actual: readonly StoredEvent[],
  expected: readonly StoredEvent[],
  what: string,
): void {
  const length = Math.max(actual.length, expected.length);
  for (let index = 0; index < length; index++) {
    const wanted = expected[index];
    const defect = wanted === undefined ? `unexpected ${show(actual[index])}` : eventDefect(actual[index], wanted);
    if (defect !== undefined) {
      broken(promise, `${what}: ${actual.length} events (expected ${expected.length}), at ${index}: ${defect}`);
    }
  }
}

/** Demands the same buckets or summaries in the same order, field by field. */
export function sameBuckets(
  promise: PromiseName,
  actual: readonly Bucket[],
  expected: readonly Bucket[],
  what: string,
): void {
  same(promise, actual.length, expected.length, `${what}: number of buckets`);
  for (const [index, wanted] of expected.entries()) {
    sameBucket(promise, actual[index], wanted, `${what}, bucket ${index}`);
  }
}

/** Demands the same bucket or summary, field by field, and no further field. */
export function sameBucket(promise: PromiseName, actual: Bucket | undefined, expected: Bucket, what: string): void {
  if (actual === undefined) broken(promise, `${what}: expected bucket ${show(expected.id)}, got undefined`);
  const given = fieldsOf(actual);
  const wanted = fieldsOf(expected);
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(given)])) {
    if (!(key in given) || !(key in wanted) || !sameJson(given[key] as JsonValue, wanted[key] as JsonValue)) {
      broken(
        promise,
        `${what}: ${key} of ${show(expected.id)}: expected ${show(wanted[key])}, got ${show(given[key])}`,
      );
    }
  }
}

/** Demands that a call rejects with a code; it may not throw before it returns its promise. */
export async function rejects(
  promise: PromiseName,
  code: ErrorCode,
  what: string,
  call: () => Promise<unknown>,
): Promise<void> {
  let pending: Promise<unknown>;
  try {
    pending = call();
  } catch (error) {
    broken(promise, `${what}: threw instead of rejecting: ${show(error)}`);
  }
  let value: unknown;
  try {
    value = await pending;
  } catch (error) {
    if (!ActivityError.is(error)) broken(promise, `${what}: expected an ActivityError, got ${show(error)}`);
    same(promise, error.code, code, `${what}: code of the rejection`);
    return;
  }
  broken(promise, `${what}: expected a rejection with ${code}, got ${show(value)}`);
}

/** Prints a value on one line, cut to a length that a person reads; of an error what it says, not where it was made. */
export function show(value: unknown): string {
  if (value instanceof Error) return showError(value);
  const options = { depth: 4, breakLength: Number.POSITIVE_INFINITY, compact: true, maxStringLength: 200 } as const;
  const printed = inspect(value, options);
  return printed.length <= 400 ? printed : `${printed.slice(0, 400)}…`;
}

function showError(error: Error): string {
  const code = "code" in error ? ` (${error.code})` : "";
  const cause = error.cause === undefined ? "" : `, because of ${show(error.cause)}`;
  return `${error.name}${code}: ${error.message}${cause}`;
}

function eventDefect(actual: StoredEvent | undefined, expected: StoredEvent): string | undefined {
  if (actual === undefined) return `expected ${show(expected)}, got nothing`;
  const { id, timestamp, duration, data, ...others } = actual;
  const equal =
    id === expected.id &&
    timestamp === expected.timestamp &&
    duration === expected.duration &&
    Object.keys(others).length === 0 &&
    sameJson(data, expected.data);
  return equal ? undefined : `expected ${show(expected)}, got ${show(actual)}`;
}

function fieldsOf(bucket: Bucket): Record<string, unknown> {
  return { ...bucket };
}
