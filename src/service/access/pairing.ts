import type { DomainOf } from "../../api/codec.js";
import { currentMicros, MICROS_PER_SECOND } from "../../domain/time.js";
import { ActivityError, fieldUnfit, mustBe, shownValue } from "../../errors.js";
import type { Logger } from "../../logger.js";
import { equalsInConstantTime } from "../../util/constant-time.js";
import { LazyMap, LazySet } from "../../util/lazy-collections.js";
import { randomSecret } from "../../util/random-secret.js";
import type { FeedTarget } from "../feed/feed.js";
import type { FeedPairing } from "../feed/message.js";
import { invalid } from "../validation.js";
import type { Extensions } from "./extensions.js";
import { findScopeBeyond, parseScopes } from "./grants.js";
import { checkKeyDraft, checkKeyName, hashSecret, nameTaken } from "./key-record.js";
import type { Keys } from "./keys.js";
import { createPairingCode, normalizeCode } from "./pairing-code.js";

/** A request that waits for the owner: for a key, or for an extension's permission. */
export type PairingQuestion = DomainOf<"PairingQuestion">;

/** The response to a pairing request. */
export type NewPairing = DomainOf<"NewPairing">;

/** The result of an approval. */
export type PairingApproval = DomainOf<"PairingApproval">;

/** The source of a pairing request. */
export interface PairingSource {
  readonly origin: string | undefined;
  readonly address: string | undefined;
}

export interface PairingOptions {
  readonly keys: Keys;
  readonly extensions: Extensions;
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  readonly logger: Logger;
  /** Whether an extension needs a key in addition to the permission. */
  readonly isKeyNeeded: boolean;
  readonly feed: FeedTarget;
}

const LIFETIME_MICROS = 5 * 60 * MICROS_PER_SECOND;
/** For each kind of request. */
const MAX_PENDING = 3;
/** Maximum number of extensions that the log names. */
const MAX_LOGGED = 100;
/** Maximum length of all requested scopes together: the owner reads them in one line. */
const LONGEST_SCOPES = 500;
/** Characters that a terminal or a page would not show correctly. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;
/** Number of names to try before the owner must choose one. */
const MAX_NAMES = 100;

interface Entry extends PairingQuestion {
  readonly status: "pending" | "approved" | "refused";
  /** Hash of the requester's secret; empty for an extension, which collects nothing. */
  readonly hash: string;
}

/**
 * Pairing requests until the owner decides (docs/reference/keys.md#pairing). In memory: programs repeat pending
 * requests after a restart.
 */
export class Pairing {
  readonly #options: PairingOptions;
  readonly #byCode: LazyMap<string, Entry> = new LazyMap();
  readonly #logged: LazySet<string> = new LazySet();

  constructor(options: PairingOptions) {
    this.#options = options;
  }

