import type { DomainOf } from "../../api/codec.js";
import { isJsonObject } from "../../domain/json.js";
import { currentMicros, MICROS_PER_SECOND, type Micros } from "../../domain/time.js";
import { ActivityError, messageOf, quote } from "../../errors.js";
import type { Logger } from "../../logger.js";
import type { Storage } from "../../storage/storage.js";
import { LazyMap, LazySet } from "../../util/lazy-collections.js";
import type { Waiting } from "../../util/waiting.js";
import type { TrustedClock } from "../trusted-clock.js";
import { type Caller, combineScopes, type Grants } from "./grants.js";
import {
  checkExistingName,
  checkKeyDraft,
  createSecret,
  hashSecret,
  type KeyDraft,
  type KeyInfo,
  type KeyRecord,
  type KeyUse,
  nameTaken,
  parseKeyRecord,
  parseKeyUse,
  parseSecret,
  serializeKeyRecord,
  toKeyInfo,
} from "./key-record.js";
import { RecordCache, RecordCaches } from "./record-cache.js";

/** A newly created key. */
export type NewKey = DomainOf<"NewKey">;

/** The circumstances in which a key is used. */
export interface KeyContext {
  /** `undefined` if the request has none. */
  readonly origin: string | undefined;
  readonly address: string | undefined;
}

export interface KeysOptions {
  readonly storage: Pick<Storage, "records">;
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  /** Decides whether keys have expired. */
  readonly times: TrustedClock;
  readonly logger: Logger;
}

/** Minimum time between two stored last uses of a key. */
const USE_MICROS = 60 * MICROS_PER_SECOND;
/** Maximum number of keys that are recognized by their header without hashing. */
const MAX_RECENT = 256;

/** A valid key. */
interface ValidKey {
  readonly name: string;
  readonly record: KeyRecord;
  readonly grants: Grants;
}

/** Lookup tables of the records. */
interface Index {
  readonly byHash: ReadonlyMap<string, ValidKey>;
  /** By the header that contained a key; only valid keys. */
  readonly recent: Map<string, ValidKey>;
  /** The latest expiry of the keys for an origin; infinity if one never expires. */
  readonly origins: ReadonlyMap<string, Micros>;
}

/** A last use, and the stored one. */
interface TrackedUse {
  use: KeyUse;
  savedAt: Micros;
}

/** The keys of a server (docs/guides/keys.md), stored by their hashes. */
export class Keys {
  readonly #options: KeysOptions;
  readonly #caches: RecordCaches = new RecordCaches();
  readonly #records: RecordCache<KeyRecord>;
  /** By hash. */
  readonly #uses: LazyMap<string, TrackedUse> = new LazyMap();
  /** By hash; applies at once, while the expiry is being stored. */
  readonly #expired: LazySet<string> = new LazySet();
  readonly #saving: LazySet<Promise<void>> = new LazySet();

