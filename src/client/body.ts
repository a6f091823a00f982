// Reads the body of a response, in chunks or as a whole.
import { type Deadline, failure, type RequestContext, withoutSecret } from "./deadline.js";
import { type ActivityClientError, isActivityClientError } from "./errors.js";

/** @throws ActivityClientError `UNREACHABLE` for any other failure of the call */
export async function wrapFailure<T>(context: RequestContext, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw isActivityClientError(cause) ? cause : failure("UNREACHABLE", context, reasonOf(cause), { cause });
  }
}

/** A runtime's message of a failure. In Node, only the cause has the reason. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? ` (${failureText(cause.cause)})` : "";
  return `no complete response: ${failureText(cause)}${inner}`;
}

export function failureText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.message || String((thrown as { code?: unknown }).code ?? thrown.name);
}

/** The string of a body while it arrives. @throws ActivityClientError `UNREACHABLE`, and errors that end a call */
export async function* chunks(
  response: Response,
  context: RequestContext,
  deadline: Deadline,
): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isOver = false;
  try {
    while (!isOver) {
      const text = await wrapFailure(context, async () => {
        const { done, value } = await deadline.orEnd(reader.read());
        isOver = done;
        return decoder.decode(value, { stream: !done });
      });
      if (text !== "") yield text;
    }
  } finally {
    // The sender can stop; whether it learns of that does not matter.
    if (!isOver) reader.cancel().catch(() => {});
  }
}

/** @param limit characters after which the rest is left unread */
export async function buffered(texts: AsyncIterable<string>, limit: number = Infinity): Promise<string> {
  let all = "";
  for await (const text of texts) {
    all += text;
    if (all.length > limit) break;
  }
  return all;
}

/** @throws ActivityClientError `MALFORMED_RESPONSE` */
export function parse(text: string, context: RequestContext): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(context, "the response must be JSON", text, cause);
  }
}

export function malformed(
  context: RequestContext,
  expected: string,
  body: string,
  cause?: unknown,
): ActivityClientError {
  // Mask the secret before the body is cut and escaped.
  const text = withoutSecret(context, body);
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return failure("MALFORMED_RESPONSE", context, `${context.head?.status} with the body ${shown}; ${expected}`, {
    cause,
    body,
  });
}
