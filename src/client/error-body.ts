/** What an error response says, as far as it is one of this API. */
export interface ErrorBody {
  readonly serverMessage?: string;
  readonly serverType?: string;
}

/**
 * Reads the body of an error response. It is one of this API when it is a JSON object with the text `message`, or the
 * error page of aw-server-rust. For anything else, such as the page of a proxy, nothing is known.
 */
export function parseErrorBody(text: string, status: number): ErrorBody {
  try {
    const { message, type } = JSON.parse(text) as { message?: unknown; type?: unknown };
    if (typeof message !== "string") return {};
    return { serverMessage: message, ...(typeof type === "string" && { serverType: type }) };
  } catch {
    const reason = text.includes("<small>Rocket</small>") && /<h1>(\d+): ([^<]*)<\/h1>/.exec(text);
    return reason && reason[1] === String(status) ? { serverMessage: reason[2] ?? "" } : {};
  }
}
