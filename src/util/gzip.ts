import { joinBytes } from "./bytes.js";

// Node's own module comes first: web streams detach buffers, and V8 checks every access to a typed array of the process
// after the first detached one, which makes queries 7 % slower.

/** Decompresses gzip. */
export async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  const zlib = globalThis.process?.getBuiltinModule?.("zlib");
  return zlib ? promised(zlib.gunzip, bytes) : through(new DecompressionStream("gzip"), bytes);
}

/** Compresses as gzip. */
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
