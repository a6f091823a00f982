import type { Fault } from "./domain/fault.js";

/**
 * Every way in which a caller can be told "no". The list is closed: `http/errors.ts` maps each code to a status.
 *
 * | code | meaning |
 * |---|---|
 * | `INVALID_INPUT` | a field, parameter or document is malformed; the message names it |
 * | `FORBIDDEN` | who asks, or from where, may not do this; or the bucket is protected |
 * | `UNAUTHORIZED` | an API key is needed, or the confirmation that a deletion demands |
 * | `NO_SUCH_BUCKET`, `NO_SUCH_EVENT`, `NO_SUCH_KEY`, `NO_SUCH_ROUTE` | the thing addressed does not exist |
 * | `NO_SUCH_SESSION`, `NO_SUCH_PAIRING` | the session has ended; nobody asks, or asked and waited too long |
 * | `NO_SUCH_REDIRECT`, `NO_SUCH_UNDO` | the id is not redirected; nothing can be undone under it |
 * | `CONFLICT` | what there is now does not let this be done; the message says what stands in the way |
 * | `NO_SUCH_ENTRY` | the trash does not hold it, or no longer |
 * | `METHOD_NOT_ALLOWED` | the route exists, the method does not |
 * | `VETOED` | a hook of the host refused the write; the message is the hook's |
 * | `ALREADY_ANSWERED` | a request was handed over that is being answered; logged, never sent |
 * | `QUERY_FAILED` | a program has an error; the message shows the place |
 * | `QUERY_TOO_LARGE` | a query uses up more than it may |
 * | `TOO_LARGE` | a body is above its limit |
 * | `HEAD_TOO_LARGE` | a request has too many headers |
 * | `TOO_MANY_REQUESTS` | as many as may wait for an answer of the owner do |
 * | `BUSY` | too much is under way; later there is room |
 * | `UNSUPPORTED_TYPE` | a body of the wrong content type |
 * | `STORAGE_CLOSED` | used after `close()` |
 * | `STORAGE_FAILED` | the engine refused a read or write; the message says whether anything of it may have been kept |
 * | `STORAGE_FULL` | no space is left; nothing of the write was kept |
 * | `QUOTA_EXCEEDED` | the write adds more than the server may store; nothing of it was kept |
 * | `STORAGE_LOCKED` | the storage is open elsewhere |
 * | `STORAGE_CORRUPT` | what is stored cannot be read; nothing was changed |
 * | `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`, `STORAGE_UNUSABLE` | the storage cannot be opened; nothing was changed |
 * | `STORAGE_UNSUPPORTED` | the storage has no transactions, which this needs; nothing was changed |
 * | `CHANGES_GONE` | a cursor into the changes is older than what is kept of them |
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

/** What an error has beside its message. */
export interface ActivityErrorOptions extends ErrorOptions {
  readonly fault?: Fault | undefined;
  /** Why the call failed, if the message also says what became of it. */
  readonly reason?: string | undefined;
  /** The status of the response, if not that of the code. */
  readonly status?: number | undefined;
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number | undefined;
}

/**
 * What a caller can cause or mend, with a code to branch on and a message for people.
 * Anything else that is thrown is a bug of ours and answers 500 without details.
 */
export class ActivityError extends Error {
  readonly code: ErrorCode;
  /** What exactly it is about, for who says it in other words. */
  readonly fault?: Fault;
  /** Why the call failed, without what became of it; where it is missing, the message says no more. */
  readonly reason?: string;
  /** The status of the response; if it is missing, that of the code. */
  readonly status?: number;
  /** Seconds after which the caller may try again. */
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

  /** Recognizes by name: the ESM and the CommonJS build can meet in one process. */
  static is(value: unknown): value is ActivityError {
    return value instanceof Error && value.name === "ActivityError" && "code" in value;
  }
}

/** A rule of a list, or a field of one; as a text `privacy_rules[2].when.matches`. */
export class RulePlace {
  readonly #list: string;
  readonly #index: number;
  readonly #field: string;

  /** @param list how messages call it */
  constructor(list: string, index: number, field = "") {
    this.#list = list;
    this.#index = index;
    this.#field = field;
  }

