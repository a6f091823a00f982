import { ActivityError } from "../errors.js";
import { ForwardingStorage } from "./forwarding.js";
import type { Storage, StorageTraits } from "./storage.js";

/** A storage, a promise of one, or a function that gives either. */
export type StorageSource = Storage | PromiseLike<Storage> | (() => Storage | PromiseLike<Storage>);

/** What a storage is until it is there. */
const UNKNOWN: StorageTraits = {
  adapter: "unopened",
  durability: "nothing",
  snapshotReads: false,
  multiProcess: false,
};

/**
 * A storage of whatever a program has. A function is called once, when the storage is first needed; a call that fails
 * is repeated by the next one that needs it.
 */
export function storageOf(source: StorageSource): Storage {
  return isStorage(source) ? source : new SourcedStorage(source);
}

/** By its shape: adapters may be of another copy of this package. */
function isStorage(value: unknown): value is Storage {
  if (typeof value !== "object" || value === null || !("read" in value) || !("heartbeat" in value)) return false;
  return typeof value.read === "function" && typeof value.heartbeat === "function";
}

/** Whether it is a storage, or may give one. */
export function isStorageSource(value: unknown): value is StorageSource {
  if (typeof value === "function" || isStorage(value)) return true;
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

class SourcedStorage extends ForwardingStorage {
  readonly #source: PromiseLike<Storage> | (() => Storage | PromiseLike<Storage>);
  #storage: Storage | undefined;
  #asking: Promise<Storage> | undefined;

  constructor(source: PromiseLike<Storage> | (() => Storage | PromiseLike<Storage>)) {
    super();
    this.#source = source;
    // Whoever needs the storage is told; until then nobody listens, and that must not end the process.
    if (typeof source !== "function") source.then(undefined, () => undefined);
  }

  changes = (after?: string): ReturnType<NonNullable<Storage["changes"]>> => this.feedOf(after);

  get traits(): StorageTraits {
    return this.#storage?.traits ?? UNKNOWN;
  }

  /** Always a promise, also when it is there: a later call must not overtake one that still waits. */
  protected target(): Promise<Storage> {
    this.#asking ??= this.#ask().catch((thrown: unknown) => {
      this.#asking = undefined;
      throw thrown;
    });
    return this.#asking;
  }

  protected known(): Storage | undefined {
    return this.#storage;
  }

  protected async letGo(): Promise<void> {
    // A promise may bring an open storage; a function that was never called has brought none.
    if (this.#asking === undefined && typeof this.#source === "function") return;
    const closing = this.target().then(
      (storage) => storage.close(),
      () => undefined,
    );
    // One that never comes must not hold up whoever waits for the end; one that comes later is closed then.
    await this.#comesInTime();
    // One that is there may be opened anew once this has resolved, so its end is waited for.
    if (this.#storage !== undefined) await closing;
    else closing.catch(() => undefined);
  }

  /** Resolves when the storage is there or has failed to come, or when it was waited for long enough. */
  async #comesInTime(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, GRACE_MILLIS);
    });
    await Promise.race([this.target().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  async #ask(): Promise<Storage> {
    const storage: unknown = await (typeof this.#source === "function" ? this.#source() : this.#source);
    if (!isStorage(storage)) {
      const given = storage === null ? "null" : typeof storage;
      throw new ActivityError("STORAGE_UNUSABLE", `the option storage gave ${given}; ${EXPECTED}`);
    }
    if (this.logger !== undefined) storage.useLogger?.(this.logger);
    this.#storage = storage;
    return storage;
  }
}

/** How long a storage that is not there yet is waited for at the end, in milliseconds. */
const GRACE_MILLIS = 5000;

const EXPECTED = "a storage is expected, such as memory() or leveldb({ path })";
