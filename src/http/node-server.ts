import type { Server } from "node:http";
import type { Socket } from "node:net";
import { errorCode, hasCode } from "../errors.js";
import { firstResponse } from "./first-response.js";
import { jsonResponse } from "./request-context.js";

/** Largest request head in bytes. It may include a browser's cookies of other local servers. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Longer than the pause of any watcher between two reports: a report is lost if the connection closes at that moment.
 */
const KEEP_ALIVE_MILLIS = 75_000;

const CLIENT_ERRORS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request did not arrive in time"],
};

/** How long a client may take to hang up after an error response, in milliseconds. */
const LINGER_MILLIS = 1000;

const prepared = new WeakSet<Server>();

/**
 * Prepares a Node server: requests without a Host header reach the guard, request heads may have 64 KiB, connections
 * stay open between the reports of a watcher, and errors of Node itself become JSON. A second call has no effect.
 */
export function prepareNodeServer(server: Server): void {
  // A second listener would write into the first one's response.
  if (prepared.has(server)) return;
  prepared.add(server);
  // Options of createServer, which a launcher library may have called. Node reads them for each connection. All headers
  // are read: Node silently drops an Origin after the first thousand.
  Object.assign(server, { requireHostHeader: false, maxHeaderSize: MAX_HEADER_BYTES, maxHeadersCount: 0 });
  server.keepAliveTimeout = KEEP_ALIVE_MILLIS;
  if (server.listenerCount("checkExpectation") === 0) {
    // Node would respond with a bare 417. RFC 9110, 10.1.1 allows to ignore an unknown expectation.
    server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
  }
  server.on("clientError", (error, socket: Socket) => {
    // Once the response to an earlier request has started, another one would land in the middle of it.
    const isResponding = firstResponse(socket)?.headersSent === true;
    if (hasCode(error, "ECONNRESET") || !socket.writable || isResponding) {
      socket.destroy();
      return;
    }
    const [status, message] = CLIENT_ERRORS[errorCode(error)] ?? ["400 Bad Request", "the request is not valid HTTP"];
    refuseConnection(socket, status, message);
  });
}

/** Sends an error and closes the connection. */
export function refuseConnection(socket: Socket, status: string, message: string): void {
  const body = JSON.stringify({ message });
  const { headers } = jsonResponse(body, { "content-length": String(body.length), connection: "close" });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
  // A silent client may never hang up. Not immediately: data that arrive in the meantime would destroy the response.
  const cut = setTimeout(() => socket.destroy(), LINGER_MILLIS);
  socket.once("close", () => clearTimeout(cut));
}
