import { joinBytes } from "../util/bytes.js";

/** Maximum size of a part's headers. */
const MAX_HEADER_BYTES = 64 * 1024;

const encoder: TextEncoder = new TextEncoder();
const BREAK = encoder.encode("\r\n");
const BLANK_LINE = encoder.encode("\r\n\r\n");
const DASH = 45;

/** A body that is not a multipart form with that boundary. */
export class MultipartError extends Error {
  override readonly name = "MultipartError";
}

/** A part of a multipart form. */
export interface FormPart {
  /** The name of its field; empty if it has none. */
  readonly field: string;
  /** Whether it has the name of a file. */
  readonly isFile: boolean;
  readonly content: AsyncGenerator<Uint8Array>;
}

/**
 * Reads the parts of a multipart form (RFC 2046, 5.1), each as it arrives. Each part must be read before the next one;
 * its unread rest is skipped.
 *
 * @throws MultipartError
 */
export async function* readParts(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const delimiter = encoder.encode(`\r\n--${boundary}`);
  const scanner = new Scanner(body);
  try {
    await skip(scanner.until(delimiter));
    while (!(await scanner.closes())) {
      const headers = await readHeaders(scanner.until(BLANK_LINE));
      const content = scanner.until(delimiter);
      yield { field: parameterIn(headers, "name"), isFile: parameterIn(headers, "filename") !== "", content };
      await skip(content);
    }
  } finally {
    await scanner.end();
  }
}

async function skip(bytes: AsyncGenerator<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

async function readHeaders(bytes: AsyncGenerator<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_HEADER_BYTES) throw new MultipartError("the headers of a part are too long");
    chunks.push(chunk.slice());
  }
  return new TextDecoder().decode(joinBytes(chunks));
}

/** A parameter of Content-Disposition; empty if it is missing. */
function parameterIn(headers: string, name: "name" | "filename"): string {
  const [line = ""] = /^content-disposition:.*$/im.exec(headers) ?? [];
  const parameter = new RegExp(`;\\s*${name}\\*?=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, "i");
  const [, quoted, plain = ""] = parameter.exec(line) ?? [];
  return quoted?.replace(/\\(.)/g, "$1") ?? plain;
}

/** Finds delimiters in bytes that arrive in chunks. */
class Scanner {
  readonly #iterator: AsyncIterator<Uint8Array>;
  // The first delimiter starts a line as well, although nothing precedes it.
  #held: Uint8Array = BREAK;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#iterator = body[Symbol.asyncIterator]();
  }

  /** Yields the bytes before the next delimiter, then skips it. */
  async *until(delimiter: Uint8Array): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = indexOf(this.#held, delimiter);
      if (at >= 0) {
        const before = this.#held.subarray(0, at);
        this.#held = this.#held.subarray(at + delimiter.length);
        if (before.length > 0) yield before;
        return;
      }
      // The end may be the start of the delimiter.
      const sure = Math.max(0, this.#held.length - delimiter.length + 1);
      const before = this.#held.subarray(0, sure);
      this.#held = this.#held.subarray(sure);
      if (before.length > 0) yield before;
      await this.#more();
    }
  }

  /** Whether the last delimiter was the final one. */
  async closes(): Promise<boolean> {
    while (this.#held.length < 2) await this.#more();
    return this.#held[0] === DASH && this.#held[1] === DASH;
  }

  async end(): Promise<void> {
    await this.#iterator.return?.();
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#iterator.next();
    if (done) throw new MultipartError("the form ends within a part");
    this.#held = this.#held.length === 0 ? value : joinBytes([this.#held, value]);
  }
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const first = wanted[0] as number;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let matched = 1;
    while (matched < wanted.length && bytes[at + matched] === wanted[matched]) matched++;
    if (matched === wanted.length) return at;
  }
  return -1;
}
