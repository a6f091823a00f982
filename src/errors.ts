import type { Fault } from "./domain/fault.js";

/**
 * The codes of all errors that callers can get. `http/errors.ts` maps each code to a status.
 *
 * | code | meaning |
 * |---|---|
 * | `INVALID_INPUT` | a field, parameter or document is malformed; the message names it |
 * | `FORBIDDEN` | the caller or its origin may not do this; or the bucket is protected |
 * | `UNAUTHORIZED` | an API key is needed, or the confirmation that a deletion requires |
 * | `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `NO_SUCH_KEY`, `NO_SUCH_ROUTE` | it does not exist |
 * | `NO_SUCH_SESSION`, `NO_SUCH_PAIRING` | the session has ended; the pairing request is unknown or has expired |
 * | `NO_SUCH_REDIRECT`, `NO_SUCH_UNDO` | the ID is not redirected; no change with this ID can be undone |
 * | `CONFLICT` | the current data do not allow this; the message names the obstacle |
 * | `NO_SUCH_ENTRY` | the trash does not contain it, or no longer |
 * | `METHOD_NOT_ALLOWED` | the route exists, the method does not |
 * | `VETOED` | a hook of your app rejected the write; the message is the hook's |
 * | `ALREADY_ANSWERED` | the request already has a response in progress; logged, never sent |
 * | `QUERY_FAILED` | a query has an error; the message shows the position |
 * | `QUERY_TOO_LARGE` | a query exceeds its limits |
 * | `TOO_LARGE` | a body is above its limit |
 * | `HEAD_TOO_LARGE` | a request has too many headers |
 * | `TOO_MANY_REQUESTS` | too many pairing requests wait for the owner |
 * | `BUSY` | too much work is in progress; retry later |
 * | `UNSUPPORTED_TYPE` | a body of the wrong content type |
 * | `STORAGE_CLOSED` | used after `close()` |
 * | `STORAGE_FAILED` | the engine failed to read or write; the message says whether any of it may have been stored |
 * | `STORAGE_FULL` | no space is left; nothing of the write was stored |
 * | `QUOTA_EXCEEDED` | the write exceeds the server's quota; nothing of it was stored |
 * | `STORAGE_LOCKED` | the storage is open elsewhere |
 * | `STORAGE_CORRUPT` | stored data cannot be read; nothing was changed |
 * | `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`, `STORAGE_UNUSABLE` | the storage cannot be opened; nothing was changed |
 * | `STORAGE_UNSUPPORTED` | the storage has no transactions, which this needs; nothing was changed |
 * | `CHANGES_GONE` | a cursor into the changes is older than the kept changes |
 */
export type ErrorCode =
  | "INVALID_INPUT"
  | "FORBIDDEN"
  | "UNAUTHORIZED"
  | "NO_SUCH_BUCKET"
  | "NO_SUCH_EVENT"
  | "NO_SUCH_KEY"
  | "NO_SUCH_SESSION"
  | "NO_SUCH_PAIRING"
  | "NO_SUCH_REDIRECT"
  | "NO_SUCH_UNDO"
  | "CONFLICT"
  | "NO_SUCH_ENTRY"
  | "NO_SUCH_ROUTE"
  | "METHOD_NOT_ALLOWED"
  | "VETOED"
  | "QUERY_FAILED"
  | "QUERY_TOO_LARGE"
  | "ALREADY_ANSWERED"
  | "TOO_LARGE"
  | "HEAD_TOO_LARGE"
  | "TOO_MANY_REQUESTS"
  | "BUSY"
  | "UNSUPPORTED_TYPE"
  | "STORAGE_CLOSED"
  | "STORAGE_FAILED"
  | "STORAGE_FULL"
  | "QUOTA_EXCEEDED"
  | "STORAGE_LOCKED"
  | "STORAGE_CORRUPT"
  | "STORAGE_TOO_NEW"
  | "STORAGE_TOO_OLD"
  | "STORAGE_UNUSABLE"
  | "STORAGE_UNSUPPORTED"
  | "CHANGES_GONE";

/** Optional fields of an error. */
export interface ActivityErrorOptions extends ErrorOptions {
  readonly fault?: Fault | undefined;
  /** Why the call failed, if the message also describes its effect. */
  readonly reason?: string | undefined;
  /** The status of the response, if it differs from the default of the code. */
  readonly status?: number | undefined;
  /** Seconds after which the caller may retry. */
  readonly retryAfter?: number | undefined;
}

/**
 * An error that a caller can cause or fix, with a code for programs and a message for people. All other errors are bugs
 * of this server: the response is 500 without details.
 */
export class ActivityError extends Error {
  readonly code: ErrorCode;
  /** The exact fault, for translations. */
  readonly fault?: Fault;
  /** Why the call failed, without its effect; if it is missing, the message contains only the reason. */
  readonly reason?: string;
  /** The status of the response. @default the status of the code */
  readonly status?: number;
  /** Seconds after which the caller may retry. */
  readonly retryAfter?: number;

