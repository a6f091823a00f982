import { parseErrorBody } from "../client/error-body.js";
import { ActivityClientError } from "../client/errors.js";

/** The error of a response to a request without a client method. */
export function refusal(status: number, body: string): ActivityClientError {
  const code = status >= 400 ? "REFUSED" : "MALFORMED_RESPONSE";
  return new ActivityClientError(code, `${status}`, { status, ...parseErrorBody(body, status) });
}
