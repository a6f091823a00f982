import { ActivityError } from "../../src/errors.js";

/**
 * What is used of an unstorage instance. Described by its few methods, so that nothing needs importing: what
 * `createStorage()` and `prefixStorage()` return fits, with any driver.
 */
export interface KeyValueStorage {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
  /** All keys that begin with the base and a colon. */
  getKeys(base: string): Promise<string[]>;
  /** Tells which driver serves a key. */
  getMount?(key: string): { readonly driver: { readonly name?: string } };
  dispose?(): Promise<void>;
}

/** What stands at a name. */
export type Found =
  | { readonly kind: "missing" }
  | { readonly kind: "body"; readonly body: string }
  /** A write of it was cut off: by a crash, or by reading in the middle of it. */
  | { readonly kind: "torn" }
  | { readonly kind: "damaged"; readonly reason: string }
  /** Somebody else wrote it. */
  | { readonly kind: "foreign" };

export function bodyOf(found: Found): string | undefined {
  return found.kind === "body" ? found.body : undefined;
}

/** Texts by name. Every failure of the driver is an ActivityError `STORAGE_FAILED`. */
export interface Values {
  /** What to call the storage in messages. */
  readonly title: string;
  read(name: string): Promise<Found>;
  write(name: string, body: string): Promise<void>;
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
}

/**
 * Binds an instance to the keys below a base.
 *
 * A value is `activity LENGTH CHECKSUM BODY`, numbers in base 36. It looks like no JSON, so no driver and no
 * deserializer changes it; a prefix of it, which is what a crash leaves of a file, is told from damage by its length.
 */
export function bindValues(storage: KeyValueStorage, base: string): Values {
  const title = `the storage below the key '${base}'`;
  const keyOf = (name: string): string => `${base}:${name}`;

  function failure(verb: string, cause: unknown): ActivityError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ActivityError("STORAGE_FAILED", `cannot ${verb} ${title}: ${reason}`, { cause });
  }

  async function attempt<T>(verb: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (cause) {
      throw failure(verb, cause);
    }
  }

  return {
    title,
    async read(name) {
      const value = await attempt("read from", () => storage.getItem(keyOf(name)));
      // The drivers for file systems resolve to most errors instead of rejecting with them.
      if (value instanceof Error) throw failure("read from", value);
      return open(value);
    },
    write: (name, body) => attempt("write to", () => storage.setItem(keyOf(name), seal(body))),
    remove: (name) => attempt("remove from", () => storage.removeItem(keyOf(name))),
    async names() {
      const keys = await attempt("list the keys of", () => storage.getKeys(base));
      return keys.map((key) => key.slice(base.length + 1));
    },
  };
}

const MARK = "activity ";
const HEAD = /^activity ([0-9a-z]+) ([0-9a-z]+) /;

/** Puts a body into the envelope in which it is stored. */
export function seal(body: string): string {
  return `${MARK}${body.length.toString(36)} ${checksumOf(body)} ${body}`;
}

/** Reads what a driver gave back. */
function open(value: unknown): Found {
  if (value === null || value === undefined) return { kind: "missing" };
  if (typeof value !== "string") return { kind: "foreign" };
  const [head, length, checksum] = HEAD.exec(value) ?? [];
  if (head === undefined) return isStartOfHead(value) ? { kind: "torn" } : { kind: "foreign" };
  const body = value.slice(head.length);
  const missing = Number.parseInt(length as string, 36) - body.length;
  // A body is JSON, which has no NUL: file systems put them where a power cut has eaten what was written.
  if (missing > 0 || value.includes("\0")) return { kind: "torn" };
  if (missing < 0) return { kind: "damaged", reason: "it is longer than it should be" };
  if (checksumOf(body) !== checksum) return { kind: "damaged", reason: "its checksum is wrong" };
  return { kind: "body", body };
}

function isStartOfHead(value: string): boolean {
  return MARK.startsWith(value) || /^activity [0-9a-z]* ?[0-9a-z]*$/.test(value) || /^\0+$/.test(value);
}

/** FNV-1a over pairs of UTF-16 code units: against damage, not against malice. */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5;
  const paired = text.length - (text.length % 2);
  for (let index = 0; index < paired; index += 2) {
    hash = Math.imul(hash ^ text.charCodeAt(index) ^ (text.charCodeAt(index + 1) << 16), 0x01000193);
  }
  if (paired < text.length) hash = Math.imul(hash ^ text.charCodeAt(paired), 0x01000193);
  return (hash >>> 0).toString(36);
}
