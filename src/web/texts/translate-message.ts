import type { ActivityClientError } from "../../client/errors.js";
import { shown } from "./language.js";

/**
 * A server message, translated to the page's language.
 *
 * @param words the English message @default the one without a position
 */
export function translateMessage(
  error: ActivityClientError,
  words: string = error.fault?.reason ?? error.serverMessage ?? "",
): string {
  return shown.value.words?.(error, words) ?? words;
}
