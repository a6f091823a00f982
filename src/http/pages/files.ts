// Reads dist/pages, which the scripts of the build write. Needs Node, so it is loaded only when it is asked for.
import fs from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Encoding } from "./encoding.js";
import type { PageFile, PageFiles, PageName } from "./page-files.js";

/** The build puts the folders beside this file; run from its source, it takes those of the last build. */
const PAGES = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/pages/" : "./", import.meta.url);

const PAGE = "index.html";

/**
 * Opens the folder of a page; a file is read when it is asked for the first time, and kept compressed.
 *
 * @throws Error when the folder is not there, or not complete
 */
export async function openPageFiles(name: PageName, pages: URL = PAGES): Promise<PageFiles> {
  const folder = new URL(`${name}/`, pages);
  const listed: unknown = JSON.parse(await fs.readFile(new URL("manifest.json", folder), "utf8"));
  if (!Array.isArray(listed) || !listed.every(isListed)) throw new Error("the list of its files is damaged");
  const files = new Map(listed.map((entry) => [entry.name, fileOf(entry, folder)]));
  const page = files.get(PAGE);
  if (page === undefined) throw new Error(`its files have no ${PAGE}`);
  files.delete(PAGE);
  // Tells now whether the files are there, while the plain page can still take their place.
  await Promise.all(listed.map(({ name }) => fs.access(new URL(`${name}.gz`, folder))));
  return { page, assets: files };
}

type Listed = Omit<PageFile, "bytes"> & { readonly name: string };

function isListed(entry: unknown): entry is Listed {
  if (typeof entry !== "object" || entry === null) return false;
  const { name, type, hash, isImmutable } = entry as Partial<Record<keyof Listed, unknown>>;
  return [name, type, hash].every((text) => typeof text === "string") && typeof isImmutable === "boolean";
}

const EXTENSIONS = { br: "br", gzip: "gz" } as const;

function fileOf({ name, type, hash, isImmutable }: Listed, folder: URL): PageFile {
  const kept = new Map<Encoding, Promise<Uint8Array>>();

  function read(encoding: keyof typeof EXTENSIONS): Promise<Uint8Array> {
    const before = kept.get(encoding);
    if (before !== undefined) return before;
    const reading = fs.readFile(new URL(`${name}.${EXTENSIONS[encoding]}`, folder));
    kept.set(encoding, reading);
    // What failed may succeed the next time.
    reading.catch(() => kept.delete(encoding));
    return reading;
  }

  return {
    type,
    hash,
    isImmutable,
    // Hardly anybody asks for the plain form, so it is neither stored nor kept.
    bytes: async (encoding) => (encoding === "identity" ? promisify(gunzip)(await read("gzip")) : read(encoding)),
  };
}
