import { isActivityClientError } from "../../../client/errors.js";
import { client, describeFailure } from "../../api.js";
import { printText } from "../../program-text.js";
import type { LazyText } from "../../texts/text.js";
import { translateMessage } from "../../texts/translate-message.js";

/** A program that only compiles a pattern, in the way the page's programs do. */
export function patternProgram(pattern: string): string {
  return `RETURN = filter_keyvals_regex([], "app", ${printText(pattern, "pattern")});`;
}

/**
 * Validates a pattern on the server, whose regular expressions differ from the browser's.
 *
 * @returns a message; `undefined` if it is valid. Never rejects
 */
export async function patternErrorOf(pattern: string): Promise<LazyText | undefined> {
  if (pattern === "") return undefined;
  try {
    await client.query({ timeperiods: ["2024-01-01/2024-01-02"], query: patternProgram(pattern) });
    return undefined;
  } catch (error) {
    const isRefused = isActivityClientError(error) && error.code === "REFUSED" && error.status === 400;
    if (!isRefused) return () => describeFailure(error);
    return () => `${translateMessage(error)}.`;
  }
}