  /** A field within. */
  at(field: string): RulePlace {
    return new RulePlace(this.#list, this.#index, this.#field === "" ? field : `${this.#field}.${field}`);
  }

  /** The error of what is wrong here. @param sign between the place and the reason */
  refused(reason: string, fault: Pick<Fault, "name" | "values"> = RULE_UNFIT, sign = " "): ActivityError {
    const place = { rule: this.#index + 1, ...(this.#field !== "" && { field: this.#field }) };
    return new ActivityError("INVALID_INPUT", `${this}${sign}${reason}`, { fault: { ...fault, place, reason } });
  }

  toString(): string {
    return `${this.#list}[${this.#index}]${this.#field && `.${this.#field}`}`;
  }
}

/** The fault of a rule where none has a name of its own. */
export const RULE_UNFIT: Fault = { name: "ruleUnfit", values: {} };

/** Ends work that nobody waits for any more. Within the server alone: there is nobody to be told. */
export class AbandonedError extends Error {
  constructor() {
    super("nobody waits for this any more");
    this.name = "AbandonedError";
  }
}

/** The error of every call that names a bucket which does not exist. */
export function noSuchBucket(bucketId: string): ActivityError {
  const fault = { name: "noSuchBucket", values: { bucket: bucketId } };
  return new ActivityError("NO_SUCH_BUCKET", `no bucket named ${quote(bucketId)}`, { fault });
}

/** The error of a field of a body. */
export function fieldUnfit(field: string, reason: string): ActivityError {
  const fault = { name: "fieldUnfit", values: {}, place: { field }, reason };
  return new ActivityError("INVALID_INPUT", `${field} ${reason}`, { fault });
}

/** The error of a value that is not what was wanted. @param wanted what it must be @param remedy how to repair it */
export function mustBe(field: string, wanted: string, value: unknown, remedy = ""): ActivityError {
  return fieldUnfit(field, `must be ${wanted}, got ${shownValue(value)}${remedy && `; ${remedy}`}`);
}

/** How a message shows a value that is not what was wanted. */
export function shownValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  if (value instanceof Date) return "a Date";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** The error of a body or document above its limit. */
export function tooLarge(limitBytes: number): ActivityError {
  const fault = { name: "bodyTooLarge", values: { limit: limitBytes } };
  return new ActivityError("TOO_LARGE", `the body is larger than ${limitBytes} bytes`, { fault });
}

/** The error of what found no room in time. @param reason what there is too much of */
export function busy(reason: string): ActivityError {
  return new ActivityError("BUSY", `the server is busy: ${reason}; try again later`);
}

/** The error of every storage call after `close()`. */
export function storageClosed(): ActivityError {
  return new ActivityError("STORAGE_CLOSED", "the storage is closed");
}

/** The error of every write that finds no space. Names no path: the message reaches clients. */
export function storageFull(options?: ErrorOptions): ActivityError {
  const reason = "no space left";
  return new ActivityError("STORAGE_FULL", `${reason}, nothing of this was stored`, { ...options, reason });
}

/** The code of an error of ours, the operating system or an engine; `""` if it has none. */
export function errorCode(thrown: unknown): string {
  const code = (thrown as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}

/** Whether an error has one of these codes: ours, or those of Node and the operating system. */
export function hasCode(
  thrown: unknown,
  ...codes: readonly (ErrorCode | `E${string}`)[]
): thrown is Error & { readonly code: string } {
  return (codes as readonly string[]).includes(errorCode(thrown));
}

/** A handler for `catch()`: returns a value in the place of an error with this code. */
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

/** Whether the operating system refused something for want of space: disk, quota or file size. */
export function saysNoSpace(cause: unknown): boolean {
  return hasCode(cause, "ENOSPC", "EDQUOT", "EFBIG");
}

/** The error of every call that a closed server cannot serve any more. */
export function serverClosed(): ActivityError {
  return new ActivityError("STORAGE_CLOSED", "the server is closed");
}

/** Quotes a name for a message, cut to a length that fits on a line. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text);
  return quoted.length <= 120 ? `'${quoted.slice(1, -1)}'` : `'${quoted.slice(1, 118)}…'`;
}

/** What a failure says of itself, whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
