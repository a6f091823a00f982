import { ActivityError } from "../../src/errors.js";
import { type KeySource, keyIdOf } from "./encryption.js";
import { type KeyRing, newRing, parseRing, wrapRing } from "./key-ring.js";
import { entryKey, ROOT_KEY, segmentKey } from "./keys.js";
import { nodeCrypto } from "./node-crypto.js";
import { Opener, Sealer, saltOf } from "./sealer.js";
import type { LogBatch, SegmentName, StoredEntry } from "./store.js";

/** Checks at an opening, before any change, whether the stored values can be read. */
export interface KeyGate {
  /**
   * @param ring the stored wrapped keys; `undefined` if there are none
   * @param place name of the storage, and whether it is new
   * @returns the wrapped keys to store; `undefined` for none
   * @throws ActivityError `STORAGE_UNUSABLE` for a wrong key, for a key to an unencrypted storage, and for an encrypted
   * storage without a key; `STORAGE_CORRUPT`
   */
  pass(
    ring: string | undefined,
    place: { readonly name: string; readonly isNew: boolean },
  ): Promise<string | undefined>;
}

const KEY_OPTIONS = "option encryption, --encryption-key-file FILE or ACTIVITY_SERVER_ENCRYPTION_KEY";

/** The gate without encryption. */
export const PLAIN_GATE: KeyGate = {
  async pass(ring, { name }) {
    if (ring === undefined) return undefined;
    throw unusableError(`${name} is encrypted: pass its key (${KEY_OPTIONS})`);
  },
};

/**
 * Opens stored values. All methods throw Error for values that were changed, or sealed for another place or with
 * another key.
 */
export interface ValueOpener {
  openRoot(sealed: string): string;
  /** @param name under which it is stored */
  openRecord(name: string, sealed: string): readonly [key: string, value: string];
  openEntry(sealed: StoredEntry): StoredEntry;
  openSegment(name: SegmentName, sealed: Uint8Array): Uint8Array;
  openBatch(sealed: LogBatch): LogBatch;
}

/** The opener without encryption. */
export const PLAIN_VALUES: ValueOpener = {
  openRoot: (root) => root,
  openRecord: (key, value) => [key, value],
  openEntry: (entry) => entry,
  openSegment: (_, bytes) => bytes,
  openBatch: (batch) => batch,
};

/** Kind of a log's first batch. */
const SNAPSHOT = "S";
const BATCH = "A";
const SEALED_BATCH = /^\["([SA])","([\w+/=]+)"\]$/;

/**
 * Seals and opens the values of a store, each for its place.
 *
 * Numbers of buckets and segments are not encrypted. The key of a record is replaced by its HMAC and included in the
 * value.
 */
export class Vault implements KeyGate, ValueOpener {
  readonly #source: KeySource;
  #ring: KeyRing | undefined;
  #sealer: Sealer | undefined;
  #opener: Opener = new Opener([]);
  #logSealer: Sealer | undefined;

  constructor(source: KeySource) {
    this.#source = source;
  }

  async pass(ring: string | undefined, place: { readonly name: string; readonly isNew: boolean }): Promise<string> {
    const { name, isNew } = place;
    if (ring === undefined && !isNew) throw unusableError(plainMessage(name));
    const current = await this.#source.current();
    if (ring === undefined) {
      this.#use(newRing());
      return wrapRing(this.#currentRing, current);
    }
    const wrapped = parseRing(ring, name);
    if (wrapped === undefined) throw keysDamaged(name);
    const isCurrent = keyIdOf(current) === wrapped.keyId;
    const key = isCurrent ? current : await this.#source.find(wrapped.keyId);
    if (key === undefined || keyIdOf(key) !== wrapped.keyId) throw unusableError(wrongMessage(name));
    try {
      this.#use(wrapped.unwrap(key));
    } catch {
      throw keysDamaged(name);
    }
    return isCurrent ? ring : wrapRing(this.#currentRing, current);
  }

  #use(ring: KeyRing): void {
    this.#ring = ring;
    this.#opener = new Opener(ring.data);
    this.#sealer = this.#newSealer();
    this.#logSealer = undefined;
  }

  get #currentRing(): KeyRing {
    if (this.#ring === undefined) throw new Error("the keys are not unwrapped yet");
    return this.#ring;
  }

  #newSealer(): Sealer {
    const { data } = this.#currentRing;
    return new Sealer(data.at(-1) as Uint8Array, data.length);
  }

