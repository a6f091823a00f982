import type { DomainOf } from "../../api/codec.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import { currentMicros, type Micros } from "../../domain/time.js";
import { ActivityError, quote } from "../../errors.js";
import { REDIRECTS_KIND, type RecordStore } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import type { Waiting } from "../../util/waiting.js";
import { RecordCache, RecordCaches } from "../access/record-cache.js";

/** A redirect from an ID to another bucket (docs/guides/buckets.md#redirects). */
export type Redirect = DomainOf<"Redirect">;

/** Longest chain of redirects; a chain from elsewhere must not be followed endlessly. */
const MAX_HOPS = 32;

/** Resolves IDs through redirects. */
export class Redirects {
  readonly #store: () => RecordStore;
  readonly #caches: RecordCaches;
  readonly #records: RecordCache<Redirect>;
  readonly #clock: () => number;

  /**
   * @param clock returns Unix milliseconds
   * @param caches kinds of records that are looked up together with redirects
   */
  constructor(storage: Pick<Storage, "records">, clock: () => number, caches: RecordCaches = new RecordCaches()) {
    this.#store = () => storage.records(REDIRECTS_KIND);
    this.#caches = caches;
    this.#records = new RecordCache(this.#store, parseRedirect, caches);
    this.#clock = clock;
  }

  /** Await it before a lookup. */
  ready(): Waiting {
    return this.#caches.ready();
  }

  /** The ID of the bucket that an ID resolves to, after `ready()`. */
  resolve(bucketId: string): string {
    return this.#resolveIn(this.#records.all, bucketId);
  }

  /** Resolves an ID with the stored records: another process may just have created a redirect. */
  async resolveStored(bucketId: string): Promise<string> {
    const isRedirected = (await this.#store().get(bucketId)) !== undefined;
    if (isRedirected) this.forget();
    await this.ready();
    return isRedirected ? this.resolve(bucketId) : bucketId;
  }

  /** Whether another ID redirects to this one. */
  async isTarget(bucketId: string): Promise<boolean> {
    await this.ready();
    return [...this.#records.all.keys()].some((from) => from !== bucketId && this.resolve(from) === bucketId);
  }

  /** Active redirects, the oldest first. */
  async list(): Promise<Redirect[]> {
    await this.ready();
    const now = currentMicros(this.#clock);
    return [...this.#records.all.values()]
      .filter((redirect) => isUnexpired(redirect, now))
      .sort((a, b) => a.created - b.created);
  }

  /** @returns whether it existed */
  async deleteIfExists(from: string): Promise<boolean> {
    let wasThere = false;
    await this.#records.change(from, (before) => {
      wasThere = before !== undefined;
      return undefined;
    });
    return wasThere;
  }

  /** @throws ActivityError `NO_SUCH_REDIRECT` */
  async delete(from: string): Promise<void> {
    if (!(await this.deleteIfExists(from)))
      throw new ActivityError("NO_SUCH_REDIRECT", `the id ${quote(from)} is not redirected`);
  }

  /** Clears the cache after a transaction changed records, or the storage was emptied. */
  forget(): void {
    this.#records.forget();
  }

  #resolveIn(known: ReadonlyMap<string, Redirect>, bucketId: string): string {
    let at = bucketId;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const next = known.get(at);
      if (next === undefined || !isUnexpired(next, currentMicros(this.#clock))) return at;
      at = next.to;
    }
    return bucketId;
  }
}

/** Whether a redirect has not expired. */
export function isUnexpired({ until }: Pick<Redirect, "until">, now: Micros): boolean {
  return until === null || until > now;
}

export function serializeRedirect({ to, from, created, until }: Redirect): JsonObject {
  return { from, to, created, until };
}

/** Parses a record; `undefined` for one of another version. */
export function parseRedirect(value: JsonValue): Redirect | undefined {
  if (!isJsonObject(value)) return undefined;
  const { from, to, created, until } = value;
  if (typeof from !== "string" || typeof to !== "string" || typeof created !== "number") return undefined;
  return { from, to, created, until: typeof until === "number" ? until : null };
}
