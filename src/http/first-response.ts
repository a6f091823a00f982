import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * The response that a connection sends, or is going to send next; others of it wait for their turn. Node keeps it under
 * a name that it does not document.
 *
 * @param socket that of a request; stand-ins of other programs have none, or one without a response
 */
export function firstResponse(socket: Socket | null | undefined): ServerResponse | undefined {
  const { _httpMessage: response } = (socket ?? {}) as { readonly _httpMessage?: ServerResponse | null };
  return response ?? undefined;
}
