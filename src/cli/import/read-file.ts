import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { isGzip, type TextEncoding, textEncodingOf } from "../../util/text-encoding.js";
import { errorCode, quotePath } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";

/** Reads the first bytes of a file, without decompression. @throws LaunchError */
export async function readFirstBytes(file: string, most: number): Promise<Buffer> {
  try {
    const handle = await open(file, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw new LaunchError(`${quotePath(file)} cannot be read (${errorCode(cause)})`);
  }
}

/** The bytes of a file, decompressed. @param onBytes called with the number of bytes read so far */
export async function openBytes(file: string, onBytes?: (bytes: number) => void): Promise<Readable> {
  const beginning = await readFirstBytes(file, 2);
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
  if (onBytes !== undefined) stream.on("data", () => onBytes(stream.bytesRead)).pause();
  if (!isGzip(beginning)) return stream;
  // `pipeline` passes errors of the file to the reader of the decompressed data.
  return pipeline(stream, createGunzip(), () => {});
}

/** Reads the bytes of a file, decompressed. @throws LaunchError for an unreadable file */
export async function* readBytes(file: string, onBytes?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  try {
    yield* await openBytes(file, onBytes);
  } catch (cause) {
    const code = errorCode(cause);
    if (code.startsWith("Z_")) throw new LaunchError(`${quotePath(file)} is damaged: its compression is broken`);
    if (cause instanceof Error && "syscall" in cause)
      throw new LaunchError(`${quotePath(file)} cannot be read (${code})`);
    throw cause;
  }
}

/** Reads the text of a file in pieces, without its byte order mark. @throws LaunchError */
export async function* readText(file: string): AsyncGenerator<string> {
  let encoding: TextEncoding = "utf-8";
  let decoder: TextDecoder | undefined;
  try {
    for await (const bytes of readBytes(file)) {
      if (decoder === undefined) {
        encoding = textEncodingOf(bytes);
        decoder = new TextDecoder(encoding, { fatal: true });
      }
      yield decoder.decode(bytes, { stream: true });
    }
    if (decoder !== undefined) yield decoder.decode();
  } catch (cause) {
    if (errorCode(cause) !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw cause;
    throw new LaunchError(`${quotePath(file)} is not ${encoding.toUpperCase()} text`);
  }
}

/** Maximum characters of a file that is read as a whole. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/** Reads the whole text of a file. @throws LaunchError for a file that is too large */
export async function readWhole(file: string): Promise<string> {
  let text = "";
  for await (const piece of readText(file)) {
    text += piece;
    if (text.length > MAX_CHARACTERS)
      throw new LaunchError(`${quotePath(file)} is larger than 256 MiB; import it in parts`);
  }
  return text;
}
