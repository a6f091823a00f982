import type { ActivityClientError } from "../../client/errors.js";
import { shown } from "./language.js";

/** What the server says, in the language of the page. @param message its own words, which are English */
export function saidBy(error: ActivityClientError, message: string): string {
  return shown.value.words?.(error, message) ?? message;
}
