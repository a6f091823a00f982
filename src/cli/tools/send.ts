import { type IncomingMessage, request } from "node:http";
import type { Control } from "../control-file.js";
import { LaunchError, printable } from "../launch-error.js";

/**
 * Sends a request to a running server.
 *
 * @param timeoutMillis how long to wait for the response, its body included; `undefined` = for ever
 * @returns the response, its body still to be read
 */
export function send(
  { address, token }: Control,
  method: "GET" | "POST",
  path: string,
  timeoutMillis?: number,
): Promise<IncomingMessage> {
  const signal = timeoutMillis === undefined ? {} : { signal: AbortSignal.timeout(timeoutMillis) };
  const options = { method, agent: false, headers: { authorization: `Bearer ${token}` }, ...signal } as const;
  return new Promise((resolve, reject) => {
    request(new URL(path, address), options, resolve).on("error", reject).end();
  });
}

/** The same for a response that is needed. @throws LaunchError for any other status than 200 */
export async function sendOrFail(control: Control, method: "GET" | "POST", path: string): Promise<IncomingMessage> {
  const response = await send(control, method, path);
  if (response.statusCode === 200) return response;
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  throw new LaunchError(`the server at ${control.address} answers ${response.statusCode}: ${printable(text, 300)}`);
}

/** The lines of a response, parsed. */
export async function* jsonLines(response: IncomingMessage): AsyncGenerator<unknown> {
  let rest = "";
  for await (const chunk of response.setEncoding("utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}
