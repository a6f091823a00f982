/** Bytes of the first buffer for more than one chunk. */
const FIRST_CAPACITY = 1024;

/**
 * Bytes that arrive in chunks, in one growing buffer. A list of the chunks would take a hundred times the memory of
 * their content if they are tiny, and the sender decides how large they are.
 */
export class GrowingBytes {
  readonly #expected: number;
  #bytes: Uint8Array = NO_BYTES;
  #length = 0;
  #isOwn = false;

  /** @param expected the number of bytes if it is known, so that the buffer need not grow; NaN = it is not */
  constructor(expected = 0) {
    this.#expected = expected > 0 ? expected : 0;
  }

  get length(): number {
    return this.#length;
  }

  /** Keeps a first chunk without copying it, since most bodies have only one. */
  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) {
      this.#bytes = chunk;
      this.#isOwn = false;
    } else {
      if (!this.#isOwn || length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
  }

  /** Returns the bytes and starts again with none. */
  take(): Uint8Array {
    const all = this.#bytes;
    const bytes = all.length === this.#length ? all : all.subarray(0, this.#length);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#bytes = NO_BYTES;
    this.#length = 0;
  }

  #grow(length: number): void {
    const grown = new Uint8Array(Math.max(length, this.#expected, this.#length * 2, FIRST_CAPACITY));
    grown.set(this.#bytes.subarray(0, this.#length));
    if (grown.length >= LARGE) releasable.add(grown.buffer);
    this.#bytes = grown;
    this.#isOwn = true;
  }
}

const NO_BYTES: Uint8Array = new Uint8Array();

/** Bytes from which a buffer is worth releasing. */
const LARGE = 64 * 1024;

/** Large buffers that were made here, so that nobody else uses them. */
const releasable: WeakSet<ArrayBufferLike> = new WeakSet();

/**
 * Frees the memory of bytes that nobody reads again, if `GrowingBytes` allocated it. A buffer that has reached the old
 * generation would stay until a full collection, and some hundred of them start one.
 */
export function release(bytes: Uint8Array): void {
  // Its buffer is at most twice as large.
  if (bytes.length * 2 < LARGE) return;
  const { buffer } = bytes;
  // Transferred memory belongs to a new object, which the next minor collection frees.
  if (releasable.delete(buffer)) structuredClone(undefined, { transfer: [buffer as ArrayBuffer] });
}

/** The bytes of several pieces in one. A single piece is given back as it is. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
