// A server that answers with whatever bytes a test gives it, or not at all.
import net, { type Socket } from "node:net";
import { inTime, withListening } from "../harness.js";

/** What it does with a connection once a request has come. */
export type Script = (socket: Socket) => void;

/** Where it is, and what it saw. */
export interface Scripted {
  readonly url: string;
  /** How many requests have come. */
  readonly requests: () => number;
  /** Waits until as many connections as have been opened are closed again. */
  readonly left: () => Promise<void>;
}

/** Serves by a script for the time of the body. */
export async function withScript(script: Script, body: (scripted: Scripted) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    socket.once("data", () => {
      requests++;
      script(socket);
    });
  });
  const left = (): Promise<void> => {
    const closes = [...sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    return inTime(Promise.all(closes), "the connections").then(() => {});
  };
  await withListening(server, (port) => body({ url: `http://127.0.0.1:${port}`, requests: () => requests, left }));
}

/** Answers whole, and closes. */
export function answering(status: string, body: string, type = "application/json"): Script {
  const length = Buffer.byteLength(body);
  return (socket) =>
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
    );
}

/** Begins an answer that it never ends. */
export function beginning(body: string): Script {
  return (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n${body}`);
  };
}

/** Begins an answer, and cuts it off. */
export function cutting(body: string): Script {
  return (socket) => {
    socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n${body}`);
  };
}
