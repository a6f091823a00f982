import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * The response that a connection is sending, or will send next. Its other responses wait. Node keeps it under an
 * undocumented name.
 *
 * @param socket the request's socket; substitutes of other programs have none, or one without a response
 */
export function firstResponse(socket: Socket | null | undefined): ServerResponse | undefined {
  const { _httpMessage: response } = (socket ?? {}) as { readonly _httpMessage?: ServerResponse | null };
  return response ?? undefined;
}
