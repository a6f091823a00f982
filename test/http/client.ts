// What the tests of HTTP need around a server.
import path from "node:path";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/index.js";
import { newDataFolder, withFolder } from "../adapters/folder.js";
import type { WireAnswer } from "../codec/socket.js";

/** Runs a test on a storage of either adapter. */
export const ADAPTERS: Readonly<Record<string, (body: (storage: Storage) => Promise<void>) => Promise<void>>> = {
  memory: (body) => body(memory()),
  leveldb: (body) =>
    withFolder(async (folder) => body(await leveldb({ path: await newDataFolder(path.join(folder, "data")) }))),
};

/** Turns of the event loop after which a condition is not expected in the next one. */
const TURNS = 100;

/** Waits until a condition holds, looking at it after each turn of the event loop, and now and then when it takes long. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  let late = false;
  const timer = setTimeout(() => (late = true), 30_000);
  for (let turn = 0; !holds(); turn++) {
    if (late) throw new Error(`${what}: this did not happen`);
    // Another process may need the processor for it.
    await new Promise((resolve) => (turn < TURNS ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
  clearTimeout(timer);
}

/** An answer of either client; `undefined` stands for a connection that was closed without one. */
type AnswerLike = Pick<WireAnswer, "status" | "body">;

/** The value in an answer, which has to be 200 with JSON. */
export function json(answer: AnswerLike | undefined): unknown {
  const text = answer?.body.toString() ?? "";
  assert.is(answer?.status, 200, text.slice(0, 500));
  return JSON.parse(text);
}

/** Checks that an answer is an error as the contract wants it, and gives its message. */
export function refusal(answer: AnswerLike | undefined, status: number): string {
  const text = answer?.body.toString() ?? "";
  assert.is(answer?.status, status, text.slice(0, 500));
  const { message } = JSON.parse(text) as { message: unknown };
  assert.type(message, "string");
  return message as string;
}

/** The text of an event, with a minute of its own. */
export function event(minute: number, data: unknown = { app: "a" }, duration = 0): Record<string, unknown> {
  return { timestamp: new Date(Date.UTC(2024, 2, 1) + minute * 60_000).toISOString(), duration, data };
}

/** A value that has to be there. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}
