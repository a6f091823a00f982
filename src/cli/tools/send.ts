import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from "node:http";
import { connectPinned } from "../../client/pinned.js";
import { requestProof } from "../../http/control-proof.js";
import type { Control } from "../control-file.js";
import { LaunchError, printable } from "../launch-error.js";

/** What is sent besides method and path. */
export interface Sending {
  /** How long to wait for the response, its body included. @default for ever */
  readonly timeoutMillis?: number;
  /** JSON text. @default none */
  readonly body?: string | undefined;
  /** Whether it goes without a proof of who asks. @default false */
  readonly isAnonymous?: boolean;
}

/** Sends a request to a running server. @returns the response, its body still to be read */
export async function send(
  control: Control,
  method: string,
  path: string,
  { timeoutMillis, body, isAnonymous = false }: Sending = {},
): Promise<IncomingMessage> {
  const signal = timeoutMillis === undefined ? {} : { signal: AbortSignal.timeout(timeoutMillis) };
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const url = new URL(path, control.address);
  // Never the token itself: since the file was written another program may have taken the address.
  const target = url.pathname + url.search;
  const proof = isAnonymous ? {} : { authorization: requestProof(control.token, { method, target }) };
  const headers = { ...proof, ...type };
  const way = await wayTo(control);
  return new Promise((resolve, reject) => {
    way(url, { method, headers, ...signal }, resolve)
      .on("error", reject)
      .end(body);
  });
}

type SendBy = (url: URL, options: RequestOptions, respond: (response: IncomingMessage) => void) => ClientRequest;

/** How requests get to a server. */
async function wayTo({ fingerprint, socketPath }: Control): Promise<SendBy> {
  if (fingerprint === undefined) {
    const socket = socketPath === undefined ? {} : { socketPath };
    return (url, options, respond) => request(url, { agent: false, ...socket, ...options }, respond);
  }
  const [https, tls] = await Promise.all([import("node:https"), import("node:tls")]);
  const createConnection = connectPinned(tls, fingerprint);
  return (url, options, respond) => https.request(url, { ...options, createConnection }, respond);
}

/** The text of a response. */
export async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  return text;
}

/** The same for a response that is needed. @throws LaunchError for any other status than 200 */
export async function sendOrFail(control: Control, method: "GET" | "POST", path: string): Promise<IncomingMessage> {
  const response = await send(control, method, path);
  if (response.statusCode === 200) return response;
  const text = printable(await textOf(response), 300);
  throw new LaunchError(`the server at ${control.address} answers ${response.statusCode}: ${text}`);
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
