import { type Asked, createDeadline, type Deadline, failure, withoutSecret } from "./deadline.js";
import { parseErrorBody } from "./error-body.js";
import { ActivityClientError, isActivityClientError } from "./errors.js";
import { printPath } from "./printing.js";
import { misfit, type Shape } from "./shapes.js";

/** Sends a request: the part of the global `fetch` that a client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request to make. */
export interface Demand {
  readonly method: string;
  /** As in the route table: `:name` stands for a path segment. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** What is `undefined` is left out. */
  readonly query?: Readonly<Record<string, Date | string | number | undefined>> | undefined;
  /** Prints the body as JSON; what it throws says that there can be no request. */
  readonly body?: (() => string | Blob) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMillis?: number | undefined;
}

/** An answer that is no error. */
export interface Reply {
  readonly status: number;
  readonly value: unknown;
}

/** The way to a server. */
export interface Transport {
  /** Sends a request, and reads the answer to its end. @throws ActivityClientError */
  call(demand: Demand, shape: Shape): Promise<Reply>;
  /** Sends a request, and gives the text of the answer while it arrives. @throws ActivityClientError */
  text(demand: Demand): AsyncGenerator<string, void, undefined>;
}

/** Where requests go, and what goes with each. */
export interface TransportOptions {
  /** Without a slash at its end. */
  readonly base: string;
  readonly fetch: Fetch;
  readonly headers: Headers;
  /** What no error may show; empty for nothing. */
  readonly secret: string;
  readonly timeoutMillis: number;
}

export function createTransport({ base, fetch, headers, secret, timeoutMillis }: TransportOptions): Transport {
  /** Makes the request first: what cannot be sent is refused before anything goes out. */
  function prepare(demand: Demand): { asked: Asked; init: RequestInit; deadline: Deadline } {
    const { method, path, body, signal, timeoutMillis: millis = timeoutMillis } = demand;
    try {
      const asked: Asked = { method, url: base + printPath(demand), secret };
      const sent = body && { body: body() };
      const own = new Headers(headers);
      if (sent) own.set("content-type", "application/json");
      const deadline = createDeadline(asked, checkedMillis(millis), signal);
      // Behind a redirect most writes would arrive as a GET, and seem to succeed.
      const redirect = method === "GET" ? "follow" : "manual";
      return { asked, init: { method, headers: own, redirect, signal: deadline.signal, ...sent }, deadline };
    } catch (cause) {
      const message = `${method} ${path}: no request can be made: ${textOf(cause)}`;
      throw new ActivityClientError("INVALID_INPUT", message, { method, cause });
    }
  }

  /** Waits for the head of the answer. @throws ActivityClientError `REFUSED`, for redirects, and what ends a call */
  async function open({ asked, init, deadline }: ReturnType<typeof prepare>): Promise<Response> {
    deadline.signal.throwIfAborted();
    deadline.start();
    const response = await unbroken(asked, () => deadline.orEnd(fetch(asked.url, init)));
    const { status, statusText } = response;
    asked.status = status;
    const place = placeBehind(response, asked);
    if (place !== undefined) {
      response.body?.cancel().catch(() => {});
      throw failure("MALFORMED_ANSWER", asked, `${place}; give the final place as \`url\``);
    }
    if (status < 400) return response;
    const told = parseErrorBody(await whole(pieces(response, asked, deadline)), status);
    const { serverMessage = `${statusText} (not a response of this API)`.trim() } = told;
    throw failure("REFUSED", asked, `${status} ${serverMessage}`.trim(), told);
  }

  return {
    async call(demand, shape) {
      const prepared = prepare(demand);
      const { asked, deadline } = prepared;
      try {
        const response = await open(prepared);
        const { status } = response;
        const text = await whole(pieces(response, asked, deadline));
        const value = text === "" && shape === "nothing" ? undefined : parse(text, asked);
        const isDone = response.ok || (status === 304 && shape === "nothing");
        const expected = isDone ? misfit(value, shape) : "a status of 200 is expected";
        if (expected !== undefined) throw malformed(asked, expected, text);
        return { status, value };
      } finally {
        deadline.close();
      }
    },

    async *text(demand) {
      const prepared = prepare(demand);
      const { asked, deadline } = prepared;
      try {
        const response = await open(prepared);
        let isFirst = true;
        for await (const piece of pieces(response, asked, deadline)) {
          if (isFirst && !/^\s*\{/.test(piece)) throw malformed(asked, "a document is expected", piece);
          isFirst = false;
          // However long the reader takes, the server is not to blame.
          deadline.pause();
          yield piece;
          deadline.start();
        }
        if (isFirst) throw malformed(asked, "a document is expected", "");
      } finally {
        deadline.close();
      }
    },
  };
}

/** Where a redirect leads that was not followed; browsers tell no more than that it is one. */
function placeBehind({ type, status, headers }: Response, { url }: Asked): string | undefined {
  if (type === "opaqueredirect") return "a redirect leads elsewhere";
  const location = headers.get("location");
  if (location === null || status < 301 || status > 308 || status === 304) return undefined;
  try {
    return `${status} leads to ${new URL(location, url)}`;
  } catch {
    return `${status} leads to ${location}`;
  }
}

/** @throws TypeError for what is no time to wait */
export function checkedMillis(millis: number): number {
  if (millis > 0) return millis;
  throw new TypeError(`timeoutMillis is ${millis}; a number of milliseconds above 0 is expected`);
}

/** @throws ActivityClientError `UNREACHABLE` for whatever else broke the call */
async function unbroken<T>(asked: Asked, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw isActivityClientError(cause) ? cause : failure("UNREACHABLE", asked, reasonOf(cause), { cause });
  }
}

/** What a runtime says of a failure; Node tells the reason in the cause alone. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? ` (${textOf(cause.cause)})` : "";
  return `no whole answer, ${textOf(cause)}${inner}`;
}

function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.message || String((thrown as { code?: unknown }).code ?? thrown.name);
}

async function* pieces(response: Response, asked: Asked, deadline: Deadline): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isOver = false;
  try {
    while (!isOver) {
      const text = await unbroken(asked, async () => {
        const { done, value } = await deadline.orEnd(reader.read());
        isOver = done;
        return decoder.decode(value, { stream: !done });
      });
      if (text !== "") yield text;
    }
  } finally {
    // Who sends it is told; whether that succeeds is nobody's concern any more.
    if (!isOver) reader.cancel().catch(() => {});
  }
}

async function whole(texts: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const text of texts) all += text;
  return all;
}

function parse(text: string, asked: Asked): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(asked, "JSON is expected", text, cause);
  }
}

function malformed(asked: Asked, expected: string, body: string, cause?: unknown): ActivityClientError {
  // Before it is cut and escaped.
  const text = withoutSecret(asked, body);
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return failure("MALFORMED_ANSWER", asked, `${asked.status} with the body ${shown}; ${expected}`, { cause });
}
