import type { ActivityClientError } from "../../client/errors.js";
import { shown } from "./language.js";

/** The parts of an error that its translation depends on; empty for a message without an error. */
export type TranslatedError = Partial<
  Pick<ActivityClientError, "fault" | "serverMessage" | "serverType" | "serverCode">
>;

/**
 * A server message, translated to the page's language.
 *
 * @param words the English message @default the one without a position
 */
export function translateMessage(
  error: TranslatedError,
  words: string = error.fault?.reason ?? error.serverMessage ?? "",
): string {
  return shown.value.words?.(error, words) ?? words;
}
