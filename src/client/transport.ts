import { createDeadline, type Deadline, failure, type RequestContext, withoutSecret } from "./deadline.js";
import { parseErrorBody } from "./error-body.js";
import { ActivityClientError, isActivityClientError } from "./errors.js";
import { serializePath } from "./serializing.js";
import { type Schema, validate } from "./validate.js";

/** Sends a request: the part of the global `fetch` that a client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request to make. */
export interface ClientRequest {
  readonly method: string;
  /** As in the route table: `:name` stands for a path segment. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** What is `undefined` is left out. */
  readonly query?: Readonly<Record<string, Date | string | number | undefined>> | undefined;
  /** Serializes the body; what it throws explains why there can be no request. */
  readonly body?: (() => string | Blob) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMillis?: number | undefined;
}

/** A response that is no error. */
export interface ClientResponse {
  readonly status: number;
  readonly value: unknown;
}

/** The way to a server. */
export interface Transport {
  /** Sends a request, and reads the response to its end. @throws ActivityClientError */
  call(request: ClientRequest, schema: Schema): Promise<ClientResponse>;
  /** Sends a request. @returns the text of the response while it arrives @throws ActivityClientError */
  text(request: ClientRequest): AsyncGenerator<string, void, undefined>;
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
  function prepare(request: ClientRequest): { context: RequestContext; init: RequestInit; deadline: Deadline } {
    const { method, path, body, signal, timeoutMillis: millis = timeoutMillis } = request;
    try {
      const context: RequestContext = { method, url: base + serializePath(request), secret };
      const sent = body && { body: body() };
      const own = new Headers(headers);
      if (sent) own.set("content-type", "application/json");
      const deadline = createDeadline(context, checkedMillis(millis), signal);
      // Behind a redirect most writes would arrive as a GET, and seem to succeed.
      const redirect = method === "GET" ? "follow" : "manual";
      return { context, init: { method, headers: own, redirect, signal: deadline.signal, ...sent }, deadline };
    } catch (cause) {
      const message = `${method} ${path}: no request can be made: ${textOf(cause)}`;
      throw new ActivityClientError("INVALID_INPUT", message, { method, cause });
    }
  }

  /** Waits for the head of the response. @throws ActivityClientError `REFUSED`, for redirects, and what ends a call */
  async function open({ context, init, deadline }: ReturnType<typeof prepare>): Promise<Response> {
    deadline.signal.throwIfAborted();
    deadline.start();
    const response = await unbroken(context, () => deadline.orEnd(fetch(context.url, init)));
    const { status, statusText } = response;
    context.status = status;
    const place = placeBehind(response, context);
    if (place !== undefined) {
      response.body?.cancel().catch(() => {});
      throw failure("MALFORMED_RESPONSE", context, `${place}; give the final place as \`url\``);
    }
    if (status < 400) return response;
    const body = parseErrorBody(await buffered(chunks(response, context, deadline)), status);
    const { serverMessage = `${statusText} (not a response of this API)`.trim() } = body;
    throw failure("REFUSED", context, `${status} ${serverMessage}`.trim(), body);
  }

  return {
    async call(request, schema) {
      const prepared = prepare(request);
      const { context, deadline } = prepared;
      try {
        const response = await open(prepared);
        const { status } = response;
        const text = await buffered(chunks(response, context, deadline));
        const value = text === "" && schema === "nothing" ? undefined : parse(text, context);
        const isDone = response.ok || (status === 304 && schema === "nothing");
        const expected = isDone ? validate(value, schema) : "a status of 200 is expected";
        if (expected !== undefined) throw malformed(context, expected, text);
        return { status, value };
      } finally {
        deadline.close();
      }
    },

    async *text(request) {
      const prepared = prepare(request);
      const { context, deadline } = prepared;
      try {
        const response = await open(prepared);
        let isFirst = true;
        for await (const chunk of chunks(response, context, deadline)) {
          if (isFirst && !/^\s*\{/.test(chunk)) throw malformed(context, "a document is expected", chunk);
          isFirst = false;
          // However long the reader takes, the server is not to blame.
          deadline.pause();
          yield chunk;
          deadline.start();
        }
        if (isFirst) throw malformed(context, "a document is expected", "");
      } finally {
        deadline.close();
      }
    },
  };
}

/** Where a redirect leads that was not followed; browsers give no more than that it is one. */
function placeBehind({ type, status, headers }: Response, { url }: RequestContext): string | undefined {
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
async function unbroken<T>(context: RequestContext, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw isActivityClientError(cause) ? cause : failure("UNREACHABLE", context, reasonOf(cause), { cause });
  }
}

/** What a runtime says of a failure; Node gives the reason in the cause alone. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? ` (${textOf(cause.cause)})` : "";
  return `no complete response: ${textOf(cause)}${inner}`;
}

function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.message || String((thrown as { code?: unknown }).code ?? thrown.name);
}

async function* chunks(
  response: Response,
  context: RequestContext,
  deadline: Deadline,
): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isOver = false;
  try {
    while (!isOver) {
      const text = await unbroken(context, async () => {
        const { done, value } = await deadline.orEnd(reader.read());
        isOver = done;
        return decoder.decode(value, { stream: !done });
      });
      if (text !== "") yield text;
    }
  } finally {
    // The sender can stop; it does not matter whether it learns of it.
    if (!isOver) reader.cancel().catch(() => {});
  }
}

async function buffered(texts: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const text of texts) all += text;
  return all;
}

function parse(text: string, context: RequestContext): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(context, "JSON is expected", text, cause);
  }
}

function malformed(context: RequestContext, expected: string, body: string, cause?: unknown): ActivityClientError {
  // Before it is cut and escaped.
  const text = withoutSecret(context, body);
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return failure("MALFORMED_RESPONSE", context, `${context.status} with the body ${shown}; ${expected}`, { cause });
}