  /** The name under which a record is stored. */
  recordName(key: string): string {
    return nodeCrypto().createHmac("sha256", this.#currentRing.names).update(key).digest("base64url");
  }

  sealRecord(key: string, value: string): string {
    // A key is JSON without line breaks.
    return this.#seal(`r/${this.recordName(key)}`, `${key}\n${value}`);
  }

  openRecord(name: string, sealed: string): readonly [key: string, value: string] {
    const text = this.#open(`r/${name}`, sealed);
    const end = text.indexOf("\n");
    return [text.slice(0, end), text.slice(end + 1)];
  }

  sealRoot(root: string): string {
    return this.#seal(ROOT_KEY, root);
  }

  openRoot(sealed: string): string {
    return this.#open(ROOT_KEY, sealed);
  }

  sealEntry({ text, ...name }: StoredEntry): StoredEntry {
    return { ...name, text: this.#seal(entryKey(name), text) };
  }

  openEntry({ text, ...name }: StoredEntry): StoredEntry {
    return { ...name, text: this.#open(entryKey(name), text) };
  }

  sealSegment(name: SegmentName, bytes: Uint8Array): Uint8Array {
    return this.#currentSealer.seal(segmentKey(name), bytes);
  }

  openSegment(name: SegmentName, sealed: Uint8Array): Uint8Array {
    return this.#opener.open(segmentKey(name), sealed);
  }

  /** Seals the first batch of a log. Later batches are sealed as parts of that log. */
  sealSnapshot(batch: LogBatch): LogBatch {
    this.#logSealer = this.#newSealer();
    return this.#batch(SNAPSHOT, batch);
  }

  sealBatch(batch: LogBatch): LogBatch {
    return this.#batch(BATCH, batch);
  }

  openBatch({ sequence, text }: LogBatch): OpenedBatch {
    // The empty batch of a new storage before the first write.
    if (text === "" && sequence === 0) return { sequence, text, logId: undefined };
    const [, kind = "", base64 = ""] = SEALED_BATCH.exec(text) ?? [];
    const sealed = Buffer.from(base64, "base64");
    return { sequence, text: this.#opener.open(placeOf(kind, sequence), sealed).toString(), logId: saltOf(sealed) };
  }

  #batch(kind: string, { sequence, text }: LogBatch): LogBatch {
    if (this.#logSealer === undefined) throw new Error("no log was begun");
    const sealed = this.#logSealer.seal(placeOf(kind, sequence), Buffer.from(text));
    return { sequence, text: `["${kind}","${sealed.toString("base64")}"]` };
  }

  get #currentSealer(): Sealer {
    if (this.#sealer === undefined) throw new Error("the keys are not unwrapped yet");
    return this.#sealer;
  }

  #seal(place: string, text: string): string {
    return this.#currentSealer.seal(place, Buffer.from(text)).toString("base64");
  }

  #open(place: string, sealed: string): string {
    return this.#opener.open(place, Buffer.from(sealed, "base64")).toString();
  }
}

/** An opened batch, with the ID of its log. */
export interface OpenedBatch extends LogBatch {
  readonly logId: string | undefined;
}

function placeOf(kind: string, sequence: number): string {
  return `l/${kind}/${sequence}`;
}

function unusableError(message: string): ActivityError {
  return new ActivityError("STORAGE_UNUSABLE", message);
}

function plainMessage(name: string): string {
  const way = "omit the key, or encrypt the data with `activity-server encrypt`";
  return `${name} is not encrypted, but a key was passed: ${way} (docs/guides/encryption.md)`;
}

function wrongMessage(name: string): string {
  return `the key does not match ${name}, which is encrypted with another one; nothing was changed`;
}

/** The error of keys that nothing can be read without. */
export function keysDamaged(name: string): ActivityError {
  const message = `${name} is encrypted, but its wrapped keys are damaged or missing, so that it cannot be read`;
  return new ActivityError("STORAGE_CORRUPT", `${message}; restore a copy of them, or a backup`);
}
