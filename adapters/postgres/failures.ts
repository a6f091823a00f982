import { ActivityError, errorCode, messageOf, storageFull } from "../../src/errors.js";

/** A pool that has no connection to give in time: nothing was sent. */
export class NoConnection extends Error {
  override readonly name = "NoConnection";
}

/** A statement that was not answered in time: it may still be carried out. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Classes and codes of PostgreSQL that mean: the connection or the server is gone, or not there yet. */
const LOST = /^(?:08|57P0[1-5]|53300|25006)/;
/** The transaction was undone so that another one could go on. */
const CONFLICTS: readonly unknown[] = ["40001", "40P01", "55P03"];
const FULL: readonly unknown[] = ["53100", "54023"];
/** Errors of sockets and of looking up names. */
const SOCKET =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT|EADDRNOTAVAIL)$/;
/** What node-postgres says without a code. */
const SAID = /^(?:Connection terminated|Client has encountered a connection error|timeout e|Query read timeout)/i;

/** Whether the connection failed: what was sent may have been carried out or not. */
export function isLost(error: unknown): boolean {
  if (error instanceof NoConnection || error instanceof NoAnswer) return true;
  // An address with several forms fails with the errors of all of them.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isLost);
  const code = errorCode(error);
  return LOST.test(code) || SOCKET.test(code) || (code === "" && SAID.test(messageOf(error)));
}

/** Whether all connections of a pool are in use, which says nothing of the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof NoConnection || /^timeout exceeded/.test(messageOf(error));
}

/** Whether the server undid the transaction for another one's sake: it may be sent again. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.includes(errorCode(error));
}

/** Whether the server knows another last write of this lane than its node: this one was undone. */
export function isForgotten(error: unknown): boolean {
  return errorCode(error) === "AS001";
}

/** Whether the namespace was deleted after this storage had opened it. */
export function isDeleted(error: unknown): boolean {
  return errorCode(error) === "AS002";
}

/** The error of every call from then on. */
export function namespaceDeleted(cause: unknown): ActivityError {
  const message = "all data of this storage were deleted while it was open; open a new storage to start again";
  return new ActivityError("STORAGE_CLOSED", message, { cause });
}

/** Whether a standby or a server that starts refused: nothing was carried out. */
export function isRefusal(error: unknown): boolean {
  return error instanceof NoConnection || ["57P03", "53300", "25006"].includes(errorCode(error));
}

/** The error that callers get. Only the cause says where the database is. */
export function failureOf(error: unknown, outcome: string): ActivityError {
  if (ActivityError.is(error)) return error;
  if (FULL.includes(errorCode(error))) return storageFull({ cause: error });
  if (isLost(error)) return unreachable(error, outcome);
  const reason = "the database refused this";
  return new ActivityError("STORAGE_FAILED", `${reason}; ${outcome}`, { cause: error, reason });
}

/** The error of a database that does not respond. Its cause is what the connection failed with. */
export function unreachable(error: unknown, outcome: string): ActivityError {
  const reason = "the database cannot be reached";
  const message = `${reason} (${lossOf(error)}); ${outcome}`;
  return new ActivityError("STORAGE_FAILED", message, { cause: failureBehind(error), reason });
}

/** What happened to a connection, without the address or the path at which it did. */
export function lossOf(error: unknown): string {
  const failure = failureBehind(error);
  if (failure instanceof AggregateError && failure.errors.length > 0) return lossOf(failure.errors[0]);
  if (failure instanceof NoAnswer || failure instanceof NoConnection) return failure.message;
  return errorCode(failure) || (/timeout/i.test(messageOf(failure)) ? "no answer in time" : "connection lost");
}

/** What the last attempt to connect failed with, if this is about all attempts. */
function failureBehind(error: unknown): unknown {
  return error instanceof NoConnection && error.cause !== undefined ? failureBehind(error.cause) : error;
}

/** The error of a write that was not sent. */
export function notSent(reason: string): ActivityError {
  return new ActivityError("STORAGE_FAILED", `${reason}; ${NOTHING_STORED}`, { reason });
}

/** What is said of calls that only read. */
export const NOTHING_READ = "try again";
/** What is said of writes that were not applied. */
export const NOTHING_STORED = "nothing of this was stored";
/** What is said of writes whose answer was lost, as long as nobody can be asked. */
export const MAYBE_STORED = "this may have been stored";
