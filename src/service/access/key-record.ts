import type { DomainOf } from "../../api/codec.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import type { KeyScope } from "../../domain/key-scope.js";
import type { Micros } from "../../domain/time.js";
import { fieldUnfit, mustBe, quote } from "../../errors.js";
import { randomSecret, SECRET_LENGTH } from "../../util/random-secret.js";
import { sha256 } from "../../util/sha256.js";
import { parseScopes } from "./grants.js";

/** The properties of a new key. */
export interface KeyDraft {
  /** 1 to 64 letters, digits, spaces and `.`, `_`, `-`; unique among the keys that are not revoked. */
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** Microseconds; `null` = never. */
  readonly expires: Micros | null;
  /** The only web origin that may use it; `null` = any. */
  readonly origin: string | null;
}

/** A stored key, without the key itself. */
export interface KeyRecord extends Omit<KeyDraft, "name"> {
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string;
  readonly created: Micros;
  /** When it was revoked; `null` = it is active. */
  readonly revoked: Micros | null;
}

/** When a key was last used, and from which address, if known. */
export interface KeyUse {
  readonly at: Micros;
  readonly from: string | null;
}

/** Excludes path segments that URLs leave out: a key named `..` could not be revoked over HTTP. */
const NAME = /^[a-z0-9](?:[\w .-]{0,62}[\w.-])?$/i;
const OLD_NAME = /^[\w.-]{1,64}$/;
/** Values that browsers send as Origin. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\s?#@]{1,200}$/i;
/** People and secret scanners recognize keys by this prefix. */
const PREFIX = "as_";
const HEADER = new RegExp(`^Bearer (${PREFIX}[\\w-]{${SECRET_LENGTH}})$`);

/** @throws ActivityError `INVALID_INPUT` with the field */
export function checkKeyDraft(draft: KeyDraft, now: Micros): KeyDraft {
  const { expires, origin } = draft;
  if (expires !== null && expires <= now) {
    throw fieldUnfit("expires", "must be a future time or null, got one in the past");
  }
  if (origin !== null && !ORIGIN.test(origin)) {
    throw mustBe("origin", "an origin such as https://example.org, without a path", origin);
  }
  return { name: checkKeyName(draft.name), scopes: parseScopes(draft.scopes), expires, origin };
}

/** @throws ActivityError `INVALID_INPUT` */
export function checkKeyName(name: string): string {
  if (NAME.test(name)) return name;
  throw mustBe("name", "1 to 64 letters, digits, inner spaces, '.', '_' or '-', starting with a letter or digit", name);
}

/**
 * Checks the name of an existing key: old names may start with any allowed character. @throws ActivityError
 * `INVALID_INPUT`
 */
export function checkExistingName(name: string): string {
  return OLD_NAME.test(name) ? name : checkKeyName(name);
}

/** @returns the error for a name in use */
export function nameTaken(name: string): Error {
  return fieldUnfit("name", `${quote(name)} is the name of another key; revoke that key first, or choose another name`);
}

/** An unguessable key. */
export function createSecret(): string {
  return PREFIX + randomSecret();
}

/** @returns the key in an `Authorization` header; `undefined` if it does not have the format of a key */
export function parseSecret(authorization: string): string | undefined {
  return HEADER.exec(authorization)?.[1];
}

const encoder: TextEncoder = new TextEncoder();

/** The stored hash of a secret; plain SHA-256 in hexadecimal is enough for that many random bits. */
export function hashSecret(secret: string): string {
  const digest = sha256();
  digest.update(encoder.encode(secret));
  return digest.hex();
}

export function serializeKeyRecord(record: KeyRecord): JsonObject {
  return { ...record, scopes: [...record.scopes] };
}

/** @returns `undefined` for an invalid record, which grants nothing */
export function parseKeyRecord(value: JsonValue | undefined): KeyRecord | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { hash, scopes, created, expires = null, origin = null, revoked = null } = value;
  if (typeof hash !== "string" || typeof created !== "number") return undefined;
  if (!isTimeOrNull(expires) || !isTimeOrNull(revoked)) return undefined;
  if (origin !== null && typeof origin !== "string") return undefined;
  try {
    return { hash, scopes: parseScopes(scopes), created, expires, origin, revoked };
  } catch {
    // A scope of a later version; guessing its rights would be unsafe.
    return undefined;
  }
}

function isTimeOrNull(value: JsonValue): value is Micros | null {
  return value === null || typeof value === "number";
}

/** Information about a key, without the key itself. Times are in microseconds. */
export type KeyInfo = DomainOf<"Key">;

export function parseKeyUse({ at, from }: { readonly [name: string]: unknown }): KeyUse | undefined {
  return typeof at === "number" ? { at, from: typeof from === "string" ? from : null } : undefined;
}

export function toKeyInfo(name: string, record: KeyRecord, use: KeyUse | undefined): KeyInfo {
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
