// One connection, spoken byte for byte: what no HTTP library would send, and answers with nothing tidied up.
import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { checkAnswer } from "../api/answer-check.js";

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case, in the order of the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body with its chunk marks taken away. */
  readonly body: Buffer;
}

export interface RawConnection {
  readonly socket: net.Socket;
  /** Text goes out as Latin-1, so that every byte can be written. */
  write(bytes: string | Buffer): void;
  /**
   * The next complete answer; interim ones (1xx) count, too.
   *
   * @param method of the request: an answer to HEAD has no body, whatever its headers say
   * @returns `undefined` when the server closed the connection before the end of an answer
   */
  answer(method?: string): Promise<RawAnswer | undefined>;
  /** Resolves when the server has closed the connection, to what it sent and nobody took. */
  rest(): Promise<Buffer>;
}

/** Connects, and closes the connection after the body. */
export async function withConnection<T>(port: number, body: (connection: RawConnection) => Promise<T>): Promise<T> {
  const connection = await connect(port);
  try {
    return await body(connection);
  } finally {
    connection.socket.destroy();
  }
}

/** Sends one request and takes its answer. The request should ask for `Connection: close`. */
export function ask(port: number, bytes: string | Buffer, method?: string): Promise<RawAnswer | undefined> {
  return withConnection(port, (connection) => {
    connection.write(bytes);
    return connection.answer(method);
  });
}

/** The text of a request without a body: `headers` are lines. */
export function head(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, ...headers, "", ""].join("\r\n");
}

/** The text of a request with a JSON body and its length. */
export function jsonRequest(line: string, json: string, ...headers: readonly string[]): string {
  const bytes = Buffer.from(json).toString("latin1");
  return head(line, "Content-Type: application/json", `Content-Length: ${bytes.length}`, ...headers) + bytes;
}

/** One chunk of a body in chunks. */
export function chunk(bytes: string | Buffer): Buffer {
  const body = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")]);
}

/** From so many bytes on an answer is not parsed with each piece that comes. */
const LARGE = 1_000_000;
const QUIET_MILLIS = 5;

export async function connect(port: number, host = "127.0.0.1"): Promise<RawConnection> {
  const socket = net.connect(port, host);
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let received: Buffer[] = [];
  let ended = false;
  let wake: () => void = () => undefined;
  socket.on("data", (bytes) => {
    received.push(bytes);
    wake();
  });
  // A reset is one of the ways in which a server closes a connection.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    ended = true;
    wake();
  });
  const requests = requestLog();
  const more = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  /** Of a large answer waits for half as much again, or until nothing more comes: parsing begins anew each time. */
  async function muchMore(before: number): Promise<void> {
    await more();
    let isQuiet = before < LARGE;
    while (!isQuiet && !ended && received.reduce((sum, { length }) => sum + length, 0) < before * 1.5) {
      isQuiet = await Promise.race([more().then(() => false), delay(QUIET_MILLIS, true)]);
    }
  }
  const everything = (): Buffer => {
    const bytes = Buffer.concat(received);
    received = [bytes];
    return bytes;
  };
  return {
    socket,
    write(bytes) {
      requests.note(bytes);
      socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    },
    async answer(method = "GET") {
      for (;;) {
        const bytes = everything();
        const parsed = parseAnswer(bytes, method, ended);
        if (parsed !== undefined) {
          received = [bytes.subarray(parsed.length)];
          if (parsed.answer.status >= 200) requests.check(parsed.answer);
          return parsed.answer;
        }
        if (ended) return undefined;
        await muchMore(bytes.length);
      }
    },
    async rest() {
      while (!ended) await more();
      return everything();
    },
  };
}

interface RequestLog {
  note(bytes: string | Buffer): void;
  /** Holds an answer to the document. @throws Error for one that it does not allow */
  check(answer: RawAnswer): void;
}

/** What was asked on a connection, as far as it is HTTP: answers come in the same order. */
function requestLog(): RequestLog {
  const asked: { readonly method: string; readonly path: string }[] = [];
  const line = /(GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS) (\S+) HTTP\/1\.1\r\n/g;
  let sent = "";
  return {
    note(bytes) {
      sent += typeof bytes === "string" ? bytes : bytes.toString("latin1");
      for (let found = line.exec(sent); found !== null; found = line.exec(sent)) {
        asked.push({ method: found[1] as string, path: found[2] as string });
        sent = sent.slice(line.lastIndex);
        line.lastIndex = 0;
      }
      // A line may come in parts.
      sent = sent.slice(-2048);
    },
    check({ status, headers, body }) {
      const request = asked.shift();
      const values = new Map(headers);
      if (request === undefined) return;
      checkAnswer({ ...request, status, body, header: (name) => values.get(name) });
    },
  };
}

function parseAnswer(
  bytes: Buffer,
  method: string,
  ended: boolean,
): { readonly answer: RawAnswer; readonly length: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const status = Number(statusLine.split(" ")[1]);
  const read = bodyAt(bytes, headEnd + 4, { status, method, ended, headers: new Map(headers) });
  return read && { answer: { status, headers, body: read.body }, length: read.end };
}

interface Framing {
  readonly status: number;
  readonly method: string;
  readonly ended: boolean;
  readonly headers: ReadonlyMap<string, string>;
}

function bodyAt(
  bytes: Buffer,
  start: number,
  { status, method, ended, headers }: Framing,
): { readonly body: Buffer; readonly end: number } | undefined {
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) {
    return { body: Buffer.alloc(0), end: start };
  }
  if (headers.get("transfer-encoding") === "chunked") return chunksAt(bytes, start);
  const length = headers.get("content-length");
  const end = length === undefined ? bytes.length : start + Number(length);
  if (length === undefined ? !ended : end > bytes.length) return undefined;
  return { body: bytes.subarray(start, end), end };
}

function chunksAt(bytes: Buffer, start: number): { readonly body: Buffer; readonly end: number } | undefined {
  const pieces: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (!(end + 2 <= bytes.length)) return undefined;
    if (size === 0) return { body: Buffer.concat(pieces), end: end + 2 };
    pieces.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
