import net from "node:net";
import { ResponseReader } from "./response.js";

const READ_BUFFER_BYTES = 256 * 1024;

/** A request that was built before: whole, or its head and a body that several requests share. */
export type Outgoing = Buffer | readonly [head: Buffer, body: Buffer];

/** What an answer was, without its body. */
export interface Answer {
  readonly status: number;
  readonly bodyBytes: number;
}

/**
 * One keep-alive HTTP/1.1 connection with at most one request under way. It writes requests that were built before
 * and reads into one buffer of its own, so that it costs as little as a client in JavaScript can.
 */
export class Connection {
  readonly #socket: net.Socket;
  readonly #reader: ResponseReader;
  #onAnswer: ((error: Error | undefined) => void) | undefined;

  private constructor(port: number) {
    this.#reader = new ResponseReader(() => this.#settle(this.#failure()));
    const buffer = Buffer.allocUnsafeSlow(READ_BUFFER_BYTES);
    const callback = (count: number): boolean => {
      try {
        this.#reader.push(count === buffer.length ? buffer : buffer.subarray(0, count));
      } catch (error) {
        this.#settle(error as Error);
      }
      return true;
    };
    this.#socket = net.connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
    this.#socket.on("error", (error) => this.#settle(error));
    this.#socket.on("close", () => this.#settle(new Error("the server closed the connection")));
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await new Promise<void>((resolve, reject) => {
      connection.#socket.once("connect", resolve).once("error", reject);
    });
    return connection;
  }

  /** The last answer. */
  get answer(): Answer {
    return this.#reader;
  }

  /** Sends a request; `onAnswer` is called once, with an error for every status of 400 and above. */
  send(request: Outgoing, onAnswer: (error: Error | undefined) => void): void {
    this.#onAnswer = onAnswer;
    if (Buffer.isBuffer(request)) {
      this.#socket.write(request);
      return;
    }
    this.#socket.cork();
    this.#socket.write(request[0]);
    this.#socket.write(request[1]);
    this.#socket.uncork();
  }

  /** As `send`, for where speed does not matter. */
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
    this.#socket.destroy();
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
