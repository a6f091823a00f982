import { joinBytes } from "../../util/bytes.js";
import type { Encoding } from "./encoding.js";
import type { PageFile, PageFiles } from "./page-files.js";

/** A file as the build writes it. */
export interface BuiltFile {
  readonly name: string;
  readonly type: string;
  readonly hash: string;
  readonly isImmutable: boolean;
  /** The content compressed, as Base64. */
  readonly gzip: string;
  readonly br: string;
}

const PAGE = "index.html";

/**
 * The files of a page, from what the build has made of them.
 *
 * @throws Error when there is no page among them
 */
export function pageFilesOf(built: readonly BuiltFile[] | undefined): PageFiles {
  const files = new Map(built?.map((file) => [file.name, fileOf(file)]));
  const page = files.get(PAGE);
  if (page === undefined) throw new Error("this bundle was made without them");
  files.delete(PAGE);
  return { page, assets: files };
}

function fileOf({ type, hash, isImmutable, ...compressed }: BuiltFile): PageFile {
  const kept = new Map<Encoding, Uint8Array>();

  function read(encoding: "br" | "gzip"): Uint8Array {
    const bytes = kept.get(encoding) ?? bytesOf(compressed[encoding]);
    kept.set(encoding, bytes);
    return bytes;
  }

  return {
    type,
    hash,
    isImmutable,
    // Browsers ask for the plain form once and keep it, so it is not kept here.
    bytes: async (encoding) => (encoding === "identity" ? unzipped(read("gzip")) : read(encoding)),
  };
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** By what every runtime has: the core runs without Node. */
async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  const zipped = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const reader = zipped.pipeThrough(new DecompressionStream("gzip")).getReader();
  const chunks: Uint8Array[] = [];
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) chunks.push(chunk.value);
  return joinBytes(chunks);
}
