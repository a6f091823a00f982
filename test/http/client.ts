// A server on a free port for one test, and what the tests of HTTP need around it.
import diagnostics from "node:diagnostics_channel";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import {
  type ActivityServer,
  type ActivityServerOptions,
  createActivityServer,
  type ListenOptions,
  prepareNodeServer,
  type Storage,
} from "../../src/index.js";
import { newDataFolder, withFolder } from "../adapters/folder.js";
import { type WireAnswer, wireClient } from "../codec/socket.js";

export type Headers = Readonly<Record<string, string>>;

/** Sends a request on a kept connection. Text and bytes go as they are, anything else as JSON. */
export type Send = (method: string, path: string, body?: unknown, headers?: Headers) => Promise<WireAnswer>;

/** A server that runs for one test. */
export interface Served {
  readonly server: ActivityServer;
  readonly storage: Storage;
  readonly port: number;
  readonly send: Send;
  /** What the server has logged as an error. A test that expects something takes it out. */
  readonly errors: unknown[];
}

/** A bucket to create. */
export const BUCKET = { client: "test", type: "app", hostname: "box" } as const;

/** Runs a test on a storage of either adapter. */
export const ADAPTERS: Readonly<Record<string, (body: (storage: Storage) => Promise<void>) => Promise<void>>> = {
  memory: (body) => body(memory()),
  leveldb: (body) =>
    withFolder(async (folder) => body(await leveldb({ path: await newDataFolder(path.join(folder, "data")) }))),
};

/** Options of a server whose storage a test looks at. */
export type ServedOptions = Partial<Omit<ActivityServerOptions, "storage">> & {
  readonly storage?: Storage | undefined;
};

/**
 * Serves for the time of the body. Afterwards nothing may be left over: no promise that was rejected unseen, nothing in
 * the log, nothing that keeps `close()` from coming to its end.
 */
export async function withServer(
  options: ServedOptions,
  body: (served: Served) => Promise<void>,
  listening: ListenOptions = {},
): Promise<void> {
  const storage = options.storage ?? memory();
  const errors: unknown[] = [];
  const logger = { info() {}, warn() {}, error: (error: unknown) => void errors.push(error) };
  const server = createActivityServer({ hostname: "box", logger, ...options, storage });
  await withoutStrays(async () => {
    const sockets = new Set<Socket>();
    const keep = (message: unknown): void => void sockets.add((message as { socket: Socket }).socket);
    diagnostics.subscribe("net.server.socket", keep);
    const { port } = await server.listen({ ...listening, port: 0 });
    const client = sender(port);
    try {
      await body({ server, storage, port, send: client.send, errors });
      client.close();
      await inTime(server.close(), "close()");
      assert.equal(errors, [], "the log of errors");
    } finally {
      diagnostics.unsubscribe("net.server.socket", keep);
      client.close();
      // Nothing is left by now unless the test has failed, and then it must not keep the process.
      for (const socket of sockets) socket.destroy();
      await server.close();
    }
  });
}

/** A server of a test's own on a free port, for the time of the body. */
export async function onPort<T>(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  body: (host: { readonly port: number; readonly send: Send }) => Promise<T>,
): Promise<T> {
  const server = http.createServer((request, response) => void listener(request, response));
  prepareNodeServer(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { send, close } = sender(port);
  try {
    return await body({ port, send });
  } finally {
    close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}

/** A kept connection to a port of this machine. */
export function sender(port: number): { readonly send: Send; close(): void } {
  const client = wireClient(port);
  const send: Send = (method, path, content, headers = {}) => {
    const raw = content === undefined || typeof content === "string" || Buffer.isBuffer(content);
    const bytes = raw ? content : JSON.stringify(content);
    return client.send({
      method,
      path,
      headers: {
        Host: `127.0.0.1:${port}`,
        ...(bytes !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(bytes !== undefined && { body: Buffer.from(bytes) }),
    });
  };
  return { send, close: client.close };
}

/** Fails when the body leaves behind a rejected promise or an exception that nobody takes. */
export async function withoutStrays(body: () => Promise<void>): Promise<void> {
  const strays: unknown[] = [];
  const note = (error: unknown): void => void strays.push(error);
  process.on("unhandledRejection", note).on("uncaughtException", note);
  try {
    await body();
    // Rejections are reported when the microtasks are done.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("unhandledRejection", note).off("uncaughtException", note);
  }
  assert.equal(strays.map(String), [], "errors that nobody took");
}

/** Rejects when a promise is still pending after a time that is long beyond doubt; the test could not end otherwise. */
export async function inTime<T>(promise: PromiseLike<T>, what: string, seconds = 30): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come to its end`)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

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
