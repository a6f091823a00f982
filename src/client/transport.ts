import type { OperationId, Operations } from "../api/operations.js";
import { buffered, chunks, failureText, malformed, parse, wrapFailure } from "./body.js";
import { createDeadline, type Deadline, failure, type RequestContext, withoutSecret } from "./deadline.js";
import { parseErrorBody } from "./error-body.js";
import { ActivityClientError, MAX_BODY_LENGTH } from "./errors.js";
import type { ClientHooks } from "./hooks.js";
import { withRetries } from "./retries.js";
import { serializePath } from "./serializing.js";
import { validate } from "./validate.js";

/** Sends a request: the part of the global `fetch` that a client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type QueryValue = Date | string | number | boolean;

export interface ClientRequest {
  /** Of the path, in its order. */
  readonly params?: readonly (string | number)[] | undefined;
  /** `undefined` values are left out; a list is repeated. */
  readonly query?: Readonly<Record<string, QueryValue | readonly string[] | undefined>> | undefined;
  /** Serializes the body. Its error explains why no request is possible. */
  readonly body?: (() => string | Blob) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMillis?: number | undefined;
  readonly retries?: number | undefined;
}

export interface ClientResponse<Value = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly value: Value;
}

/** Method and path of an operation, as in the route table: `:name` matches a path segment. */
export type Route = Operations[OperationId]["route"];

/**
 * Sends requests to a server. Results have the type that the caller expects: only their shape is checked (validate.ts).
 */
export interface Transport {
  /** Sends a request and reads the whole response. @throws ActivityClientError */
  call<Value>(route: Route, shape: string, request: ClientRequest): Promise<ClientResponse<Value>>;
  /**
   * Sends a request for each iteration of the result.
   *
   * @param beginning required start of the string @default a JSON object
   * @returns the response as strings while it arrives @throws ActivityClientError
   */
  text(route: Route, request: ClientRequest, beginning?: RegExp): AsyncIterable<string>;
}

export interface TransportOptions extends ClientHooks {
  /** Without a slash at its end. */
  readonly base: string;
  readonly fetch: Fetch;
  /** Called for each try. */
  readonly headers: () => Headers | Promise<Headers>;
  /** The secret to mask in errors; empty for none. */
  readonly secret: string;
  readonly timeoutMillis: number;
  readonly retries: number;
}

interface Prepared {
  readonly context: RequestContext;
  readonly init: RequestInit;
  readonly deadline: Deadline;
  readonly retries: number;
}

