import type { Server } from "node:http";
import type { Socket } from "node:net";
import { errorCode, hasCode } from "../errors.js";
import { firstResponse } from "./first-response.js";
import { jsonResponse } from "./request-context.js";

/** Largest head of a request in bytes: a browser's cookies of other local servers come along. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Longer than any watcher pauses between two reports: a connection that is closed just then loses one. */
const KEEP_ALIVE_MILLIS = 75_000;

const CLIENT_ERRORS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request did not arrive in time"],
};

/** How long a connection that was told what is wrong may take to hang up, in milliseconds. */
const LINGER_MILLIS = 1000;

const prepared = new WeakSet<Server>();

/**
 * Sets a Node server up for this service: a request without a Host header reaches the guard, heads of requests may
 * have 64 KiB, connections are kept between the reports of a watcher, and what Node itself refuses is answered in JSON
 * like everything else. A second call changes nothing.
 */
export function prepareNodeServer(server: Server): void {
  // A second listener would answer into the first one's response.
  if (prepared.has(server)) return;
  prepared.add(server);
  // Options of createServer, which a launcher library may have called; Node reads them anew for each connection.
  // All headers are looked at: behind the first thousand Node would drop an Origin without a word.
  Object.assign(server, { requireHostHeader: false, maxHeaderSize: MAX_HEADER_BYTES, maxHeadersCount: 0 });
  server.keepAliveTimeout = KEEP_ALIVE_MILLIS;
  if (server.listenerCount("checkExpectation") === 0) {
    // Node would answer a bare 417. By RFC 9110, 10.1.1, an expectation that is not known may be passed over.
    server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
  }
  server.on("clientError", (error, socket: Socket) => {
    // Once the response to an earlier request is on its way, another one would stand in the middle of it.
    const isResponding = firstResponse(socket)?.headersSent === true;
    if (hasCode(error, "ECONNRESET") || !socket.writable || isResponding) {
      socket.destroy();
      return;
    }
    const [status, message] = CLIENT_ERRORS[errorCode(error)] ?? ["400 Bad Request", "the request is not valid HTTP"];
    refuseConnection(socket, status, message);
  });
}

/** Says what is wrong and closes the connection. */
export function refuseConnection(socket: Socket, status: string, message: string): void {
  const body = JSON.stringify({ message });
  const { headers } = jsonResponse(body, { "content-length": String(body.length), connection: "close" });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
  // Whoever sent nothing may also never hang up. Not at once: what comes meanwhile would take the response with it.
  const cut = setTimeout(() => socket.destroy(), LINGER_MILLIS);
  socket.once("close", () => clearTimeout(cut));
}
