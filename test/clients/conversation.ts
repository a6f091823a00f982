// Requests as given, not as an HTTP library would tidy them up, to a server in memory.
import net from "node:net";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type WireAnswer, wireClient } from "../codec/socket.js";
import { withServer } from "./server.js";

type Headers = Readonly<Record<string, string>>;

/** Sends a request on a kept connection. A body of text goes as it is, anything else as JSON. */
export type Send = (method: string, path: string, body?: unknown, headers?: Headers) => Promise<WireAnswer>;

/** Serves an empty storage for the time of the body. */
export function withClient(body: (send: Send, port: number) => Promise<void>): Promise<void> {
  return withServer(memory(), async ({ port }) => {
    const client = wireClient(port);
    const send: Send = (method, path, content, headers = {}) => {
      const text = content === undefined || typeof content === "string" ? content : JSON.stringify(content);
      const type = text === undefined ? {} : { "Content-Type": "application/json" };
      return client.send({
        method,
        path,
        headers: { Host: `127.0.0.1:${port}`, ...type, ...headers },
        ...(text !== undefined && { body: Buffer.from(text) }),
      });
    };
    try {
      await body(send, port);
    } finally {
      client.close();
    }
  });
}

/** The value in an answer, which has to be 200 with JSON. */
export function json(answer: WireAnswer): unknown {
  assert.is(answer.status, 200, answer.body.toString());
  assert.match(String(answer.headers["content-type"]), /^application\/json\b/);
  return JSON.parse(answer.body.toString());
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends the parts over one connection, each after the server has said `100 Continue` or, the first one, at once.
 *
 * @returns as many answers as were asked for, or fewer when the server closed the connection
 */
export function converse(port: number, count: number, parts: readonly string[]): Promise<readonly RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const waiting = [...parts];
    const sendNext = (): void => void socket.write(waiting.shift() ?? "");
    let received = "";
    const socket = net.connect(port, "127.0.0.1", sendNext).setEncoding("latin1");
    socket.on("error", reject);
    socket.on("close", () => resolve(answersIn(received)));
    socket.on("data", (text: string) => {
      received += text;
      const answers = answersIn(received);
      if (answers.length === count) socket.destroy();
      else if (received.includes("HTTP/1.1 100 ") && waiting.length > 0) sendNext();
    });
  });
}

/** The complete answers at the start of what was received, one character for each byte. */
function answersIn(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return answers;
    const head = rest.slice(0, end);
    const status = Number(head.split(" ", 2)[1]);
    const bodyEnd = end + 4 + Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    if (rest.length < bodyEnd) return answers;
    const text = Buffer.from(rest.slice(end + 4, bodyEnd), "latin1").toString();
    if (status >= 200) answers.push({ status, text });
    rest = rest.slice(bodyEnd);
  }
}
