/** Initial capacity of a buffer for several chunks. */
const FIRST_CAPACITY = 1024;

/**
 * Collects chunks of bytes in one growing buffer. A list of tiny chunks would take a hundred times the memory of their
 * content, and the sender chooses their size.
 */
export class GrowingBytes {
  readonly #expected: number;
  #bytes: Uint8Array = NO_BYTES;
  #length = 0;
  #isOwn = false;

  /** @param expected the number of bytes, so that the buffer does not have to grow; NaN if unknown */
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

  /** Returns the bytes and clears the buffer. */
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
    const grown = allocate(Math.max(length, this.#expected, this.#length * 2, FIRST_CAPACITY));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#isOwn = true;
  }
}

const NO_BYTES: Uint8Array = new Uint8Array();

/** Minimum size of a buffer worth reusing, and maximum total size of spare buffers. */
const LARGE = 64 * 1024;
const LARGEST_SPARE = 1024 * 1024;
const MAX_SPARES = 4;

/** Large buffers that this file allocated, so that no other code uses them. */
const releasable: WeakSet<ArrayBufferLike> = new WeakSet();
/** Released buffers with sizes of powers of two, so that bodies of similar size can reuse them. */
const spares: Uint8Array[] = [];

function allocate(length: number): Uint8Array {
  if (length < LARGE) return new Uint8Array(length);
  const capacity = length > LARGEST_SPARE ? length : 2 ** Math.ceil(Math.log2(length));
  const at = spares.findIndex((spare) => spare.length === capacity);
  const bytes = at < 0 ? new Uint8Array(capacity) : (spares.splice(at, 1)[0] as Uint8Array);
  if (capacity <= LARGEST_SPARE) releasable.add(bytes.buffer);
  return bytes;
}

/**
 * Releases bytes that no code reads again, so that `GrowingBytes` can use their buffer for the next body, if it
 * allocated it. A buffer that reaches the old generation stays until a full collection, and some hundred of them start
 * one. Transferring the buffer frees it as well, but V8 then checks every access to any typed array, which slows
 * queries down by 7 %.
 */
export function release(bytes: Uint8Array): void {
  const { buffer } = bytes;
  // Deleted even if it is not reused: a second release must not lend it twice.
  if (buffer.byteLength >= LARGE && releasable.delete(buffer) && spares.length < MAX_SPARES)
    spares.push(new Uint8Array(buffer));
}

/** Joins pieces into one array. Returns a single piece unchanged. */
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
