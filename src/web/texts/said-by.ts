import type { ActivityClientError } from "../../client/errors.js";
import { shown } from "./language.js";

/**
 * What the server says, in the language of the page.
 *
 * @param words its own, which are English @default those without a place
 */
export function saidBy(
  error: ActivityClientError,
  words: string = error.fault?.reason ?? error.serverMessage ?? "",
): string {
  return shown.value.words?.(error, words) ?? words;
}
