import { storageClosed } from "../../src/errors.js";
import { type Chunk, parseChunk } from "./chunk.js";
import type { ChunkEntry } from "./directory.js";
import { chunkName } from "./names.js";
import { corrupt } from "./slots.js";
import type { Values } from "./values.js";

/** A read of more chunks than this goes through most of a bucket: it would only push out what is used again. */
const CACHED_CHUNKS = 256;

/** Reads chunks, and keeps up to a size of them; the one used longest ago goes first. */
export class ChunkCache {
  readonly #values: Values;
  readonly #limitBytes: number;
  readonly #verify: () => Promise<void>;
  /** In the order of their use. */
  readonly #chunks: Map<ChunkEntry, Chunk> = new Map();
  #bytes = 0;
  #isClosed = false;

  /** @param verify rejects when another writer may have removed what is missing */
  constructor(values: Values, limitBytes: number, verify: () => Promise<void>) {
    this.#values = values;
    this.#limitBytes = limitBytes;
    this.#verify = verify;
  }

  /**
   * @param among how many chunks are going to be read with this one
   * @throws ActivityError `STORAGE_FAILED`, `STORAGE_CORRUPT`, `STORAGE_CLOSED`, `STORAGE_LOCKED`
   */
  async read(bucketNo: number, entry: ChunkEntry, among = 1): Promise<Chunk> {
    if (this.#isClosed) throw storageClosed();
    const known = this.#chunks.get(entry);
    if (known !== undefined) {
      this.#chunks.delete(entry);
      this.#chunks.set(entry, known);
      return known;
    }
    const chunk = await this.#load(chunkName(entry.term, bucketNo, entry.chunkNo), entry);
    if (among <= CACHED_CHUNKS) this.#keep(entry, chunk);
    return chunk;
  }

  /** Forgets everything and reads no more. */
  close(): void {
    this.#isClosed = true;
    this.#chunks.clear();
  }

  async #load(name: string, entry: ChunkEntry): Promise<Chunk> {
    const found = await this.#values.read(name);
    if (found.kind === "body") return parsed(this.#values, name, entry, found.body);
    // A writer that was shut out must not call damage what the next one has cleared away.
    await this.#verify();
    if (found.kind === "damaged") throw corrupt(this.#values, name, found.reason);
    throw corrupt(this.#values, name, found.kind === "missing" ? "it is missing" : "it is cut off or replaced");
  }

  #keep(entry: ChunkEntry, chunk: Chunk): void {
    if (this.#isClosed || chunk.bytes > this.#limitBytes || this.#chunks.has(entry)) return;
    this.#chunks.set(entry, chunk);
    this.#bytes += chunk.bytes;
    for (const [oldest, { bytes }] of this.#chunks) {
      if (this.#bytes <= this.#limitBytes) break;
      this.#chunks.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}

function parsed(values: Values, name: string, { count }: ChunkEntry, body: string): Chunk {
  let chunk: Chunk;
  try {
    chunk = parseChunk(body);
  } catch (cause) {
    throw corrupt(values, name, cause instanceof Error ? cause.message : String(cause), cause);
  }
  if (chunk.count !== count) throw corrupt(values, name, `it holds ${chunk.count} events instead of ${count}`);
  return chunk;
}
