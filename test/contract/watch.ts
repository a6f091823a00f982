import { ActivityError } from "../../src/errors.js";
import type { EventRead, Storage } from "../../src/storage/storage.js";
import { type CallName, isAsyncIterable, isCallName, isObject, ruleOf } from "./answers.js";
import { broken, isBroken, show } from "./check.js";
import type { PromiseName } from "./promises.js";

/** A call that has not ended. */
interface Pending {
  readonly name: CallName;
  /** The look before its beginning. */
  readonly look: number;
}

/** The same promise; that it rejects before anybody waits for it does not count as a rejection that nobody handles. */
export function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The promise that says when a code is due. Of the others it is up to the method. */
function promiseOfCode(name: CallName, error: unknown): PromiseName | undefined {
  if (!ActivityError.is(error) || name === "close") return undefined;
  if (error.code === "NO_SUCH_BUCKET") return "noSuchBucket";
  if (error.code === "STORAGE_CLOSED") return "closed";
  return error.code === "INVALID_INPUT" ? "noValidation" : undefined;
}

/** How often the calls under way are looked at within the limit. */
const LOOKS = 4;

/**
 * Watches the calls of a case, so that every failure in them names a promise: a rejection that nobody expects, an
 * answer of another kind, and a call that never ends.
 */
export class Watch {
  readonly #limitMillis: number;
  readonly #stuck: PromiseName | undefined;
  readonly #pending: Set<Pending> = new Set();
  /** What calls failed with, and how: `putEvents rejected`. */
  readonly #failures: Map<unknown, readonly [CallName, string]> = new Map();
  #looks = 0;
  #last: readonly [CallName, unknown] | undefined;

  /**
   * @param limitMillis how long a call may take; it is given up between this and a quarter more
   * @param stuck the promise to name for a call that never ends; absent: that of the method
   */
  constructor(limitMillis: number, stuck?: PromiseName) {
    this.#limitMillis = limitMillis;
    this.#stuck = stuck;
  }

  /** The same storage with every call watched. */
  over(storage: Storage): Storage {
    return this.#view(storage, "");
  }

  /** Makes a call. What it throws at once is thrown, so that a case can tell it from a rejection. */
  call<T>(name: CallName, run: () => Promise<T>): Promise<T> {
    const { promise, result = promise, answer, fits } = ruleOf(name);
    const returned = this.#begun(name, run);
    if (typeof returned?.then !== "function") broken(promise, `${name}: expected a promise, got ${show(returned)}`);
    const entry = { name, look: this.#looks };
    this.#pending.add(entry);
    const watched = returned.then(
      (value) => {
        this.#pending.delete(entry);
        this.#last = [name, value];
        if (!fits(value)) broken(result, `${name}: expected ${answer}, got ${show(value)}`);
        return value;
      },
      (error: unknown) => {
        this.#pending.delete(entry);
        this.#failures.set(error, [name, "rejected"]);
        throw error;
      },
    );
    // A case may wait for something else when this one rejects.
    return awaitedLater(watched);
  }

  /** Waits for work that makes calls. */
  async during(work: () => Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setInterval> | undefined;
    // The timer keeps the process alive, too: when a call hangs and nothing else is left, Node would end it, and some
    // runners take that for success.
    const hanging = new Promise<never>((_, reject) => {
      timer = setInterval(() => this.#look(reject), this.#limitMillis / LOOKS);
    });
    try {
      await Promise.race([work(), hanging]);
    } catch (error) {
      this.#explain(error);
    } finally {
      clearInterval(timer);
    }
  }

  #view<T extends object>(target: T, prefix: string): T {
    return new Proxy(target, {
      get: (_, key) => {
        const value: unknown = Reflect.get(target, key, target);
        const name = prefix + String(key);
        if (name === "settings" && isObject(value)) return this.#view(value, "settings.");
        if (typeof value !== "function") return value;
        const method = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
        if (name === "records") return (...args: unknown[]) => this.#view(method(...args) as object, "records.");
        if (!isCallName(name)) return value;
        if (name === "backup" || name === "changes")
          return (...args: unknown[]) =>
            this.#pulls(
              name,
              this.#begun(name, () => method(...args) as AsyncIterable<unknown>),
            );
        // These may be answered at once.
        if (name === "versions" || name === "rangeVersions")
          return (...args: unknown[]) => this.call(name, async () => method(...args));
        const call = (...args: unknown[]) => this.call(name, () => method(...args) as Promise<unknown>);
        return name === "read" ? (...args: unknown[]) => this.#read(call(...args) as Promise<EventRead>) : call;
      },
    });
  }

  async #read(read: Promise<EventRead>): Promise<EventRead> {
    const { version, batches } = await read;
    return { version, batches: this.#pulls("batches", batches) };
  }

  /** The same items, each pull of which is watched. */
  #pulls<T>(name: CallName, items: AsyncIterable<T>): AsyncIterable<T> {
    if (!isAsyncIterable(items)) {
      broken(ruleOf(name).promise, `${name}: expected an async iterable, got ${show(items)}`);
    }
    return {
      [Symbol.asyncIterator]: () => {
        const iterator = items[Symbol.asyncIterator]();
        const end = iterator.return?.bind(iterator);
        return {
          next: () => this.call(name, () => iterator.next()),
          ...(end && { return: () => this.call(name, () => end()) }),
        };
      },
    };
  }

  #begun<T>(name: CallName, run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.#failures.set(error, [name, "threw"]);
      throw error;
    }
  }

  #look(reject: (error: unknown) => void): void {
    this.#looks++;
    const stuck = [...this.#pending].find(({ look }) => this.#looks - look > LOOKS);
    if (stuck === undefined) return;
    const detail = `${stuck.name} neither resolved nor rejected for ${this.#limitMillis / 1_000} s`;
    try {
      broken(this.#stuck ?? ruleOf(stuck.name).promise, detail);
    } catch (error) {
      reject(error);
    }
  }

  /** Throws what a case failed with, with the promise behind it. */
  #explain(error: unknown): never {
    if (isBroken(error)) throw error;
    const failure = this.#failures.get(error);
    if (failure !== undefined) {
      const [name, how] = failure;
      broken(promiseOfCode(name, error) ?? ruleOf(name).promise, `${name} ${how}: ${show(error)}`, error);
    }
    // What the case itself throws comes from an answer that it cannot work with.
    if (this.#last === undefined) throw error;
    const [name, value] = this.#last;
    const { promise, result = promise } = ruleOf(name);
    broken(result, `no case can work with what ${name} answered, ${show(value)}: ${show(error)}`, error);
  }
}
