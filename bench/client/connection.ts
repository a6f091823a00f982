import net from "node:net";
import { ResponseReader } from "./response.js";

const READ_BUFFER_BYTES = 256 * 1024;

/** A prepared request: whole, or its head and a body that several requests share. */
export type Outgoing = Buffer | readonly [head: Buffer, body: Buffer];

/** A response without its body. */
export interface Answer {
  readonly status: number;
  readonly bodyBytes: number;
}

/**
 * One HTTP connection with at most one request in progress. It writes prepared requests and reads into one buffer, so it
 * needs as little CPU as a client in JavaScript can. If the server closes the connection after a response, as HTTP/1.0
 * does, the next request opens another one, and its latency includes that.
 */
export class Connection {
  readonly #port: number;
  readonly #reader: ResponseReader;
  readonly #buffer: Buffer = Buffer.allocUnsafeSlow(READ_BUFFER_BYTES);
  #socket: net.Socket | undefined;
  #onAnswer: ((error: Error | undefined) => void) | undefined;

  private constructor(port: number) {
    this.#port = port;
    this.#reader = new ResponseReader(() => {
      if (!this.#reader.isKeptAlive) this.#drop();
      this.#settle(this.#failure());
    });
    this.#socket = this.#connect();
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await new Promise<void>((resolve, reject) => {
      connection.#socket?.once("connect", resolve).once("error", reject);
    });
    return connection;
  }

  /** The last response. */
  get answer(): Answer {
    return this.#reader;
  }

  /** Sends a request. Calls `onAnswer` once, with an error for each status from 400. */
  send(request: Outgoing, onAnswer: (error: Error | undefined) => void): void {
    this.#onAnswer = onAnswer;
    this.#socket ??= this.#connect();
    if (Buffer.isBuffer(request)) {
      this.#socket.write(request);
      return;
    }
    this.#socket.cork();
    this.#socket.write(request[0]);
    this.#socket.write(request[1]);
    this.#socket.uncork();
  }

  /** Like `send`, for requests whose speed does not matter. */
  exchange(request: Outgoing): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.send(request, (error) => {
        if (error) reject(error);
        else resolve({ status: this.#reader.status, bodyBytes: this.#reader.bodyBytes });
      });
    });
  }

  close(): void {
    this.#onAnswer = undefined;
    this.#drop();
  }

  #connect(): net.Socket {
    const callback = (count: number): boolean => {
      // Bytes that arrive after a response without keep-alive belong to no request.
      if (socket !== this.#socket) return true;
      try {
        this.#reader.push(count === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, count));
      } catch (error) {
        this.#settle(error as Error);
      }
      return true;
    };
    const options = { port: this.#port, host: "127.0.0.1", noDelay: true };
    const socket = net.connect({ ...options, onread: { buffer: this.#buffer, callback } });
    const lose = (error: Error): void => {
      if (socket !== this.#socket) return;
      this.#socket = undefined;
      if (this.#reader.endsWithConnection) this.#reader.end();
      else this.#settle(error);
    };
    socket.on("error", lose);
    socket.on("close", () => lose(new Error("the server closed the connection")));
    return socket;
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #failure(): Error | undefined {
    const { status, failure } = this.#reader;
    return status < 400 ? undefined : new Error(`the server answered ${status}: ${failure}`);
  }

  #settle(error: Error | undefined): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.(error);
  }
}
