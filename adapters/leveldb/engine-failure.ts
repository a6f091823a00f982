import path from "node:path";
import { ActivityError, errorCode, hasCode, messageOf } from "../../src/errors.js";
import { isFull } from "../segments/failures.js";
import { corrupt } from "../segments/state.js";
import { lockedError } from "./folder.js";

/**
 * Converts an error of LevelDB to the error for callers: a folder in use, damage, or its cause.
 *
 * @param name of the folder in messages
 */
export function toStorageError(thrown: unknown, name: string, folder: string): unknown {
  if (ActivityError.is(thrown)) return thrown;
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const code = errorCode(cause);
  const message = messageOf(cause);
  const holder = /already held by process/.test(message) ? "thread" : "process";
  if (code === "LEVEL_LOCKED") return lockedError(name, holder);
  // The folder's path is not part of the cause.
  const reason = message.replaceAll(path.resolve(folder), "").replaceAll(folder, "");
  const isDamage =
    code === "LEVEL_CORRUPTION" ||
    /corruption|does not exist|no such file|invalid argument|missing files/i.test(reason) ||
    (!isFull(cause) && !/input\/output|permission|too many open/i.test(reason) && /CURRENT|MANIFEST/.test(reason));
  return isDamage ? corrupt(name, message, thrown) : cause;
}

/** Whether an error means that a folder is in use. */
export function isLocked(failure: unknown): boolean {
  return hasCode(failure, "STORAGE_LOCKED");
}

/** Whether an error means that a database is damaged. */
export function isDamaged(failure: unknown): boolean {
  return hasCode(failure, "STORAGE_CORRUPT");
}
