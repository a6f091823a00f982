import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { firstResponse } from "./first-response.js";

/** Requests of all connections that run while earlier ones of the same connection still wait for a response. */
const MAX_AHEAD = 64;
/** Waiting requests of one connection: more than a client sends at once. */
const MAX_WAITING = 256;

/**
 * Bounds the work for clients that send requests without waiting for responses. Each response stays in memory until the
 * earlier ones are sent, and a client may never take the first one.
 */
export class PipelinedRequests {
  #ahead = 0;

  /**
   * @returns `undefined` if a request may run at once; else whether its connection is still open when it
   *   may. A connection with too many waiting requests is closed
   */
  turn(request: IncomingMessage, response: ServerResponse): Promise<boolean> | undefined {
    if (!isBehind(request, response)) return undefined;
    const { socket } = request;
    if (this.#ahead < MAX_AHEAD) {
      this.#ahead++;
      onceFirst(socket, response, () => void this.#ahead--);
      return undefined;
    }
    const waiting = (waitingOn.get(socket) ?? 0) + 1;
    waitingOn.set(socket, waiting);
    if (waiting > MAX_WAITING) socket.destroy();
    if (socket.destroyed) return Promise.resolve(false);
    return new Promise((resolve) => {
      onceFirst(socket, response, (isThere) => {
        waitingOn.set(socket, (waitingOn.get(socket) ?? 1) - 1);
        resolve(isThere);
      });
    });
  }
}

/** Whether another response of the connection comes first. Node assigns the socket to this one later. */
function isBehind({ httpVersionMajor, socket }: IncomingMessage, response: ServerResponse): boolean {
  if (response.socket !== null || httpVersionMajor !== 1) return false;
  const first = firstResponse(socket);
  return first !== undefined && first !== response;
}

/** Calls back when a response is the next one to send, or the connection is gone. */
function onceFirst(socket: Socket, response: ServerResponse, then: (isThere: boolean) => void): void {
  const onSocket = (): void => end(true);
  const onClose = (): void => end(false);
  function end(isThere: boolean): void {
    response.off("socket", onSocket);
    socket.off("close", onClose);
    then(isThere);
  }
  // Many requests of one connection may wait at a time: Node would report a leak.
  socket.setMaxListeners(0);
  response.once("socket", onSocket);
  socket.once("close", onClose);
}

/** Waiting requests of each connection. */
const waitingOn: WeakMap<Socket, number> = new WeakMap();
