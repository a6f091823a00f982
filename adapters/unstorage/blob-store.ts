import { ActivityError, errorCode, storageFull } from "../../src/errors.js";
import { slicesOf } from "../../src/util/slices.js";
import { checksumOf } from "../segments/checksum.js";
import { isFull } from "../segments/failures.js";

/**
 * The methods of an unstorage instance that we use. The results of `createStorage()` and `prefixStorage()` fit, with
 * any driver; the package itself is not imported.
 */
export interface KeyValueStorage {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
  /** All keys that start with the base and a colon. */
  getKeys(base: string): Promise<string[]>;
  /** Returns the driver of a key. */
  getMount?(key: string): { readonly driver: { readonly name?: string } };
  dispose?(): Promise<void>;
}

/** The result of reading a name. */
export type Found =
  | { readonly kind: "missing" }
  | { readonly kind: "body"; readonly body: string }
  /** Its write was cut off by a crash, or is in progress. `body` is the existing part. */
  | { readonly kind: "torn"; readonly body: string }
  | { readonly kind: "damaged"; readonly body: string; readonly reason: string }
  /** A value without our envelope. */
  | { readonly kind: "foreign" };

/** The body of a sound value. */
export function bodyOf(found: Found): string | undefined {
  return found.kind === "body" ? found.body : undefined;
}

/** Checksummed strings by name. A driver error is an ActivityError, `STORAGE_FAILED` or `STORAGE_FULL`. */
export interface BlobStore {
  /** Name of the storage in messages. */
  readonly title: string;
  read(name: string): Promise<Found>;
  write(name: string, body: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Copies a value unchanged, valid or not, with the checksum of its old name. Does nothing if it is gone. */
  copy(from: string, to: string): Promise<void>;
  names(): Promise<string[]>;
}

/**
 * Binds an instance to the keys below a base.
 *
 * A value is `activity LENGTH CHECKSUM BODY`, numbers in base 36. It is not JSON, so no driver and no deserializer
 * changes it. Its length distinguishes a prefix, which a crash may leave, from damage. The checksum covers the name as
 * well, so a value under another name counts as damaged.
 */
export function createBlobStore(storage: KeyValueStorage, base: string): BlobStore {
  const title = `the storage below the key '${base}'`;
  const keyOf = (name: string): string => `${base}:${name}`;

  /** The reason stays in `cause`: it may contain paths or addresses, and messages reach clients. */
  function failure(verb: string, cause: unknown): ActivityError {
    if (isFull(cause)) return storageFull({ cause });
    const code = errorCode(cause);
    const suffix = /^\w+$/.test(code) ? ` (${code})` : "";
    return new ActivityError("STORAGE_FAILED", `the driver failed to ${verb} ${title}${suffix}`, { cause });
  }

  async function attempt<T>(verb: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (cause) {
      throw failure(verb, cause);
    }
  }

  async function get(name: string): Promise<unknown> {
    const value = await attempt("read from", () => storage.getItem(keyOf(name)));
    // File system drivers resolve to most errors instead of rejecting.
    if (value instanceof Error) throw failure("read from", value);
    return value;
  }

  const set = (name: string, value: string): Promise<void> =>
    attempt("write to", () => storage.setItem(keyOf(name), value));

  return {
    title,
    read: async (name) => unwrap(name, await get(name)),
    write: (name, body) => set(name, wrap(name, body)),
    remove: (name) => attempt("remove from", () => storage.removeItem(keyOf(name))),
    async copy(from, to) {
      const value = await get(from);
      if (typeof value === "string") await set(to, value);
    },
    async names() {
      const keys = await attempt("list the keys of", () => storage.getKeys(base));
      return keys.map((key) => key.slice(base.length + 1));
    },
  };
}

const MARK = "activity ";
const HEAD = /^activity ([0-9a-z]+) ([0-9a-z]+) /;

/** Wraps a body in the envelope of a name. */
export function wrap(name: string, body: string): string {
  return `${MARK}${body.length.toString(36)} ${checksumOf(name, body).toString(36)} ${body}`;
}

function unwrap(name: string, value: unknown): Found {
  if (value === null || value === undefined) return { kind: "missing" };
  if (typeof value !== "string") return { kind: "foreign" };
  const [head, length, checksum] = HEAD.exec(value) ?? [];
  if (head === undefined) return isStartOfHead(value) ? { kind: "torn", body: "" } : { kind: "foreign" };
  const body = value.slice(head.length);
  const missing = Number.parseInt(length as string, 36) - body.length;
  // A body has no NUL: file systems write them in place of data that a power cut lost.
  if (missing > 0 || value.includes("\0")) return { kind: "torn", body };
  if (missing < 0) return { kind: "damaged", body, reason: "it is longer than it should be" };
  if (checksumOf(name, body).toString(36) !== checksum)
    return { kind: "damaged", body, reason: "its checksum is wrong" };
  return { kind: "body", body };
}

function isStartOfHead(value: string): boolean {
  return MARK.startsWith(value) || /^activity [0-9a-z]* ?[0-9a-z]*$/.test(value) || /^\0+$/.test(value);
}

/** The error of a value that differs from the written one. */
export function corrupt({ title }: Pick<BlobStore, "title">, name: string, reason: string): ActivityError {
  return new ActivityError("STORAGE_CORRUPT", `${title} is damaged at '${name}': ${reason}; restore a backup`);
}

/** Describes the fault of an invalid value. */
export function reasonOf(found: Found): string {
  if (found.kind === "damaged") return found.reason;
  if (found.kind === "foreign") return "it is not a value of this storage";
  return found.kind === "torn" ? "it is cut off" : "it is missing";
}

const AT_ONCE = 16;

/** Processes many items, a few at a time. */
export async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (const group of slicesOf(items, AT_ONCE)) await Promise.all(group.map(work));
}
