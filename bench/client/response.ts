/** The longest part of a response in which the reader looks for the end of its head. */
const HEAD_PIECE = 4096;
const KEEP_OF_FAILURE_BYTES = 300;

type State = "head" | "sized" | "unsized" | "chunk-size" | "chunk" | "trailer";

/**
 * Reads the responses of one HTTP connection and keeps only what a bench needs: the status and the number of body bytes.
 * It skips bodies without decoding them.
 */
export class ResponseReader {
  status = 0;
  bodyBytes = 0;
  /** The start of a failed request's body, for the message. */
  failure = "";
  /** Whether the server keeps the connection open after the last response. */
  isKeptAlive = true;
  readonly #onEnd: () => void;
  #state: State = "head";
  #text = "";
  #left = 0;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Reads bytes from the socket, which stay valid during the call only. */
  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === "head") at = this.#readHead(bytes, at);
      else if (this.#state === "chunk-size" || this.#state === "trailer") at = this.#readLine(bytes, at);
      else at = this.#skipBody(bytes, at);
    }
  }

  /** Whether the body in progress has no length: the end of the connection ends it. */
  get endsWithConnection(): boolean {
    return this.#state === "unsized";
  }

  /** Ends the response in progress. */
  end(): void {
    this.#state = "head";
    this.#onEnd();
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#text.length;
    const until = Math.min(bytes.length, at + HEAD_PIECE);
    const head = this.#text + bytes.toString("latin1", at, until);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) {
      this.#text = head;
      return until;
    }
    this.#text = "";
    this.#startBody(head.slice(0, end));
    return at + end + 4 - before;
  }

  #startBody(head: string): void {
    this.status = Number(head.slice(9, 12));
    this.bodyBytes = 0;
    this.failure = "";
    this.isKeptAlive = head.startsWith("HTTP/1.1") && !/\r\nconnection: *close/i.test(head);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (this.status === 304 || this.status === 204 || length === "0") {
      this.end();
    } else if (length !== undefined) {
      this.#state = "sized";
      this.#left = Number(length);
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#state = "chunk-size";
    } else {
      this.#state = "unsized";
      this.#left = Number.POSITIVE_INFINITY;
    }
  }

  #skipBody(bytes: Buffer, at: number): number {
    const until = Math.min(bytes.length, at + this.#left);
    if (this.status >= 400 && this.failure.length < KEEP_OF_FAILURE_BYTES)
      this.failure += bytes.toString("utf8", at, until);
    this.#left -= until - at;
    if (this.#state !== "chunk") this.bodyBytes += until - at;
    if (this.#left > 0) return until;
    if (this.#state === "sized") this.end();
    else this.#state = "chunk-size";
    return until;
  }

  /** Reads a chunk size or a line of the trailer. The line break after a chunk counts as part of it. */
  #readLine(bytes: Buffer, at: number): number {
    const lineFeed = bytes.indexOf(10, at);
    if (lineFeed < 0) {
      this.#text += bytes.toString("latin1", at, bytes.length);
      return bytes.length;
    }
    const line = (this.#text + bytes.toString("latin1", at, lineFeed)).trimEnd();
    this.#text = "";
    if (this.#state === "trailer") {
      if (line === "") this.end();
      return lineFeed + 1;
    }
    const size = Number.parseInt(line, 16);
    if (Number.isNaN(size)) throw new Error(`not a chunk size: ${line}`);
    this.bodyBytes += size;
    this.#left = size + 2;
    this.#state = size === 0 ? "trailer" : "chunk";
    return lineFeed + 1;
  }
}
