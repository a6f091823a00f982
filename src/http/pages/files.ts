import { unzipped } from "../../util/gzip.js";
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
