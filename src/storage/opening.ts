import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import type { CacheMemory } from "../util/memory-budget.js";
import type { Storage } from "./storage.js";
import { joinStorage, leaveStorage } from "./users.js";

/** What the first server of a storage has passed to it before the opening. */
export interface ServerParts {
  readonly logger?: Logger | undefined;
  readonly memory?: CacheMemory | undefined;
}

/** Opens a storage, or a promise of one. */
export type OpenStorage = PromiseLike<Storage> | ((given: ServerParts) => Storage | PromiseLike<Storage>);

/** How several storages of this process share one opened storage. */
export interface Sharing {
  /** The name of the opened storage. Called at the first use. */
  readonly key: () => string;
  /** Options that must be equal for all of them. */
  readonly options: string;
  /** The error for options that the open storage does not have. */
  readonly refusal: () => ActivityError;
}

/** The opening of a storage, for one lazy storage or for several that share it. */
export class Opening {
  /** Set once the storage is open. */
  storage: Storage | undefined;
  users = 1;
  /** Whether the last attempt has failed and none is in progress. */
  hasFailed = false;
  /** Whether an opening with other options has replaced it after a failure. */
  isReplaced = false;
  /** Set from the last `leave()`. */
  closing: Promise<void> | undefined;
  /** Called when it is closed, or when closing has failed. */
  onClosed: (() => void) | undefined;
  readonly #open: OpenStorage;
  readonly #graceMillis: number | undefined;
  readonly #after: Promise<void> | undefined;
  #given: ServerParts;
  #attempt: Promise<Storage> | undefined;

  /** @param after awaited before each attempt; its failure is ignored */
  constructor(
    open: OpenStorage,
    graceMillis: number | undefined,
    given: ServerParts,
    after: Promise<void> | undefined,
  ) {
    this.#open = open;
    this.#graceMillis = graceMillis;
    this.#given = given;
    this.#after = after;
  }

  /** Returns the open storage, by the attempt in progress or a new one. */
  opened(): Promise<Storage> {
    if (this.#attempt !== undefined) return this.#attempt;
    this.hasFailed = false;
    const attempt = this.#try();
    this.#attempt = attempt;
    // The first reaction: no call can overtake those that wait for the attempt.
    attempt.then(
      (storage) => {
        this.storage = storage;
        joinStorage(storage);
      },
      () => {
        this.#attempt = undefined;
        this.hasFailed = true;
      },
    );
    return attempt;
  }

  useLogger(logger: Logger): void {
    this.#given = { ...this.#given, logger };
    this.storage?.useLogger?.(logger);
  }

  useMemory(memory: CacheMemory): void {
    this.#given = { ...this.#given, memory };
    this.storage?.useMemory?.(memory);
  }

  /** Closes the storage once its last user has left. */
  async leave(): Promise<void> {
    if (this.isReplaced || --this.users > 0) return;
    await this.close();
  }

  close(): Promise<void> {
    this.closing ??= this.#close().finally(this.onClosed);
    return this.closing;
  }

  /**
   * Closes the storage for all of its users, then deletes its data. Openings that come in the meantime wait.
   *
   * @throws the error of `erase`; it may be called again
   */
  async destroy(erase: () => Promise<void>): Promise<void> {
    let failure: { readonly thrown: unknown } | undefined;
    this.closing = (this.closing ?? this.#close())
      .then(erase)
      .catch((thrown: unknown) => {
        failure = { thrown };
      })
      .finally(this.onClosed);
    await this.closing;
    if (failure !== undefined) throw failure.thrown;
  }

  async #close(): Promise<void> {
    const attempt = this.#attempt;
    if (attempt === undefined) return;
    const closing = attempt.then(
      (storage) => (leaveStorage(storage) ? undefined : storage.close()),
      () => undefined,
    );
    if (this.storage === undefined && this.#graceMillis !== undefined) {
      await settledWithin(attempt, this.#graceMillis);
      // A storage that opens after that is closed then.
      if (this.storage === undefined) return void closing.catch(() => undefined);
    }
    // The next opening may start once this has resolved.
    await closing;
  }

  async #try(): Promise<Storage> {
    if (this.#after !== undefined) await this.#after.catch(() => undefined);
    const open = this.#open;
    const storage: unknown = await (typeof open === "function" ? open(this.#given) : open);
    if (!isStorage(storage)) {
      const given = storage === null ? "null" : typeof storage;
      throw new ActivityError("STORAGE_UNUSABLE", `storage must resolve to a storage, got ${given}; ${EXPECTED}`);
    }
    const { logger, memory } = this.#given;
    if (logger !== undefined) storage.useLogger?.(logger);
    if (memory !== undefined) storage.useMemory?.(memory);
    return storage;
  }
}

const EXPECTED = "use a storage such as memory() or leveldb({ path })";

/** Resolves when a promise has settled, or after a maximum time in milliseconds. */
async function settledWithin(promise: Promise<unknown>, millis: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, millis);
  });
  await Promise.race([promise.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** An opening that several storages share. */
interface Shared {
  readonly opening: Opening;
  readonly options: string;
}

/** By key. On the global object, since frameworks load modules twice. */
const KEY = Symbol.for("activity-server.openings");
const registry = globalThis as { [KEY]?: Map<string, Shared> };
registry[KEY] ??= new Map();
const openings: Map<string, Shared> = registry[KEY];

/** Joins an opening or starts one. @throws ActivityError for options that the open storage does not have */
export function takeShared(
  { key: keyOf, options, refusal }: Sharing,
  make: (after?: Promise<void>) => Opening,
): Opening {
  const key = keyOf();
  const known = openings.get(key);
  if (known !== undefined && known.opening.closing === undefined) {
    if (known.options === options) {
      known.opening.users++;
      return known.opening;
    }
    if (!known.opening.hasFailed) throw refusal();
    known.opening.isReplaced = true;
    known.opening.close();
  }
  const opening = make(known?.opening.closing);
  const shared = { opening, options };
  openings.set(key, shared);
  opening.onClosed = () => {
    if (openings.get(key) === shared) openings.delete(key);
  };
  return opening;
}

/** Whether a value looks like a storage: adapters may come from another copy of this package. */
export function isStorage(value: unknown): value is Storage {
  if (typeof value !== "object" || value === null || !("read" in value) || !("heartbeat" in value)) return false;
  return typeof value.read === "function" && typeof value.heartbeat === "function";
}