export function createTransport(options: TransportOptions): Transport {
  const { base, fetch, headers, secret, onRequest, onResponse } = options;

  /** Creates the request first: an invalid one is refused before anything is sent. */
  function prepare(route: Route, request: ClientRequest): Prepared {
    const [method = "", path = ""] = route.split(" ");
    const { body, signal, timeoutMillis = options.timeoutMillis, retries = options.retries } = request;
    try {
      const context: RequestContext = { method, url: base + serializePath(path, request), secret };
      const sent = body && { body: body() };
      const isRead = method === "GET";
      // After a redirect, most writes would arrive as a GET and seem to succeed.
      const init: RequestInit = { method, redirect: isRead ? "follow" : "manual", ...sent };
      const most = isRead ? checkedRetries(retries) : 0;
      return { context, init, deadline: createDeadline(context, checkedMillis(timeoutMillis), signal), retries: most };
    } catch (cause) {
      const message = `${method} ${path}: no request can be made: ${failureText(cause)}`;
      throw new ActivityClientError("INVALID_INPUT", message, { method, cause });
    }
  }

  /** Runs a function of the caller. @throws ActivityClientError `HOOK_FAILED`, and errors that end a call */
  function hooked<T>({ context, deadline }: Prepared, name: string, hook: () => T | Promise<T>): Promise<T> {
    const called = (async () => hook())().catch((cause: unknown) => {
      throw failure("HOOK_FAILED", context, `${name} failed: ${failureText(cause)}`, { cause });
    });
    return deadline.orEnd(called);
  }

  /** One try, up to the head of the response. @throws ActivityClientError `REFUSED`, for redirects, and others */
  async function open(prepared: Prepared): Promise<Response> {
    const { context, init, deadline } = prepared;
    const { method, url } = context;
    context.head = undefined;
    deadline.signal.throwIfAborted();
    const sent = new Headers(await hooked(prepared, "headers", headers));
    if (init.body !== undefined) sent.set("content-type", "application/json");
    if (onRequest) await hooked(prepared, "onRequest", () => onRequest({ method, url, headers: sent }));
    const { signal } = deadline;
    const response = await wrapFailure(context, () => deadline.orEnd(fetch(url, { ...init, headers: sent, signal })));
    context.head = response;
    try {
      const { status } = response;
      const seen = { method, url, status, headers: response.headers };
      if (onResponse) await hooked(prepared, "onResponse", () => onResponse(seen));
      const place = describeRedirect(response, context);
      if (place !== undefined) {
        throw failure("MALFORMED_RESPONSE", context, `${place}; use the final address as \`url\``);
      }
    } catch (error) {
      response.body?.cancel().catch(() => {});
      throw error;
    }
    if (response.status >= 400) throw await refused(response, prepared);
    return response;
  }

  async function* read(route: Route, request: ClientRequest, beginning: RegExp): AsyncGenerator<string> {
    const prepared = prepare(route, request);
    const { context, deadline } = prepared;
    try {
      deadline.start();
      const response = await withRetries(prepared, () => open(prepared));
      let isFirst = true;
      for await (const chunk of chunks(response, context, deadline)) {
        if (isFirst && !beginning.test(chunk)) throw malformed(context, "the response must be a document", chunk);
        isFirst = false;
        // A slow consumer is not the server's fault.
        deadline.pause();
        yield chunk;
        deadline.start();
      }
      if (isFirst) throw malformed(context, "the response must be a document", "");
    } finally {
      deadline.close();
    }
  }

  return {
    async call<Value>(route: Route, shape: string, request: ClientRequest) {
      const prepared = prepare(route, request);
      const { context, deadline } = prepared;
      try {
        deadline.start();
        return await withRetries(prepared, async () => {
          const response = await open(prepared);
          const { status, headers } = response;
          const text = await buffered(chunks(response, context, deadline));
          const value = text === "" && shape === "" ? undefined : parse(text, context);
          const isDone = response.ok || (status === 304 && shape === "");
          const expected = isDone ? validate(value, shape) : "the status must be 200";
          if (expected !== undefined) throw malformed(context, expected, text);
          return { status, headers, value: value as Value };
        });
      } finally {
        deadline.close();
      }
    },

    text: (route, request, beginning = /^\s*\{/) => ({
      [Symbol.asyncIterator]: () => read(route, request, beginning),
    }),
  };
}

async function refused(response: Response, { context, deadline }: Prepared): Promise<ActivityClientError> {
  const { status, statusText } = response;
  const body = await buffered(chunks(response, context, deadline), MAX_BODY_LENGTH);
  const known = parseErrorBody(body, status, (text) => withoutSecret(context, text));
  const { serverMessage = `${statusText} (not a response of this API)`.trim() } = known;
  return failure("REFUSED", context, `${status} ${serverMessage}`.trim(), { ...known, body });
}

/** The target of a redirect; browsers only show that there is one. */
function describeRedirect({ type, status, headers }: Response, { url }: RequestContext): string | undefined {
  if (type === "opaqueredirect") return "the server redirects";
  const location = headers.get("location");
  if (location === null || status < 301 || status > 308 || status === 304) return undefined;
  try {
    return `${status} redirects to ${new URL(location, url)}`;
  } catch {
    return `${status} redirects to ${location}`;
  }
}

/** @throws TypeError for an invalid duration */
export function checkedMillis(millis: number): number {
  if (millis > 0) return millis;
  throw new TypeError(`timeoutMillis must be a number of milliseconds above 0, got ${millis}`);
}

/** @throws TypeError for an invalid count */
export function checkedRetries(retries: number): number {
  if (retries >= 0 && (Number.isInteger(retries) || retries === Infinity)) return retries;
  throw new TypeError(`retries must be an integer of 0 or more, got ${retries}`);
}
