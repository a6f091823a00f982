import { ActivityError, errorCode, messageOf, storageFull } from "../../src/errors.js";

/** A pool without a free connection in time: nothing was sent. */
export class NoConnection extends Error {
  override readonly name = "NoConnection";
}

/** A statement without a response in time: it may still run. */
export class StatementTimeout extends Error {
  override readonly name = "StatementTimeout";
}

/** Classes and codes of PostgreSQL for a lost or missing connection or server. */
const LOST_CODE = /^(?:08|57P0[1-5]|53300|25006)/;
/** The transaction was rolled back so that another one could continue. */
const CONFLICTS: readonly unknown[] = ["40001", "40P01", "55P03"];
const FULL: readonly unknown[] = ["53100", "54023"];
/** Errors of sockets and of name resolution. */
const SOCKET_CODE =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;
/** Messages of node-postgres without a code. */
const LOST_MESSAGE =
  /^(?:Connection terminated|Client has encountered a connection error|timeout e|Query read timeout)/i;

/** Whether the connection failed: the statement may have run or not. */
export function isLost(error: unknown): boolean {
  if (error instanceof NoConnection || error instanceof StatementTimeout) return true;
  // A host with several addresses fails with the errors of all of them.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isLost);
  const code = errorCode(error);
  return LOST_CODE.test(code) || SOCKET_CODE.test(code) || (code === "" && LOST_MESSAGE.test(messageOf(error)));
}

/** Whether all connections of a pool are in use. This does not mean that the database failed. */
export function isBusy(error: unknown): boolean {
  return error instanceof NoConnection || /^timeout exceeded/.test(messageOf(error));
}

/** Whether the server rolled the transaction back in favor of another one: it may be sent again. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.includes(errorCode(error));
}

/** Whether the server has another last write of this lane than its node: this write was rolled back. */
export function isLaneUnknown(error: unknown): boolean {
  return errorCode(error) === "AS001";
}

/** Whether the namespace was deleted after this storage opened it. */
export function isNamespaceDeleted(error: unknown): boolean {
  return errorCode(error) === "AS002";
}

/** The error of all calls after the namespace was deleted. */
export function namespaceDeletedError(cause: unknown): ActivityError {
  const message = "all data of this storage were deleted while it was open; open a new storage to start again";
  return new ActivityError("STORAGE_CLOSED", message, { cause });
}

/** Whether a standby, or a server that is starting, refused the statement: nothing ran. */
export function isRefusal(error: unknown): boolean {
  return error instanceof NoConnection || ["57P03", "53300", "25006"].includes(errorCode(error));
}

/** The error for callers. Only its cause contains the location of the database. */
export function toStorageError(error: unknown, outcome: string): ActivityError {
  if (ActivityError.is(error)) return error;
  if (FULL.includes(errorCode(error))) return storageFull({ cause: error });
  if (isLost(error)) return unreachableError(error, outcome);
  const reason = "the database refused this";
  return new ActivityError("STORAGE_FAILED", `${reason}; ${outcome}`, { cause: error, reason });
}

/** The error of a database that does not respond. Its cause is the error of the connection. */
export function unreachableError(error: unknown, outcome: string): ActivityError {
  const reason = "the database cannot be reached";
  const message = `${reason} (${describeLoss(error)}); ${outcome}`;
  return new ActivityError("STORAGE_FAILED", message, { cause: lastConnectionError(error), reason });
}

/** Describes a lost connection without its address or path. */
export function describeLoss(error: unknown): string {
  const failure = lastConnectionError(error);
  if (failure instanceof AggregateError && failure.errors.length > 0) return describeLoss(failure.errors[0]);
  if (failure instanceof StatementTimeout || failure instanceof NoConnection) return failure.message;
  return errorCode(failure) || (/timeout/i.test(messageOf(failure)) ? "no response in time" : "connection lost");
}

/** The error of the last attempt to connect, if this error is about all attempts. */
function lastConnectionError(error: unknown): unknown {
  return error instanceof NoConnection && error.cause !== undefined ? lastConnectionError(error.cause) : error;
}

/** The error of a write that was not sent. */
export function unsentError(reason: string): ActivityError {
  return new ActivityError("STORAGE_FAILED", `${reason}; ${NOTHING_STORED}`, { reason });
}

/** Outcome of read-only calls. */
export const TRY_AGAIN = "try again";
/** Outcome of writes that were not applied. */
export const NOTHING_STORED = "nothing of this was stored";
/** Outcome of writes whose result was lost and cannot be read from the database. */
export const MAYBE_STORED = "this may have been stored";
