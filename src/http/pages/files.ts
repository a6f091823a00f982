import { joinBytes } from "../../util/bytes.js";
import type { PageFile, PageFiles } from "./page-files.js";

/** A file in the build. */
export interface BuiltFile {
  readonly name: string;
  readonly type: string;
  readonly hash: string;
  readonly isImmutable: boolean;
  /** The content compressed, as Base64. */
  readonly gzip: string;
}

const PAGE = "index.html";

/**
 * The files of a page, from the build.
 *
 * @throws Error if the page itself is missing
 */
export function pageFilesOf(built: readonly BuiltFile[] | undefined): PageFiles {
  const files = new Map(built?.map((file) => [file.name, fileOf(file)]));
  const page = files.get(PAGE);
  if (page === undefined) throw new Error("this bundle was made without them");
  files.delete(PAGE);
  return { page, assets: files };
}

function fileOf({ type, hash, isImmutable, gzip }: BuiltFile): PageFile {
  let kept: Uint8Array | undefined;

  function compressed(): Uint8Array {
    kept ??= bytesOf(gzip);
    return kept;
  }

  return {
    type,
    hash,
    isImmutable,
    // Browsers request the plain form once and cache it, so it is not cached here.
    bytes: async (encoding) => (encoding === "identity" ? unzipped(compressed()) : compressed()),
  };
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/**
 * Decompresses gzip. Node's own module comes first: web streams detach buffers, and V8 checks every access to a typed
 * array of the process after the first detached one, which makes queries 7 % slower.
 */
export async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  const zlib = globalThis.process?.getBuiltinModule?.("zlib");
  return zlib ? promised(zlib.gunzip, bytes) : through(new DecompressionStream("gzip"), bytes);
}

/** Compresses as gzip, as `unzipped` decompresses. */
export async function zipped(bytes: Uint8Array): Promise<Uint8Array> {
  const zlib = globalThis.process?.getBuiltinModule?.("zlib");
  return zlib ? promised(zlib.gzip, bytes) : through(new CompressionStream("gzip"), bytes);
}

type ZlibCall = (bytes: Uint8Array, done: (error: Error | null, result: Uint8Array) => void) => void;

function promised(call: ZlibCall, bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    call(bytes, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array): Promise<Uint8Array> {
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) chunks.push(chunk.value);
  return joinBytes(chunks);
}
