import type { VersionToken } from "../storage/storage.js";
import { joinBytes } from "../util/bytes.js";
import { LruCache } from "../util/lru-cache.js";
import { type Buffered, type Chunk, isStreamed } from "./request-context.js";

/** Memory that cached responses may take, in bytes. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Largest response that is cached, in characters or bytes. */
const LARGEST_KEPT = 256 * 1024;
/** Of an entry without its body. */
const ENTRY_BYTES = 300;

type Body = Buffered | AsyncIterable<Chunk>;

/** A response that was made, and the version of the bucket that it shows; `undefined` when that is not known. */
export interface VersionedBody {
  readonly body: Body;
  readonly version: VersionToken;
}

interface Entry {
  /** What the response was made of. */
  readonly version: string;
  /** `undefined` when it was asked for once only. */
  readonly body: readonly Chunk[] | undefined;
}

const encoder: TextEncoder = new TextEncoder();

/** Caches short responses that are asked for again and again while nothing changes, as by pages of latest events. */
export class ResponseCache {
  readonly #entries: LruCache<string, Entry> = new LruCache(KEPT_BYTES);

  /**
   * Gives a response that was made before, or makes it.
   *
   * @param key what is asked for
   * @param version of the bucket now; `undefined` when that is not known
   */
  async respond(
    key: string,
    version: Promise<VersionToken> | undefined,
    make: () => Promise<VersionedBody>,
  ): Promise<Body> {
    const now = await version;
    const before = now === undefined ? undefined : this.#entries.get(key);
    const isAskedAgain = before !== undefined && before.version === now;
    if (isAskedAgain && before.body !== undefined) return before.body;
    const { body, version: shown } = await make();
    // What shows another state than the one asked about, or an unknown one, is not cached.
    if (now === undefined || shown !== now) return body;
    // Most responses are asked for once: to cache these would only cost their copying.
    const weight = ENTRY_BYTES + 2 * key.length;
    if (!isAskedAgain) this.#entries.put(key, { version: now, body: undefined }, weight);
    if (!isAskedAgain || isStreamed(body)) return body;
    const chunks = typeof body === "string" ? [body] : body;
    if (chunks.reduce((length, chunk) => length + chunk.length, 0) > LARGEST_KEPT) return body;
    const bytes = joinBytes(chunks.map((chunk) => (typeof chunk === "string" ? encoder.encode(chunk) : chunk)));
    this.#entries.put(key, { version: now, body: [bytes] }, weight + bytes.length);
    return [bytes];
  }
}