  /**
   * Requests a key.
   *
   * @throws ActivityError `INVALID_INPUT`, `TOO_MANY_REQUESTS` while three others are pending
   */
  request(asked: DomainOf<"PairingRequest">, { origin, address }: PairingSource): NewPairing {
    const draft = { ...asked, expires: null, origin: origin ?? null };
    // Checks all properties of the future key, such as a valid origin: `null`, which sandboxed pages send, is not one.
    const { name, scopes } = checkKeyDraft(draft, currentMicros(this.#options.clock));
    refuseUnreadable(scopes);
    if (this.#isFull("key")) {
      throw new ActivityError(
        "TOO_MANY_REQUESTS",
        "three pairing requests are already waiting; try again after the owner has decided one",
      );
    }
    const secret = randomSecret();
    const question = { kind: "key" as const, name, scopes, origin: origin ?? null, address: address ?? null };
    const { code, expires } = this.#add(question, hashSecret(secret));
    this.#options.logger.warn(
      `${name} asks for a key (${scopes.join(" ")}): activity-server pair ${code}, or the page; five minutes`,
    );
    return { code, secret, expires };
  }

  /** Creates a request for a rejected extension, unless it has one or too many are pending. */
  noticeExtension(origin: string, address: string | undefined): void {
    for (const { name, kind } of this.list()) if (kind === "extension" && name === origin) return;
    if (this.#isFull("extension")) return;
    const question = { kind: "extension" as const, name: origin, scopes: [], origin, address: address ?? null };
    const { code } = this.#add(question, "");
    // The extension retries all day; one line in the log is enough.
    if (this.#logged.has(origin) || this.#logged.size >= MAX_LOGGED) return;
    this.#logged.add(origin);
    this.#options.logger.warn(
      `an extension wants to report: ${origin}; allow or refuse it in the page, or: activity-server pair ${code}` +
        (this.#options.isKeyNeeded ? keyRemedy(origin) : ""),
    );
  }

  /** The pending requests, the oldest first. */
  list(): PairingQuestion[] {
    this.#removeExpired();
    return Array.from(this.#byCode.values())
      .filter(({ status }) => status === "pending")
      .map(({ status: _status, hash: _hash, ...question }) => question);
  }

  /** The kind of a request. @throws ActivityError `NO_SUCH_PAIRING` */
  getKind(code: string): PairingQuestion["kind"] {
    return this.#getPending(code).kind;
  }

  /**
   * Grants the requested key, or allows the extension.
   *
   * @throws ActivityError `INVALID_INPUT` for more than was requested, or a name in use; `NO_SUCH_PAIRING`
   */
  async approve(code: string, changes: DomainOf<"PairingChanges"> = {}): Promise<PairingApproval> {
    const wanted = changes.scopes && parseScopes(changes.scopes);
    const entry = this.#getPending(code);
    if (entry.kind === "extension") {
      await this.#options.extensions.decide(entry.name, true);
      this.#byCode.delete(entry.code);
      this.#report("decided", entry.code);
      return toApproval(entry);
    }
    const scopes = wanted ?? entry.scopes;
    const beyond = findScopeBeyond(scopes, entry.scopes);
    if (beyond !== undefined) {
      throw invalid(`scopes must be within ${entry.scopes.join(" ")}, got ${shownValue(beyond)}`);
    }
    const inUse = await this.#listNamesInUse();
    // Another decision may have come in the meantime. There is no `await` below, so no other approval gets the name.
    this.#getPending(code);
    const name = this.#findFreeName(inUse, entry.name, changes.name ?? undefined);
    const expires = currentMicros(this.#options.clock) + LIFETIME_MICROS;
    const approved: Entry = { ...entry, status: "approved", name, scopes, expires };
    this.#byCode.set(entry.code, approved);
    this.#report("decided", entry.code);
    return toApproval(approved);
  }

  /** @throws ActivityError `NO_SUCH_PAIRING` */
  async refuse(code: string): Promise<void> {
    const entry = this.#getPending(code);
    if (entry.kind === "key") {
      // The requester still has to learn of it.
      this.#byCode.set(entry.code, { ...entry, status: "refused" });
    } else {
      await this.#options.extensions.decide(entry.name, false);
      this.#byCode.delete(entry.code);
    }
    this.#report("decided", entry.code);
  }

  /**
   * Returns the outcome of a request. Creates the key now, and returns it only once.
   *
   * @returns `undefined` for an unknown secret, or one whose key was collected
   */
  async collect(secret: string): Promise<DomainOf<"PairingOutcome"> | undefined> {
    this.#removeExpired();
    const hash = hashSecret(secret);
    const entry = Array.from(this.#byCode.values()).find((held) => equalsInConstantTime(held.hash, hash));
    if (entry === undefined) return undefined;
    if (entry.status !== "approved") return { status: entry.status };
    this.#byCode.delete(entry.code);
    try {
      const { scopes, origin } = entry;
      const name = this.#findFreeName(await this.#listNamesInUse(), entry.name, undefined);
      const { key } = await this.#options.keys.add({ name, scopes, expires: null, origin });
      this.#report("collected", entry.code);
      return { status: "approved", key, name, scopes };
    } catch (thrown) {
      // No key was created, so the requester may try again.
      this.#byCode.set(entry.code, entry);
      throw thrown;
    }
  }

  /** Drops all requests. */
  forget(): void {
    this.#byCode.clear();
    this.#logged.clear();
  }

  #add(question: Omit<PairingQuestion, "code" | "requested" | "expires">, hash: string): Entry {
    let code = createPairingCode();
    while (this.#byCode.has(code)) code = createPairingCode();
    const requested = currentMicros(this.#options.clock);
    const entry: Entry = {
      code,
      ...question,
      requested,
      expires: requested + LIFETIME_MICROS,
      status: "pending",
      hash,
    };
    this.#byCode.set(code, entry);
    this.#report("requested", code);
    return entry;
  }

  /** Waits for the keys: they decide who may learn of requests. */
  #report(action: FeedPairing["action"], code: string): void {
    const { keys, feed } = this.#options;
    Promise.resolve(keys.ready()).then(
      () => feed.active?.hub.pairing(action, code),
      () => undefined,
    );
  }

  #isFull(kind: PairingQuestion["kind"]): boolean {
    return this.list().filter((question) => question.kind === kind).length >= MAX_PENDING;
  }

  #getPending(code: string): Entry {
    this.#removeExpired();
    const entry = this.#byCode.get(normalizeCode(code));
    if (entry?.status === "pending") return entry;
    throw new ActivityError("NO_SUCH_PAIRING", "no pairing request has this code (they expire after 5 minutes)");
  }

  async #listNamesInUse(): Promise<string[]> {
    return (await this.#options.keys.list()).filter(({ revoked }) => revoked === null).map(({ name }) => name);
  }

  /** If a phone pairs again, its old key may still exist: `phone-2` then. */
  #findFreeName(inUse: readonly string[], asked: string, given: string | undefined): string {
    const approved = Array.from(this.#byCode.values()).filter(({ status }) => status === "approved");
    const taken = new Set([...inUse, ...approved.map(({ name }) => name)]);
    if (given !== undefined) {
      const name = checkKeyName(given);
      if (taken.has(name)) throw nameTaken(name);
      return name;
    }
    if (!taken.has(asked)) return asked;
    for (let number = 2; number <= MAX_NAMES; number++) {
      const suffix = `-${number}`;
      const name = asked.slice(0, LONGEST_NAME - suffix.length) + suffix;
      if (!taken.has(name)) return name;
    }
    throw nameTaken(asked);
  }

  #removeExpired(): void {
    const now = currentMicros(this.#options.clock);
    for (const [code, { expires }] of this.#byCode) if (now >= expires) this.#byCode.delete(code);
  }
}

const LONGEST_NAME = 64;

/** Any program can claim the origin of an extension, so if keys are needed, the extension needs one as well. */
function keyRemedy(origin: string): string {
  return `; it also needs a key: activity-server keys add NAME --scope append:GLOB --origin ${origin}`;
}

/**
 * Rejects scopes that the owner could not read: every program may send requests. @throws ActivityError `INVALID_INPUT`
 */
function refuseUnreadable(scopes: readonly string[]): void {
  const { length } = scopes.join(" ");
  if (length > LONGEST_SCOPES) {
    throw fieldUnfit("scopes", `must be at most ${LONGEST_SCOPES} characters together, got ${length}`);
  }
  const unseen = scopes.find((scope) => UNSEEN.test(scope.replaceAll(" ", "")));
  if (unseen !== undefined) throw mustBe("scopes", "visible characters", unseen);
}

function toApproval({ kind, name, scopes, origin }: PairingQuestion): PairingApproval {
  return { kind, name, scopes, origin };
}
