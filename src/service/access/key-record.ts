import type { DomainOf } from "../../api/codec.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import { fieldUnfit, mustBe, quote } from "../../errors.js";
import { randomSecret, SECRET_LENGTH } from "../../util/random-secret.js";
import { sha256 } from "../../util/sha256.js";
import { checkedScopes } from "./grants.js";

/** A key to be made. */
export interface KeyDraft {
  /** 1 to 64 letters, digits and signs of `. _ -`; unique among the keys that are not revoked. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Microseconds; `null` = never. */
  readonly expires: Micros | null;
  /** The one web origin that may use it; `null` = any. */
  readonly origin: string | null;
}

/** A key, as it is kept: without the key itself. */
export interface KeyRecord extends Omit<KeyDraft, "name"> {
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string;
  readonly created: Micros;
  /** When it was revoked; `null` = it is in use. */
  readonly revoked: Micros | null;
}

/** When a key was last used, and from what address, as far as that is known. */
export interface KeyUse {
  readonly at: Micros;
  readonly from: string | null;
}

/** No name of a segment that a URL leaves out: a key named `..` could not be revoked over HTTP. */
const NAME = /^[a-z0-9][\w.-]{0,63}$/i;
const OLD_NAME = /^[\w.-]{1,64}$/;
/** What browsers send as Origin. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\s?#@]{1,200}$/i;
/** By its beginning people and scanners of repositories know what it is. */
const PREFIX = "as_";
const HEADER = new RegExp(`^Bearer (${PREFIX}[\\w-]{${SECRET_LENGTH}})$`);

/** @throws ActivityError `INVALID_INPUT` that names the field */
export function checkedKeyDraft(draft: KeyDraft, now: Micros): KeyDraft {
  const { expires, origin } = draft;
  if (expires !== null && expires <= now) {
    throw fieldUnfit("expires", "must be a time to come, or null for none, got one in the past");
  }
  if (origin !== null && !ORIGIN.test(origin)) {
    throw mustBe("origin", "an origin such as https://example.org, without a path", origin);
  }
  return { name: checkedKeyName(draft.name), scopes: checkedScopes(draft.scopes), expires, origin };
}

/** @throws ActivityError `INVALID_INPUT` */
export function checkedKeyName(name: string): string {
  if (NAME.test(name)) return name;
  throw mustBe("name", "1 to 64 letters, digits and signs of . _ -, a letter or digit first", name);
}

/** Of a key that is there: names may begin with a sign that were given before. @throws ActivityError `INVALID_INPUT` */
export function checkedOldName(name: string): string {
  return OLD_NAME.test(name) ? name : checkedKeyName(name);
}

/** @returns the error of a name that is in use */
export function nameTaken(name: string): Error {
  return fieldUnfit("name", `${quote(name)} is that of another key; revoke that one first, or choose another name`);
}

/** A key that nobody can guess. */
export function newSecret(): string {
  return PREFIX + randomSecret();
}

/** @returns what has the form of a key in a header `Authorization`; `undefined` where nothing has */
export function secretIn(authorization: string): string | undefined {
  return HEADER.exec(authorization)?.[1];
}

const encoder: TextEncoder = new TextEncoder();

/** What is kept of a secret with so many random bits: SHA-256 in hexadecimal. */
export function hashOf(secret: string): string {
  const digest = sha256();
  digest.update(encoder.encode(secret));
  return digest.hex();
}

export function serializeKeyRecord(record: KeyRecord): JsonObject {
  return { ...record, scopes: [...record.scopes] };
}

/** @returns `undefined` for what is no such record; it then opens nothing */
export function parseKeyRecord(value: JsonValue | undefined): KeyRecord | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { hash, scopes, created, expires = null, origin = null, revoked = null } = value;
  if (typeof hash !== "string" || typeof created !== "number") return undefined;
  if (!isTimeOrNull(expires) || !isTimeOrNull(revoked)) return undefined;
  if (origin !== null && typeof origin !== "string") return undefined;
  try {
    return { hash, scopes: checkedScopes(scopes), created, expires, origin, revoked };
  } catch {
    // A scope of a later version: to guess what it gives would be worse.
    return undefined;
  }
}

function isTimeOrNull(value: JsonValue): value is Micros | null {
  return value === null || typeof value === "number";
}

/** What there is to know about a key; never the key itself. Times are in microseconds. */
export type KeyInfo = DomainOf<"Key">;

export function useIn({ at, from }: { readonly [name: string]: unknown }): KeyUse | undefined {
  return typeof at === "number" ? { at, from: typeof from === "string" ? from : null } : undefined;
}

export function infoOf(name: string, record: KeyRecord, use: KeyUse | undefined): KeyInfo {
  const { scopes, created, expires, origin, revoked } = record;
  return {
    name,
    scopes,
    created,
    expires,
    origin,
    revoked,
    lastUsed: use?.at ?? null,
    lastUsedFrom: use?.from ?? null,
  };
}
