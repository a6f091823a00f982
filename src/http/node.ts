import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { toNodeHandler } from "srvx/node";

/** A request listener for `node:http` and for every framework that takes one. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes a Node request listener of a fetch handler. */
export function createNodeHandler(fetch: (request: Request) => Promise<Response>): NodeHandler {
  // Declared for HTTP/1 and HTTP/2 requests at once; it takes either.
  const handle = toNodeHandler(fetch) as NodeHandler;
  return (request, response) => {
    // Read as a URL, a path that starts with two slashes would name a host.
    if (request.url?.includes("//")) request.url = foldSlashes(request.url);
    handle(request, response);
  };
}

/** Folds doubled slashes of the path, not of the query string (contract rest.md 1). */
export function foldSlashes(target: string): string {
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  return path.replace(/\/{2,}/g, "/") + target.slice(path.length);
}

/** Largest head of a request in bytes: a browser's cookies of other local servers come along. */
export const MAX_HEADER_BYTES: number = 64 * 1024;

const CLIENT_ERRORS: Readonly<Record<string, [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request did not arrive in time"],
};

/**
 * Sets a Node server up for this service: a request without a Host header reaches the guard, and what Node itself
 * refuses is answered in JSON like everything else.
 */
export function prepareNodeServer(server: Server): void {
  (server as Server & { requireHostHeader?: boolean }).requireHostHeader = false;
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const [status, message] = CLIENT_ERRORS[error.code ?? ""] ?? ["400 Bad Request", "the request is not valid HTTP"];
    const body = JSON.stringify({ message });
    const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  });
}
