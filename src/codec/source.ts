import { mustBe } from "../errors.js";
import { invalid } from "../service/validation.js";

/** Pieces of a document. */
export type Pieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * An export document in the public API: its text, its UTF-8 bytes, pieces of either (a file stream, the body of a
 * `Response`, the result of `export()`), or the parsed object `{ buckets: {...} }`.
 */
export type DocumentSource = string | Uint8Array | Pieces | ReadableStream<Uint8Array> | { readonly buckets: object };

/** Characters to encode at a time. */
const SLICE = 64 * 1024;

const encoder: TextEncoder = new TextEncoder();

/** The bytes of a document. @throws ActivityError `INVALID_INPUT` for any other value */
export async function* readBytes(source: DocumentSource): AsyncGenerator<Uint8Array> {
  if (typeof source === "string") yield* encodeText(source);
  else if (source instanceof Uint8Array) yield source;
  else if (isObject(source) && "getReader" in source) yield* readStream(source as ReadableStream<Uint8Array>);
  else if (isObject(source) && (Symbol.asyncIterator in source || Symbol.iterator in source)) {
    yield* encodePieces(source as Pieces);
  } else if (isObject(source)) yield* encodeText(serializeDocument(source));
  else throw mustBe("the document", "a string, bytes, pieces of them or an object", source);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** @throws ActivityError `INVALID_INPUT` for an object that JSON cannot represent */
function serializeDocument(document: object): string {
  try {
    return JSON.stringify(document);
  } catch (cause) {
    throw invalid(`the document cannot be serialized as JSON: ${cause instanceof Error ? cause.message : cause}`);
  }
}

async function* encodePieces(pieces: Pieces): AsyncGenerator<Uint8Array> {
  // A surrogate pair may be split between two strings.
  let half = "";
  for await (const piece of pieces) {
    if (typeof piece !== "string") yield checkedBytes(piece);
    else {
      const text = half + piece;
      half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : "";
      yield* encodeText(half === "" ? text : text.slice(0, -1));
    }
  }
  yield* encodeText(half);
}

function checkedBytes(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  throw mustBe("a piece of the document", "a string or bytes", piece);
}

function* encodeText(text: string): Generator<Uint8Array> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + SLICE, text.length);
    // Keeps surrogate pairs together.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    yield encoder.encode(text.slice(at, end));
    at = end;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

/** Reads with a reader, since not all browsers support iterating a stream. */
async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (stream.locked) throw invalid("the document must be a stream that nothing else reads, got a locked one");
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield checkedBytes(piece.value);
  } finally {
    reader.releaseLock();
  }
}
