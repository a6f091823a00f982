import type { DomainOf } from "../../api/codec.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import { currentMicros, type Micros } from "../../domain/time.js";
import { ActivityError, quote } from "../../errors.js";
import { REDIRECTS_KIND, type RecordStore } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import { RecordCache } from "../access/record-cache.js";

/** Whoever names one bucket means another one (docs/buckets.md#redirects). */
export type Redirect = DomainOf<"Redirect">;

/** Longer rows of redirects are not made; one that came from elsewhere must not be followed for ever. */
const MOST_HOPS = 32;

/** Which bucket an id leads to. */
export class Redirects {
  readonly #store: () => RecordStore;
  readonly #records: RecordCache<Redirect>;
  readonly #clock: () => number;

  /** @param clock now, in Unix milliseconds */
  constructor(storage: Pick<Storage, "records">, clock: () => number) {
    this.#store = () => storage.records(REDIRECTS_KIND);
    this.#records = new RecordCache(this.#store, parseRedirect);
    this.#clock = clock;
  }

  /** The id of the bucket that is meant by another one. A promise only where records have to be read first. */
  of(bucketId: string): string | Promise<string> {
    const known = this.#records.all();
    return "then" in known ? known.then((read) => this.#endOf(read, bucketId)) : this.#endOf(known, bucketId);
  }

  /** The same by what is stored now: another process may have made a redirect just now. */
  async now(bucketId: string): Promise<string> {
    if ((await this.#store().get(bucketId)) === undefined) return bucketId;
    this.forget();
    return this.of(bucketId);
  }

  /** Whether another id leads to this one. */
  async isEnd(bucketId: string): Promise<boolean> {
    const known = await this.#records.all();
    return [...known.keys()].some((from) => from !== bucketId && this.#endOf(known, from) === bucketId);
  }

  /** Those that are in force, the oldest first. */
  async list(): Promise<Redirect[]> {
    const known = await this.#records.all();
    const now = currentMicros(this.#clock);
    return [...known.values()].filter((redirect) => isInForce(redirect, now)).sort((a, b) => a.created - b.created);
  }

  /** @returns whether there was one */
  async end(from: string): Promise<boolean> {
    let wasThere = false;
    await this.#records.change(from, (before) => {
      wasThere = before !== undefined;
      return undefined;
    });
    return wasThere;
  }

  /** @throws ActivityError `NO_SUCH_REDIRECT` */
  async delete(from: string): Promise<void> {
    if (!(await this.end(from))) throw new ActivityError("NO_SUCH_REDIRECT", `the id ${quote(from)} is not redirected`);
  }

  /** For records that a transaction has changed, and a storage that was emptied. */
  forget(): void {
    this.#records.forget();
  }

  #endOf(known: ReadonlyMap<string, Redirect>, bucketId: string): string {
    let at = bucketId;
    for (let hops = 0; hops < MOST_HOPS; hops++) {
      const next = known.get(at);
      if (next === undefined || !isInForce(next, currentMicros(this.#clock))) return at;
      at = next.to;
    }
    return bucketId;
  }
}

/** Whether it has not ended yet. */
export function isInForce({ until }: Pick<Redirect, "until">, now: Micros): boolean {
  return until === null || until > now;
}

export function recordOfRedirect({ to, from, created, until }: Redirect): JsonObject {
  return { from, to, created, until };
}

/** Reads a record; `undefined` for one of another version. */
export function parseRedirect(value: JsonValue): Redirect | undefined {
  if (!isJsonObject(value)) return undefined;
  const { from, to, created, until } = value;
  if (typeof from !== "string" || typeof to !== "string" || typeof created !== "number") return undefined;
  return { from, to, created, until: typeof until === "number" ? until : null };
}
