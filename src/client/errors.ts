import type { Fault } from "../domain/fault.js";

/**
 * Every way in which a call can fail. The list is closed.
 *
 * | code | meaning |
 * |---|---|
 * | `REFUSED` | the response has a status of 400 or more; `status` and `serverMessage` say why |
 * | `UNREACHABLE` | no complete response: refused, no such host, cut off; the request may have been carried out |
 * | `TIMEOUT` | no complete response in time; the request may have been carried out |
 * | `ABORTED` | the caller's signal ended the call; the request may have been carried out |
 * | `MALFORMED_RESPONSE` | the response is not one of this API: no JSON, another schema, a redirect |
 * | `INVALID_INPUT` | nothing was sent, since no request can be made of what was given |
 * | `HOOK_FAILED` | `headers`, `onRequest` or `onResponse` of the caller failed; `cause` is its error |
 */
export type ClientErrorCode =
  | "REFUSED"
  | "UNREACHABLE"
  | "TIMEOUT"
  | "ABORTED"
  | "MALFORMED_RESPONSE"
  | "INVALID_INPUT"
  | "HOOK_FAILED";

/** Longest body that an error carries, in characters. */
export const MOST_BODY_LENGTH = 65_536;

/** The response behind an error. The API key is masked. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Its beginning, as far as it was read: at most 65,536 characters. */
  readonly body: string;
}

/** What is known of a failed call. */
export interface ClientErrorDetails {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly status?: number | undefined;
  readonly serverMessage?: string | undefined;
  readonly serverType?: string | undefined;
  readonly serverCode?: string | undefined;
  readonly fault?: Fault | undefined;
  readonly response?: ErrorResponse | undefined;
  readonly cause?: unknown;
}

/**
 * A failed call of a client, with a code to branch on and a message for people, which names method and URL. Where a
 * server repeats the API key, neither `message` nor `serverMessage` shows it.
 */
export class ActivityClientError extends Error {
  readonly code: ClientErrorCode;
  /** Method of the request; `undefined` when there was none to make. */
  readonly method: string | undefined;
  /** Where the request went, query included. The API key is never part of it. */
  readonly url: string | undefined;
  /** Of the response, complete or not; `undefined` when there was none, 0 for a redirect that a browser hides. */
  readonly status: number | undefined;
  /** The `message` of the error response; `undefined` when it is none of this API, such as the page of a proxy. */
  readonly serverMessage: string | undefined;
  /** The `type` of the error response: `Vetoed` when a hook refused, or the kind of a mistake in a query. */
  readonly serverType: string | undefined;
  /** The `code` of the error response, such as `NO_SUCH_BUCKET`. */
  readonly serverCode: string | undefined;
  /** What exactly is wrong, and where, as far as the error response says. */
  readonly fault: Fault | undefined;
  /** The response, as far as it has arrived; `undefined` when there was none. */
  readonly response: ErrorResponse | undefined;

  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, details);
    Object.assign(this, details);
    this.name = "ActivityClientError";
    this.code = code;
  }
}

/** What the code of a failure says about its other fields. */
export type ClientFailure = ActivityClientError &
  (
    | { readonly code: "REFUSED" | "MALFORMED_RESPONSE"; readonly status: number }
    | { readonly code: "UNREACHABLE" | "TIMEOUT" | "ABORTED" | "INVALID_INPUT" | "HOOK_FAILED" }
  );

/** Recognizes by name: the ESM and the CommonJS build can meet in one process. */
export function isActivityClientError(value: unknown): value is ClientFailure {
  return value instanceof Error && value.name === "ActivityClientError" && "code" in value;
}

/** Statuses of servers and proxies that say "not now". */
const PASSING: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/** Whether the same call may succeed later without anybody changing it: the server is down, starting or overloaded. */
export function isTransient(value: unknown): boolean {
  if (!isActivityClientError(value)) return false;
  if (value.code === "REFUSED") return PASSING.includes(value.status);
  return value.code === "UNREACHABLE" || value.code === "TIMEOUT";
}
