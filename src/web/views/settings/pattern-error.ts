import { isActivityClientError } from "../../../client/errors.js";
import { client, describeFailure } from "../../api.js";
import type { LazyText } from "../../texts/text.js";
import { translateMessage } from "../../texts/translate-message.js";

/**
 * Validates a pattern on the server, whose regular expressions differ from the browser's.
 *
 * @returns a message; `undefined` if it is valid. Never rejects
 */
export async function patternErrorOf(pattern: string): Promise<LazyText | undefined> {
  if (pattern === "") return undefined;
  try {
    // Without hosts, the server reads nothing.
    await client.report({ hosts: [], rule: { type: "regex", regex: pattern } });
    return undefined;
  } catch (error) {
    const isRefused = isActivityClientError(error) && error.code === "REFUSED" && error.status === 400;
    if (!isRefused) return () => describeFailure(error);
    return () => `${translateMessage(error)}.`;
  }
}
