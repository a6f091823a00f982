import { ERRORS } from "../api/errors.js";
import { AbandonedError, ActivityError, type ErrorCode, quote } from "../errors.js";
import type { Logger } from "../logger.js";
import { QueryError } from "../query/query-error.js";
import { type NamedHost, parseHostName } from "./guard.js";
import { type HttpResponse, jsonResponse } from "./request-context.js";

/** The status and phrase of each code. A missing code is a compile error. */
const MEANINGS: Readonly<Record<ErrorCode, { readonly status: number }>> = ERRORS;

/** Public sentences for errors with internal messages, which may contain the location of the data. */
const SENTENCES: Partial<Readonly<Record<ErrorCode, string>>> = {
  STORAGE_FULL: ERRORS.STORAGE_FULL.message,
  STORAGE_FAILED: "the storage could not do this",
  STORAGE_CORRUPT: "stored data is damaged",
  STORAGE_TOO_NEW: ERRORS.STORAGE_TOO_NEW.message,
  STORAGE_TOO_OLD: ERRORS.STORAGE_TOO_OLD.message,
  STORAGE_UNUSABLE: ERRORS.STORAGE_UNUSABLE.message,
  STORAGE_LOCKED: ERRORS.STORAGE_LOCKED.message,
};
/** Errors of an open storage. Messages of the other storage errors describe how to repair the folder. */
const SHOWN_TO_CLIENTS: readonly ErrorCode[] = ["STORAGE_FULL", "STORAGE_FAILED", "STORAGE_CORRUPT"];
/** A file path, on any system. */
const FILE_PATH = /(?:^|[\s("'`=:[])(?:~?\/|\.{1,2}[\\/]|[a-z]:[\\/]|\\\\)\S/i;

/** How long a client should wait before a retry, in seconds. */
const RETRY_SECONDS: Partial<Readonly<Record<ErrorCode, string>>> = {
  STORAGE_FAILED: "1",
  QUOTA_EXCEEDED: "300",
  BUSY: "5",
  TOO_MANY_REQUESTS: "60",
};

/** Limits and the abilities of the storage are the embedder's choice, not a fault of the server. */
const NO_FAULTS: readonly ErrorCode[] = ["QUERY_TOO_LARGE", "QUOTA_EXCEEDED", "BUSY", "STORAGE_UNSUPPORTED", "VETOED"];

/** Whether a status means "not now": clients may send the same request again. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** The message for a client: it never contains paths of the server's files. */
function clientMessage({ code, message }: ActivityError): string {
  const sentence = SENTENCES[code];
  if (sentence === undefined || (SHOWN_TO_CLIENTS.includes(code) && !FILE_PATH.test(message))) return message;
  return sentence;
}

/**
 * The response to an error that a route threw. A client error keeps its message. Anything else is a server fault: it is
 * logged, and the caller gets a general message.
 */
export function errorResponse(thrown: unknown, logger: Logger): HttpResponse {
  if (thrown instanceof AbandonedError) return messageResponse(503, thrown.message);
  // An unknown code may come from an adapter or a hook of the embedder.
  if (!ActivityError.is(thrown) || !Object.hasOwn(MEANINGS, thrown.code)) {
    logger.error(thrown);
    return messageResponse(500, "internal error; see the server's log");
  }
  const { code, status = MEANINGS[code].status } = thrown;
  if (status >= 500 && !NO_FAULTS.includes(code)) logger.error(thrown);
  // Shows the kind of a query error (docs/reference/query.md#errors), and whether a hook refused: a veto repeats
  // wherever the request comes from.
  const isVetoed = code === "VETOED" && !isTemporary(status);
  const type = QueryError.isQuery(thrown) ? thrown.type : isVetoed ? ERRORS.VETOED.type : undefined;
  const message = type === undefined ? clientMessage(thrown) : thrown.message;
  const { retryAfter } = thrown;
  const seconds = retryAfter === undefined ? RETRY_SECONDS[code] : String(Math.ceil(retryAfter));
  const headers = seconds === undefined ? undefined : { "retry-after": seconds };
  const { name: fault, values, place, reason } = thrown.fault ?? {};
  return { ...jsonResponse(JSON.stringify({ type, message, code, fault, values, place, reason }), headers), status };
}

/** An error response: JSON with a `message` (docs/reference/errors.md). */
export function messageResponse(status: number, message: string, headers?: HttpResponse["headers"]): HttpResponse {
  return { ...jsonResponse(JSON.stringify({ message }), headers), status };
}

export function unknownHost({ header, value }: NamedHost): ActivityError {
  const name = parseHostName(value) ?? value;
  const listed = name === value.toLowerCase() ? "it" : quote(name);
  const message = `${header} must be a name of this server, got ${quote(value)}; list ${listed} in \`allowedHosts\``;
  return new ActivityError("INVALID_INPUT", message);
}

export function foreignLoad(): ActivityError {
  return new ActivityError("FORBIDDEN", "pages of other sites may not load this; list their origin in `cors`");
}

export function foreignLink(): ActivityError {
  return new ActivityError("FORBIDDEN", "links of other sites reach pages only; open the address yourself");
}
