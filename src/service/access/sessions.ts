import type { DomainOf } from "../../api/codec.js";
import { currentMicros, MICROS_PER_MILLI, MICROS_PER_SECOND, type Micros } from "../../domain/time.js";
import { ActivityError, messageOf, quote } from "../../errors.js";
import type { Logger } from "../../logger.js";
import type { Storage } from "../../storage/storage.js";
import { LazyMap, LazySet } from "../../util/lazy-collections.js";
import { randomSecret } from "../../util/random-secret.js";
import { SESSION_MILLIS, type SessionProof } from "../../util/session-proof.js";
import type { Waiting } from "../../util/waiting.js";
import type { TrustedClock } from "../trusted-clock.js";
import { hashSecret } from "./key-record.js";
import { RecordCache, RecordCaches } from "./record-cache.js";
import { ReplayGuard } from "./replay-guard.js";
import { parseSessionRecord, type SessionRecord, serializeSessionRecord } from "./session-record.js";
import { type SignInLink, SignInLinks } from "./sign-in-links.js";

/** Information about a session, without its secrets. */
export type SessionInfo = DomainOf<"Session">;

/** A new session with its two secrets, which are returned only once. */
export interface NewSession extends DomainOf<"NewSession"> {
  /** For the cookie, which browsers send to every port of a host. */
  readonly cookie: string;
}

/** A session that a request belongs to. */
export type RecognizedSession = Pick<SessionInfo, "id" | "expires">;

/** The session credentials of a request. */
export interface PresentedSession {
  /** Values of the cookie: a page of another path or port may have set one of the same name. */
  readonly cookies: readonly string[];
  /** `undefined`: only the cookie is needed. The same object for each check of one request. */
  readonly proof: SessionProof | undefined;
  readonly address: string | undefined;
}

export interface SessionsOptions {
  readonly storage: Pick<Storage, "records">;
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  /** Decides whether sessions have expired. */
  readonly times: TrustedClock;
  readonly logger: Logger;
}

const LIFETIME_MICROS = SESSION_MILLIS * MICROS_PER_MILLI;
/** Minimum time between two stored last uses of a session. */
const USE_MICROS = 60 * MICROS_PER_SECOND;
/** Maximum length of a User-Agent, which any client may choose. */
const LONGEST_USER_AGENT = 200;
const ID_LENGTH = 12;

interface IndexedSession {
  readonly id: string;
  readonly record: SessionRecord;
}

