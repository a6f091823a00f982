import type { Fault } from "../domain/fault.js";
import type { ClientErrorDetails } from "./errors.js";

/** The content of an error response, as far as it matches this API. */
export type ErrorBody = Pick<ClientErrorDetails, "serverMessage" | "serverType" | "serverCode" | "fault">;

/** The fields of a fault are on the top level. */
type Sent = Partial<Fault & Record<"message" | "type" | "code" | "fault", unknown>>;

/**
 * Parses the body of an error response. It matches this API if it is a JSON object with the string `message`, or the
 * error page of aw-server-rust. Any other body, such as a proxy's page, returns nothing.
 *
 * @param shown limits a string for display @default all
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
