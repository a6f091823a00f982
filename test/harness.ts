// Starts servers for tests, and closes all that a test opened, even if it fails.
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import * as assert from "uvu/assert";
import { memory } from "../adapters/memory.js";
import {
  type ActivityServer,
  type ActivityServerOptions,
  createActivityServer,
  type ListenOptions,
  type Logger,
  prepareNodeServer,
  type Storage,
} from "../src/index.js";
import { createTestServer, type TestServer, type TestServerOptions } from "../src/testing/index.js";
import { sendJson } from "./api/sending.js";
import { type WireAnswer, wireClient } from "./codec/socket.js";

export type Headers = Readonly<Record<string, string>>;

/** Sends a request. Strings and bytes are sent verbatim, anything else as JSON. */
export type Send = (method: string, path: string, body?: unknown, headers?: Headers) => Promise<WireAnswer>;

/** How requests of `send` reach the server: through a port of its own, or by its `fetch`. */
export type Door = "socket" | "process";

/** The options of a server, with defaults for tests. */
export type ServedOptions = Partial<Omit<ActivityServerOptions, "storage">> & {
  /** @default a new one in memory */
  readonly storage?: Storage | undefined;
  /** @default "socket" */
  readonly door?: Door;
  /** IDs of buckets to create. */
  readonly buckets?: readonly string[];
};

/** A server during one test. */
export interface Served {
  readonly server: ActivityServer;
  readonly storage: Storage;
  /** 0 without a socket. */
  readonly port: number;
  readonly url: string;
  readonly send: Send;
  /** What the server logged as errors. A test that expects some removes them. */
  readonly errors: unknown[];
  readonly warnings: string[];
}

/** A bucket to create. */
export const BUCKET = { client: "test", type: "app", hostname: "box" } as const;

/**
 * Runs a server during the body. Fails if anything is left over: an unhandled rejection, a logged error, or something
 * that keeps `close()` from ending.
 */
export async function withServer<T>(
  { door = "socket", buckets = [], ...options }: ServedOptions,
  body: (served: Served) => Promise<T>,
  listening: ListenOptions = {},
): Promise<T> {
  const storage = options.storage ?? memory();
  const { logger, errors, warnings } = recordingLogger();
  const server = createActivityServer({ hostname: "box", logger, ...options, storage });
  const sockets = new Set<Socket>();
  const keep = (message: unknown): void => void sockets.add((message as { socket: Socket }).socket);
  return withoutStrays(async () => {
    let close = (): void => {};
    diagnostics.subscribe("net.server.socket", keep);
    try {
      const log = { errors, warnings };
      const served = { server, storage, ...log, port: 0, url: "http://localhost", send: sendInProcess(server) };
      if (door === "socket") {
        const { port, url } = await server.listen({ ...listening, port: 0 });
        const client = sender(port);
        close = client.close;
        Object.assign(served, { port, url, send: client.send });
      }
      for (const id of buckets) await server.buckets.create(id, BUCKET);
      const result = await body(served);
      close();
      await inTime(server.close(), "close()");
      assert.equal(errors, [], "the log of errors");
      return result;
    } finally {
      diagnostics.unsubscribe("net.server.socket", keep);
      close();
      // Sockets are only left if the test failed, and `close()` would wait for them.
      for (const socket of sockets) socket.destroy();
      await server.close();
    }
  });
}

/** A logger that keeps what it gets. */
export function recordingLogger(): {
  readonly logger: Logger;
  readonly errors: unknown[];
  readonly warnings: string[];
} {
  const errors: unknown[] = [];
  const warnings: string[] = [];
  const logger: Logger = {
    info() {},
    warn: (line) => void warnings.push(line),
    error: (error) => void errors.push(error),
  };
  return { logger, errors, warnings };
}

/** Runs a server of `activity-server/testing` during the body: always with the same IDs and clock. */
export async function withTestServer<T, Identity extends object = object>(
  options: TestServerOptions<Identity>,
  body: (server: TestServer<Identity>) => Promise<T>,
): Promise<T> {
  const server = createTestServer(options);
  return withoutStrays(async () => {
    try {
      return await body(server);
    } finally {
      await server.close();
    }
  });
}

/** Serves a request listener on a free port during the body. */
export function onPort<T>(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  body: (host: { readonly port: number; readonly send: Send }) => Promise<T>,
): Promise<T> {
  const server = http.createServer((request, response) => void listener(request, response));
  prepareNodeServer(server);
  return withListening(server, async (port) => {
    const { send, close } = sender(port);
    try {
      return await body({ port, send });
    } finally {
      close();
    }
  });
}

/** Lets a server of Node listen on a free port during the body, then ends it and its connections. */
export async function withListening<T>(
  server: Server,
  body: (port: number) => Promise<T>,
  host = "127.0.0.1",
): Promise<T> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  const port = await listeningPort(server, host);
  try {
    return await body(port);
  } finally {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
}

/** Lets a server of Node listen on a free port. The caller closes it. */
export async function listeningPort(server: Server, host = "127.0.0.1"): Promise<number> {
  await once(server.listen(0, host), "listening");
  return (server.address() as AddressInfo).port;
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

function sendInProcess(server: ActivityServer): Send {
  return async (...request) => {
    const response = await sendJson(server, ...request);
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  };
}

/** Fails if the body leaves an unhandled rejection or exception. */
export async function withoutStrays<T>(body: () => Promise<T>): Promise<T> {
  const strays: unknown[] = [];
  const note = (error: unknown): void => void strays.push(error);
  process.on("unhandledRejection", note).on("uncaughtException", note);
  try {
    const result = await body();
    // Rejections are reported when the microtasks are done.
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(strays.map(String), [], "errors that nobody took");
    return result;
  } finally {
    process.off("unhandledRejection", note).off("uncaughtException", note);
  }
}

/** Rejects if a promise is still pending after a time that is long beyond doubt; the test could not end otherwise. */
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
