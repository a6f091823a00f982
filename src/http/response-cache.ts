import type { VersionToken } from "../storage/storage.js";
import { joinBytes } from "../util/bytes.js";
import { LruCache } from "../util/lru-cache.js";
import type { CacheMemory } from "../util/memory-budget.js";
import { type Buffered, type Chunk, isStreamed } from "./request-context.js";

/** Memory that cached responses may take, in bytes. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Largest response that is cached, in characters or bytes. */
const LARGEST_KEPT = 256 * 1024;
/** Memory of an entry without its body. */
const ENTRY_BYTES = 300;

type Body = Buffered | AsyncIterable<Chunk>;

/** A response, with the bucket version that it shows; `undefined` if that is unknown. */
export interface VersionedBody {
  readonly body: Body;
  readonly version: VersionToken;
}

interface Entry {
  /** The version that the response was made from. */
  readonly version: string;
  /** `undefined` if it was requested only once. */
  readonly body: readonly Chunk[] | undefined;
}

const encoder: TextEncoder = new TextEncoder();

/** Caches short responses that are requested repeatedly while nothing changes, as by pages with the latest events. */
export class ResponseCache {
  readonly #entries: LruCache<string, Entry>;

  constructor(memory?: CacheMemory) {
    this.#entries = new LruCache(KEPT_BYTES, { memory, name: "responses" });
  }

  /**
   * Returns a cached response, or creates it.
   *
   * @param key identifies the request
   * @param version of the bucket now; `undefined` if it is unknown
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
    // Do not cache a response that shows another state, or an unknown one.
    if (now === undefined || shown !== now) return body;
    // Most responses are requested once: caching them would only cost a copy.
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
