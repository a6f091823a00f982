import { OPERATION_LIST, type OperationId } from "../../api/operations.js";
import type { Fetch } from "../../client/index.js";
import { nodeFetch } from "../../client/node-fetch.js";
import { linesOf } from "../../client/search-calls.js";
import { requestProof } from "../../http/control-proof.js";
import type { Control } from "../control-file.js";
import { LaunchError, printable } from "../launch-error.js";

/** Sends requests to a running server, each with a proof of the token and over its own connection. */
export function createControlFetch({ token, ...address }: Control): Fetch {
  const send = nodeFetch(address);
  return (url, { method = "GET", ...init }) => {
    const { pathname, search } = new URL(url);
    const headers = new Headers(init.headers);
    headers.set("connection", "close");
    // Never the token itself: another program may have taken the address since the file was written.
    headers.set("authorization", requestProof(token, { method, target: pathname + search }));
    return send(url, { ...init, method, headers });
  };
}

/** Sends a request whose response is needed. @throws LaunchError for any other status than 200 */
export async function sendOrFail(control: Control, id: OperationId): Promise<Response> {
  const { method, path } = OPERATION_LIST[id];
  const response = await createControlFetch(control)(control.address + path, { method });
  if (response.status === 200) return response;
  const text = printable(await response.text(), 300);
  throw new LaunchError(`the server at ${control.address} responded with ${response.status}: ${text}`);
}

export async function* parseJsonLines({ body }: Response): AsyncGenerator<unknown> {
  if (body === null) return;
  for await (const line of linesOf(body.pipeThrough(new TextDecoderStream()))) yield JSON.parse(line);
}
