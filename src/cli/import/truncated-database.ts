import { open } from "node:fs/promises";

/** https://sqlite.org/fileformat2.html#the_database_header */
const HEADER_BYTES = 100;
const PAGE_SIZES: ReadonlySet<number> = new Set([512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]);
const MAGIC = "SQLite format 3\0";

/**
 * Extends the copy of a truncated database with zeros to the size in its header. SQLite refuses to open it otherwise,
 * and reports the added pages as damaged.
 *
 * @returns the number of missing bytes
 */
export async function padTruncated(copy: string): Promise<number> {
  const file = await open(copy, "r+");
  try {
    const { size } = await file.stat();
    const { buffer: header } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return 0;
    // Versions before 3.7 wrote no size.
    if (header.readUInt32BE(24) !== header.readUInt32BE(92)) return 0;
    const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    if (!PAGE_SIZES.has(pageBytes) || size < pageBytes) return 0;
    const wanted = pageBytes * header.readUInt32BE(28);
    if (wanted <= size) return 0;
    // SQLite would read invalid rows from an incomplete page.
    await file.truncate(size - (size % pageBytes));
    // If no file system supports the size, the header is damaged.
    await file.truncate(wanted).catch(() => undefined);
    return wanted - size;
  } finally {
    await file.close();
  }
}
