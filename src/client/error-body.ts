import type { Fault } from "../domain/fault.js";
import type { ClientErrorDetails } from "./errors.js";

/** What an error response says, as far as it is one of this API. */
export type ErrorBody = Pick<ClientErrorDetails, "serverMessage" | "serverType" | "serverCode" | "fault">;

/** A fault stands flat among the rest. */
type Sent = Partial<Fault & Record<"message" | "type" | "code" | "fault", unknown>>;

/**
 * Reads the body of an error response. It is one of this API when it is a JSON object with the text `message`, or the
 * error page of aw-server-rust. For anything else, such as the page of a proxy, nothing is known.
 *
 * @param shown what may be shown of a text @default all
 */
export function parseErrorBody(
  text: string,
  status: number,
  shown: (text: string) => string = (text) => text,
): ErrorBody {
  try {
    const body: unknown = JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? shown(value) : value));
    const { message, type, code, fault: name, values = {}, place, reason } = body as Sent;
    if (typeof message !== "string") return {};
    return {
      serverMessage: message,
      serverType: typeof type === "string" ? type : undefined,
      serverCode: typeof code === "string" ? code : undefined,
      fault: typeof name === "string" ? ({ name, values, place, reason } as Fault) : undefined,
    };
  } catch {
    const reason = text.includes("<small>Rocket</small>") && /<h1>(\d+): ([^<]*)<\/h1>/.exec(text);
    return reason && reason[1] === String(status) ? { serverMessage: shown(reason[2] ?? "") } : {};
  }
}