  constructor(code: ErrorCode, message: string, options?: ActivityErrorOptions) {
    super(message, options);
    this.name = "ActivityError";
    this.code = code;
    if (options?.fault !== undefined) this.fault = options.fault;
    if (options?.reason !== undefined) this.reason = options.reason;
    if (options?.status !== undefined) this.status = options.status;
    if (options?.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }

  /** Compares the name: the ESM and the CommonJS build can be used in one process. */
  static is(value: unknown): value is ActivityError {
    return value instanceof Error && value.name === "ActivityError" && "code" in value;
  }
}

/** A rule of a list, or a field of one; as a string `privacy_rules[2].when.matches`. */
export class RulePlace {
  readonly #list: string;
  readonly #index: number;
  readonly #field: string;

  /** @param list name of the list in messages */
  constructor(list: string, index: number, field = "") {
    this.#list = list;
    this.#index = index;
    this.#field = field;
  }

  /** A nested field. */
  at(field: string): RulePlace {
    return new RulePlace(this.#list, this.#index, this.#field === "" ? field : `${this.#field}.${field}`);
  }

  /** The error for an invalid value at this place. @param sign between the place and the reason */
  refused(reason: string, fault: Pick<Fault, "name" | "values"> = RULE_UNFIT, sign = " "): ActivityError {
    const place = { rule: this.#index + 1, ...(this.#field !== "" && { field: this.#field }) };
    return new ActivityError("INVALID_INPUT", `${this}${sign}${reason}`, { fault: { ...fault, place, reason } });
  }

  toString(): string {
    return `${this.#list}[${this.#index}]${this.#field && `.${this.#field}`}`;
  }
}

/** The fault of a rule without a more specific one. */
export const RULE_UNFIT: Fault = { name: "ruleUnfit", values: {} };

/** Ends work whose caller has left. Only used within the server: no caller gets it. */
export class AbandonedError extends Error {
  constructor() {
    super("the caller no longer waits for this");
    this.name = "AbandonedError";
  }
}

/** The error for an unknown bucket. */
export function noSuchBucket(bucketId: string): ActivityError {
  const fault = { name: "noSuchBucket", values: { bucket: bucketId } };
  return new ActivityError("NO_SUCH_BUCKET", `no bucket named ${quote(bucketId)}`, { fault });
}

/** The error for an invalid field of a body. */
export function fieldUnfit(field: string, reason: string): ActivityError {
  const fault = { name: "fieldUnfit", values: {}, place: { field }, reason };
  return new ActivityError("INVALID_INPUT", `${field} ${reason}`, { fault });
}

/** The error for an invalid value. @param wanted the valid values @param remedy how to fix it */
export function mustBe(field: string, wanted: string, value: unknown, remedy = ""): ActivityError {
  return fieldUnfit(field, `must be ${wanted}, got ${shownValue(value)}${remedy && `; ${remedy}`}`);
}

/** Formats an invalid value for a message. */
export function shownValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  if (value instanceof Date) return "a Date";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** The error for a body or document above its limit. */
export function tooLarge(limitBytes: number): ActivityError {
  const fault = { name: "bodyTooLarge", values: { limit: limitBytes } };
  return new ActivityError("TOO_LARGE", `the body is larger than ${limitBytes} bytes`, { fault });
}

/** The error for work that was not admitted in time. @param reason the exceeded limit */
export function busy(reason: string): ActivityError {
  return new ActivityError("BUSY", `the server is busy: ${reason}; try again later`);
}

/** The error of every storage call after `close()`. */
export function storageClosed(): ActivityError {
  return new ActivityError("STORAGE_CLOSED", "the storage is closed");
}

/** The error for every write without space. Does not contain a path: the message reaches clients. */
export function storageFull(options?: ErrorOptions): ActivityError {
  const reason = "no space left";
  return new ActivityError("STORAGE_FULL", `${reason}, nothing of this was stored`, { ...options, reason });
}

/** Returns the code of any error; `""` if it has none. */
export function errorCode(thrown: unknown): string {
  const code = (thrown as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}

/** Whether an error has one of these codes of this server, Node or the operating system. */
export function hasCode(
  thrown: unknown,
  ...codes: readonly (ErrorCode | `E${string}`)[]
): thrown is Error & { readonly code: string } {
  return (codes as readonly string[]).includes(errorCode(thrown));
}

/** A handler for `catch()`: returns a value instead of an error with this code. */
export function ifCode<Value>(code: ErrorCode | `E${string}`, value: Value): (thrown: unknown) => Value {
  return (thrown) => {
    if (hasCode(thrown, code)) return value;
    throw thrown;
  };
}

/** Whether a package is not installed. CommonJS builds have the second code. */
export function isModuleMissing(thrown: unknown): boolean {
  return hasCode(thrown, "ERR_MODULE_NOT_FOUND") || errorCode(thrown) === "MODULE_NOT_FOUND";
}

/** Whether the operating system reported a lack of space: disk, quota or file size. */
export function saysNoSpace(cause: unknown): boolean {
  return hasCode(cause, "ENOSPC", "EDQUOT", "EFBIG");
}

/** The error for every call after the server was closed. */
export function serverClosed(): ActivityError {
  return new ActivityError("STORAGE_CLOSED", "the server is closed");
}

/** Quotes a name for a message, and shortens it to fit on a line. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text);
  return quoted.length <= 120 ? `'${quoted.slice(1, -1)}'` : `'${quoted.slice(1, 118)}…'`;
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
