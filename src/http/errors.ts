import { ERRORS } from "../api/errors.js";
import { AbandonedError, ActivityError, type ErrorCode, quote } from "../errors.js";
import type { Logger } from "../logger.js";
import { QueryError } from "../query/query-error.js";
import { type NamedHost, nameOf } from "./guard.js";
import { type HttpResponse, jsonResponse } from "./request-context.js";

/** What each code is to a client; a code that is missing there does not compile here. */
const MEANINGS: Readonly<Record<ErrorCode, { readonly status: number }>> = ERRORS;

/** Sentences for errors whose messages are the operator's: they may tell where the data are. */
const SENTENCES: Partial<Readonly<Record<ErrorCode, string>>> = {
  STORAGE_FULL: ERRORS.STORAGE_FULL.message,
  STORAGE_FAILED: "the storage could not do this",
  STORAGE_CORRUPT: "what is stored is damaged",
  STORAGE_TOO_NEW: ERRORS.STORAGE_TOO_NEW.message,
  STORAGE_TOO_OLD: ERRORS.STORAGE_TOO_OLD.message,
  STORAGE_UNUSABLE: ERRORS.STORAGE_UNUSABLE.message,
  STORAGE_LOCKED: ERRORS.STORAGE_LOCKED.message,
};
/** Errors of storages that are open; messages of the others say how to mend the folder. */
const TOLD: readonly ErrorCode[] = ["STORAGE_FULL", "STORAGE_FAILED", "STORAGE_CORRUPT"];
/** A path of a file, on any system. */
const FILE_PATH = /(?:^|[\s("'`=:[])(?:~?\/|\.{1,2}[\\/]|[a-z]:[\\/]|\\\\)\S/i;

/** How long a client should wait before it tries again, in seconds. */
const RETRY_SECONDS: Partial<Readonly<Record<ErrorCode, string>>> = {
  STORAGE_FAILED: "1",
  QUOTA_EXCEEDED: "300",
  BUSY: "5",
  TOO_MANY_REQUESTS: "60",
};

/** What may be used up, and what the storage can do, is the embedder's choice and no fault of the server. */
const NO_FAULTS: readonly ErrorCode[] = ["QUERY_TOO_LARGE", "QUOTA_EXCEEDED", "BUSY", "STORAGE_UNSUPPORTED", "VETOED"];

/** Whether a status means "not now": clients may send the same request again. */
function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** What a client is told: never where the files of the server are. */
function clientMessage({ code, message }: ActivityError): string {
  const sentence = SENTENCES[code];
  if (sentence === undefined || (TOLD.includes(code) && !FILE_PATH.test(message))) return message;
  return sentence;
}

/**
 * The response for whatever a route threw. What a caller can cause keeps its message; anything else is a fault of
 * the server: it is logged, and the caller learns no more than that.
 */
export function errorResponse(thrown: unknown, logger: Logger): HttpResponse {
  if (thrown instanceof AbandonedError) return messageResponse(503, thrown.message);
  // A code that is not ours may come from an adapter or a hook of the embedder.
  if (!ActivityError.is(thrown) || !Object.hasOwn(MEANINGS, thrown.code)) {
    logger.error(thrown);
    return messageResponse(500, "internal error; the server's log says more");
  }
  const { code, status = MEANINGS[code].status } = thrown;
  if (status >= 500 && !NO_FAULTS.includes(code)) logger.error(thrown);
  // Clients are told what kind of error a query has (docs/query.md#errors), and that it was a hook which refused, not
  // the rules of access: what is vetoed once will be again, from wherever it is sent.
  const isVetoed = code === "VETOED" && !isPassing(status);
  const type = QueryError.isQuery(thrown) ? thrown.type : isVetoed ? ERRORS.VETOED.type : undefined;
  const message = type === undefined ? clientMessage(thrown) : thrown.message;
  const { retryAfter } = thrown;
  const seconds = retryAfter === undefined ? RETRY_SECONDS[code] : String(Math.ceil(retryAfter));
  const headers = seconds === undefined ? undefined : { "retry-after": seconds };
  const { name: fault, values, place, reason } = thrown.fault ?? {};
  return { ...jsonResponse(JSON.stringify({ type, message, code, fault, values, place, reason }), headers), status };
}

/** An error response: JSON with a `message` (docs/api.md#errors). */
export function messageResponse(status: number, message: string, headers?: HttpResponse["headers"]): HttpResponse {
  return { ...jsonResponse(JSON.stringify({ message }), headers), status };
}

export function unknownHost({ header, value }: NamedHost): ActivityError {
  const name = nameOf(value) ?? value;
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
