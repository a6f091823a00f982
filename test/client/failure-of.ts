import * as assert from "uvu/assert";
import { type ClientFailure, isActivityClientError } from "../../src/client/index.js";
import { inTime } from "../harness.js";

/** The error that a call has to end with. */
export async function failureOf(call: Promise<unknown>): Promise<ClientFailure> {
  const error: unknown = await call.then(
    (value) => assert.unreachable(`it gave ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!isActivityClientError(error)) throw error;
  return error;
}

/** The same of a call that may hang. Not for tests that count timers. */
export function failureInTime(call: Promise<unknown>): Promise<ClientFailure> {
  return failureOf(inTime(call, "the call"));
}

/** Gives the text that arrives in pieces. */
export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}
