import { ActivityError, type ErrorCode } from "../errors.js";
import type { Logger } from "../logger.js";
import { QueryError } from "../query/query-error.js";
import type { Answer } from "./exchange.js";

const STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_INPUT: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NO_SUCH_BUCKET: 404,
  NO_SUCH_EVENT: 404,
  NO_SUCH_ROUTE: 404,
  METHOD_NOT_ALLOWED: 405,
  VETOED: 403,
  QUERY_FAILED: 400,
  QUERY_TOO_LARGE: 503,
  ALREADY_ANSWERED: 500,
  TOO_LARGE: 413,
  UNSUPPORTED_TYPE: 415,
  STORAGE_CLOSED: 503,
  STORAGE_FAILED: 500,
  STORAGE_LOCKED: 503,
  STORAGE_CORRUPT: 500,
  STORAGE_TOO_NEW: 500,
  STORAGE_UNUSABLE: 500,
};

/**
 * Turns whatever a route threw into an answer. What a caller can cause keeps its message; anything else is a fault of
 * the server: it is logged, and the caller learns no more than that.
 */
export function errorAnswer(thrown: unknown, logger: Logger): Answer {
  // A code that is not ours may come from an adapter or a hook of the host.
  if (!ActivityError.is(thrown) || !Object.hasOwn(STATUS, thrown.code)) {
    logger.error(thrown);
    return messageAnswer(500, "internal error; the server's log says more");
  }
  const status = STATUS[thrown.code];
  // What a query may use up is the host's choice, and reaching it no fault of the server.
  if (status >= 500 && thrown.code !== "QUERY_TOO_LARGE") logger.error(thrown);
  if (QueryError.isQuery(thrown)) return typedAnswer(status, thrown);
  return messageAnswer(status, thrown.message);
}

/** Clients of queries are told what kind of mistake it is, besides the message (contract query.md 1). */
function typedAnswer(status: number, { type, message }: QueryError): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify({ type, message }) };
}

/** An error answer: JSON with a `message` (contract rest.md 1). */
export function messageAnswer(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ message }),
  };
}