/** Sessions of signed-in browsers (docs/reference/keys.md#sessions), stored by hashes. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #caches: RecordCaches = new RecordCaches();
  readonly #records: RecordCache<SessionRecord>;
  readonly #links: SignInLinks = new SignInLinks();
  readonly #proofs: ReplayGuard;
  /** When the last use of a session was stored. */
  readonly #savedAt: LazyMap<string, Micros> = new LazyMap();
  /** Expired sessions that are being removed. */
  readonly #removing: LazySet<string> = new LazySet();
  readonly #saving: LazySet<Promise<unknown>> = new LazySet();

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#proofs = new ReplayGuard(options.clock);
    this.#records = new RecordCache(
      () => options.times.loadWith(options.storage.records("sessions")),
      parseSessionRecord,
      this.#caches,
    );
  }

  /** Creates a link that signs in once, valid for a minute. */
  createLink(): Omit<SignInLink, "path"> {
    return this.#links.create(currentMicros(this.#options.clock));
  }

  /** Starts a session by a link. @returns `undefined` for a link that is unknown, used or expired */
  async start(
    token: string,
    { address, userAgent }: { readonly address: string | undefined; readonly userAgent: string | undefined },
  ): Promise<NewSession | undefined> {
    const now = currentMicros(this.#options.clock);
    if (!this.#links.take(token, now)) return undefined;
    const { times } = this.#options;
    await times.load();
    const session = {
      id: randomSecret().slice(0, ID_LENGTH),
      cookie: randomSecret(),
      secret: randomSecret(),
      expires: times.latest() + LIFETIME_MICROS,
    };
    const record: SessionRecord = {
      cookie: hashSecret(session.cookie),
      secret: hashSecret(session.secret),
      created: now,
      used: now,
      usedFrom: address ?? null,
      userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
      expires: session.expires,
    };
    await this.#removeExpired(times.latest());
    await this.#records.change(session.id, () => serializeSessionRecord(record));
    return session;
  }

  /** Await it before the lookups below. */
  ready(): Waiting {
    return this.#caches.ready();
  }

  /**
   * The session of a request; `undefined` if cookie and proof do not match a valid session.
   *
   * @throws ActivityError `UNAUTHORIZED` for a correct proof that is old or was used before
   */
  recognize({ cookies, proof, address }: PresentedSession): RecognizedSession | undefined {
    const byCookie = this.#indexByCookie(this.#records.all);
    if (byCookie.size === 0) return undefined;
    const now = currentMicros(this.#options.clock);
    for (const cookie of cookies) {
      const held = byCookie.get(hashSecret(cookie));
      if (held === undefined || this.#isExpired(held)) continue;
      if (proof !== undefined && !proof.matches(held.record.secret)) continue;
      if (proof !== undefined && !this.#proofs.accept(proof)) throw staleProof(this.#options.clock());
      this.#trackUse(held, now, address);
      return { id: held.id, expires: held.record.expires };
    }
    return undefined;
  }

  /** Whether a session is valid. */
  isValid(id: string): boolean {
    const record = this.#records.all.get(id);
    return record !== undefined && !this.#isExpired({ id, record });
  }

  /** Active sessions, the oldest first. @param current ID of the caller's session */
  async list(current?: string): Promise<SessionInfo[]> {
    const records = await this.#options.storage.records("sessions").list();
    await this.#options.times.load();
    const now = this.#options.times.latest();
    const infos = Array.from(records).flatMap(([id, value]) => {
      const record = parseSessionRecord(value);
      if (record === undefined || now >= record.expires) return [];
      const { created, used, usedFrom, userAgent, expires } = record;
      return [{ id, created, lastUsed: used, lastUsedFrom: usedFrom, userAgent, expires, current: id === current }];
    });
    return infos.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  }

  /** Ends a session immediately. @throws ActivityError `NO_SUCH_SESSION` */
  async end(id: string): Promise<void> {
    await this.#records.change(id, (before) => {
      if (before === undefined) throw new ActivityError("NO_SUCH_SESSION", `no session has the ID ${quote(id)}`);
      return undefined;
    });
  }

  /** Waits for pending writes. */
  async settled(): Promise<void> {
    await Promise.all(this.#saving);
  }

  /** Clears the cache after the storage was emptied elsewhere. */
  forget(): void {
    this.#records.forget();
    this.#savedAt.clear();
  }

  #indexByCookie(records: ReadonlyMap<string, SessionRecord>): ReadonlyMap<string, IndexedSession> {
    let index = indexes.get(records);
    if (index === undefined) {
      index = new Map(Array.from(records, ([id, record]) => [record.cookie, { id, record }]));
      indexes.set(records, index);
    }
    return index;
  }

  /** Sometimes: a write for each request would cost more than the request. */
  #trackUse({ id, record }: IndexedSession, now: Micros, address: string | undefined): void {
    const savedAt = this.#savedAt.get(id) ?? record.used;
    if (now - savedAt < USE_MICROS) return;
    this.#savedAt.set(id, now);
    const saved = this.#records.change(id, (before) => {
      const present = parseSessionRecord(before);
      // It was ended in the meantime, and stays so.
      if (present === undefined) return before;
      const expires = Math.max(present.expires, this.#options.times.latest() + LIFETIME_MICROS);
      return serializeSessionRecord({ ...present, used: now, usedFrom: address ?? null, expires });
    });
    this.#saveInBackground(saved, "the last use of a session");
  }

  /** Removes an expired session, so that it does not become valid again if the clock is set back. */
  #isExpired({ id, record: { expires } }: IndexedSession): boolean {
    const now = this.#options.times.latest();
    if (now < expires) return false;
    if (!this.#removing.has(id)) {
      this.#removing.add(id);
      const removed = this.#remove(id, now).then(() => this.#options.times.note(true));
      this.#saveInBackground(
        removed.finally(() => this.#removing.delete(id)),
        "the expiry of a session",
      );
    }
    return true;
  }

  #saveInBackground(work: Promise<unknown>, what: string): void {
    const saving = work
      .catch((cause: unknown) => this.#options.logger.warn(`cannot store ${what}: ${messageOf(cause)}`))
      .finally(() => this.#saving.delete(saving));
    this.#saving.add(saving);
  }

  async #removeExpired(now: Micros): Promise<void> {
    await this.ready();
    for (const [id, { expires }] of this.#records.all) {
      if (now >= expires) await this.#remove(id, now);
    }
  }

  async #remove(id: string, now: Micros): Promise<void> {
    this.#savedAt.delete(id);
    await this.#records.change(id, (before) => (now < (parseSessionRecord(before)?.expires ?? 0) ? before : undefined));
  }
}

/** @param millis the server's time, which the next proof must use */
function staleProof(millis: number): ActivityError {
  const message = "this proof of the session is old or was used before; send another one";
  return new ActivityError("UNAUTHORIZED", message, {
    fault: { name: "staleProof", values: { time: Math.round(millis) } },
  });
}

/** By the hash of the cookie, for each state of the records. */
const indexes: WeakMap<ReadonlyMap<string, SessionRecord>, ReadonlyMap<string, IndexedSession>> = new WeakMap();
