/** Longest piece of an answer that is looked at for the end of its head. */
const HEAD_PIECE = 4096;
const KEEP_OF_FAILURE_BYTES = 300;

type State = "head" | "sized" | "chunk-size" | "chunk" | "trailer";

/**
 * Reads the answers of one HTTP/1.1 connection, one after the other, and keeps no more than a bench needs: status and
 * number of body bytes. Bodies are skipped, not decoded: sized or chunked.
 */
export class ResponseReader {
  status = 0;
  bodyBytes = 0;
  /** The beginning of the body of a failed request, for the message. */
  failure = "";
  readonly #onEnd: () => void;
  #state: State = "head";
  #text = "";
  #left = 0;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Takes bytes from the socket; they need to stay valid only during the call. */
  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === "head") at = this.#readHead(bytes, at);
      else if (this.#state === "sized") at = this.#skipBody(bytes, at);
      else if (this.#state === "chunk") at = this.#skipBody(bytes, at);
      else at = this.#readLine(bytes, at);
    }
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
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (this.status === 304 || this.status === 204 || length === "0") {
      this.#end();
    } else if (length !== undefined) {
      this.#state = "sized";
      this.#left = Number(length);
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#state = "chunk-size";
    } else {
      throw new Error(`an answer of unknown length: ${head}`);
    }
  }

  #skipBody(bytes: Buffer, at: number): number {
    const until = Math.min(bytes.length, at + this.#left);
    if (this.status >= 400 && this.failure.length < KEEP_OF_FAILURE_BYTES)
      this.failure += bytes.toString("utf8", at, until);
    this.#left -= until - at;
    if (this.#state === "sized") this.bodyBytes += until - at;
    if (this.#left > 0) return until;
    if (this.#state === "sized") this.#end();
    else this.#state = "chunk-size";
    return until;
  }

  /** A chunk size or a line of the trailer; a size covers the line break behind its chunk as well. */
  #readLine(bytes: Buffer, at: number): number {
    const lineFeed = bytes.indexOf(10, at);
    if (lineFeed < 0) {
      this.#text += bytes.toString("latin1", at, bytes.length);
      return bytes.length;
    }
    const line = (this.#text + bytes.toString("latin1", at, lineFeed)).trimEnd();
    this.#text = "";
    if (this.#state === "trailer") {
      if (line === "") this.#end();
      return lineFeed + 1;
    }
    const size = Number.parseInt(line, 16);
    if (Number.isNaN(size)) throw new Error(`not a chunk size: ${line}`);
    this.bodyBytes += size;
    this.#left = size + 2;
    this.#state = size === 0 ? "trailer" : "chunk";
    return lineFeed + 1;
  }

  #end(): void {
    this.#state = "head";
    this.#onEnd();
  }
}