  constructor(options: KeysOptions) {
    this.#options = options;
    this.#records = new RecordCache(
      () => options.times.loadWith(options.storage.records("keys")),
      parseKeyRecord,
      this.#caches,
    );
  }

  /**
   * Creates a key. The name of a revoked key can be used again.
   *
   * @throws ActivityError `INVALID_INPUT`
   */
  async add(given: KeyDraft): Promise<NewKey> {
    const { times } = this.#options;
    await times.load();
    const created = currentMicros(this.#options.clock);
    const { name, ...draft } = checkKeyDraft(given, times.latest());
    const key = createSecret();
    const record: KeyRecord = { ...draft, hash: hashSecret(key), created, revoked: null };
    await this.#records.change(name, (before) => {
      if (before !== undefined && parseKeyRecord(before)?.revoked === null) throw nameTaken(name);
      return serializeKeyRecord(record);
    });
    return { ...toKeyInfo(name, record, undefined), revoked: null, lastUsed: null, lastUsedFrom: null, key };
  }

  /** All keys, including revoked ones, the oldest first. */
  async list(): Promise<KeyInfo[]> {
    const { storage } = this.#options;
    const records = await storage.records("keys").list();
    const uses = await storage.records("key-uses").list();
    const infos: KeyInfo[] = [];
    for (const [name, value] of records) {
      const record = parseKeyRecord(value);
      if (record === undefined) continue;
      const saved = uses.get(name);
      const isItsOwn = saved !== undefined && isJsonObject(saved) && saved.hash === record.hash;
      const use = this.#uses.get(record.hash)?.use ?? (isItsOwn ? parseKeyUse(saved) : undefined);
      infos.push(toKeyInfo(name, record, use));
    }
    return infos.sort((a, b) => a.created - b.created || (a.name < b.name ? -1 : 1));
  }

  /**
   * Revokes a key. A revoked key stays revoked.
   *
   * @throws ActivityError `INVALID_INPUT`, `NO_SUCH_KEY`
   */
  async revoke(name: string): Promise<void> {
    checkExistingName(name);
    await this.#records.change(name, (before) => {
      const record = parseKeyRecord(before);
      if (record === undefined) throw new ActivityError("NO_SUCH_KEY", `no key is named ${quote(name)}`);
      return serializeKeyRecord({ ...record, revoked: record.revoked ?? currentMicros(this.#options.clock) });
    });
  }

  /** Await it before the lookups below. */
  ready(): Waiting {
    return this.#caches.ready();
  }

  /** Whether a key was ever created: removing the last key must not open the server. */
  hasKeys(): boolean {
    return this.#records.all.size > 0;
  }

  /** Whether a valid key exists for this origin only. */
  hasKeyFor(origin: string): boolean {
    return this.#options.times.latest() < (this.#currentIndex().origins.get(origin) ?? 0);
  }

  /** Clears the cache after the storage was emptied elsewhere. */
  forget(): void {
    this.#records.forget();
    this.#uses.clear();
    this.#expired.clear();
  }

  /**
   * The current rights of an `Authorization` header; `undefined` for one without a key, or with a key that is revoked,
   * expired or bound to another origin.
   */
  recognize(authorization: string, presented: KeyContext): Grants | undefined {
    const { byHash, recent } = this.#currentIndex();
    const secret = byHash.size === 0 ? undefined : parseSecret(authorization);
    const held = secret === undefined ? undefined : byHash.get(hashSecret(secret));
    if (held === undefined) return undefined;
    if (recent.size >= MAX_RECENT) recent.clear();
    recent.set(authorization, held);
    return this.#use(held, presented);
  }

  /** Like `recognize`, without hashing, for a recently used key. `undefined` for any other. */
  recognizeRecent(authorization: string, presented: KeyContext): Grants | undefined {
    const held = this.#records.isRead ? this.#currentIndex().recent.get(authorization) : undefined;
    return held === undefined ? undefined : this.#use(held, presented);
  }

  /** Whether the key of these grants is still valid. */
  isValid(grants: Grants): boolean {
    return !this.#isExpired(this.#currentIndex().byHash.get(hashesOfGrants.get(grants) ?? ""));
  }

  #isExpired(held: ValidKey | undefined): boolean {
    if (held === undefined) return true;
    const { hash, expires } = held.record;
    if (expires === null) return false;
    if (this.#expired.has(hash)) return true;
    if (this.#options.times.latest() < expires) return false;
    this.#expired.add(hash);
    this.#saveInBackground(this.#storeExpiry(held.name, hash), `the expiry of key ${quote(held.name)}`);
    return true;
  }

  /** Stores the expiry, so that the key does not become valid again if the clock is set back. */
  async #storeExpiry(name: string, hash: string): Promise<void> {
    await this.#records.change(name, (before) => {
      const record = parseKeyRecord(before);
      if (record?.hash !== hash || record.revoked !== null) return before;
      return serializeKeyRecord({ ...record, revoked: record.expires });
    });
    await this.#options.times.note(true);
  }

  /** Waits for pending writes. */
  async settled(): Promise<void> {
    await Promise.all(this.#saving);
  }

  #saveInBackground(work: Promise<void>, what: string): void {
    const saving = work
      .catch((cause: unknown) => this.#options.logger.warn(`cannot store ${what}: ${messageOf(cause)}`))
      .finally(() => this.#saving.delete(saving));
    this.#saving.add(saving);
  }

  /** The rights of a key for this request. */
  #use(held: ValidKey, presented: KeyContext): Grants | undefined {
    const { origin } = held.record;
    if (this.#isExpired(held)) return undefined;
    // Browsers send the origin of every foreign page, and no page can suppress it.
    if (origin !== null && presented.origin !== undefined && presented.origin !== origin) return undefined;
    this.#trackUse(held, { at: currentMicros(this.#options.clock), from: presented.address ?? null });
    return held.grants;
  }

  #currentIndex(): Index {
    const records = this.#records.all;
    let index = indexes.get(records);
    if (index === undefined) {
      const inUse = Array.from(records).filter(([, record]) => record.revoked === null);
      const held = inUse.map(([name, record]) => {
        const caller: Caller = { kind: "key", name, origin: record.origin };
        const grants: Grants = { ...combineScopes(record.scopes), caller };
        hashesOfGrants.set(grants, record.hash);
        return { name, record, grants };
      });
      const byHash = new Map(held.map((key) => [key.record.hash, key]));
      index = { byHash, recent: new Map(), origins: collectOrigins(inUse.map(([, record]) => record)) };
      indexes.set(records, index);
    }
    return index;
  }

  /** In memory, and sometimes in the storage: a write for each request would cost more than the request. */
  #trackUse({ name, record }: ValidKey, use: KeyUse): void {
    const noted = this.#uses.get(record.hash);
    if (noted !== undefined && use.at - noted.savedAt < USE_MICROS) {
      noted.use = use;
      return;
    }
    this.#uses.set(record.hash, { use, savedAt: use.at });
    this.#saveInBackground(this.#save(name, record.hash, use), `the last use of key ${quote(name)}`);
  }

  async #save(name: string, hash: string, use: KeyUse): Promise<void> {
    const store = this.#options.storage.records("key-uses");
    // If two processes write at the same time, one write is enough.
    await store.compareAndSet(name, await store.get(name), { hash, ...use });
  }
}

function collectOrigins(records: readonly KeyRecord[]): ReadonlyMap<string, Micros> {
  const until = new Map<string, Micros>();
  for (const { origin, expires } of records) {
    if (origin === null) continue;
    until.set(origin, Math.max(until.get(origin) ?? 0, expires ?? Number.POSITIVE_INFINITY));
  }
  return until;
}

/** For each state of the records. */
const indexes: WeakMap<ReadonlyMap<string, KeyRecord>, Index> = new WeakMap();

/** Hashes of keys by their grants. */
const hashesOfGrants: WeakMap<Grants, string> = new WeakMap();
