import type { EventRead, Storage } from "../../src/storage/storage.js";
import type { TransactionPlan } from "../../src/storage/transaction.js";
import { words } from "../words.js";

/** Methods that answer at once: nothing can come between. */
const AT_ONCE: ReadonlySet<string> = new Set(words`health useLogger useMemory versions changes close ready`);

/** Does something before the n-th call of a storage, pulls of reads included: what was read before is old then. */
export class Interposed {
  readonly storage: Storage;
  #left = 0;
  #action: (() => Promise<unknown>) | undefined;
  /** Plans of transactions that are made: others wait for these, and nothing can come between. */
  #plans = 0;

  constructor(storage: Storage) {
    this.storage = this.#wrap(storage);
  }

  /** Does something before the n-th call from now on; 1 is the next one. Calls of the action itself do not count. */
  before(nth: number, action: () => Promise<unknown>): void {
    this.#left = nth;
    this.#action = action;
  }

  /** Ends the waiting. @returns whether the call has come */
  end(): boolean {
    const hasCome = this.#action === undefined;
    this.#action = undefined;
    return hasCome;
  }

  async #pass(): Promise<void> {
    if (this.#action === undefined || this.#plans > 0 || --this.#left > 0) return;
    const action = this.#action;
    this.#action = undefined;
    await action();
  }

  #wrap<Target extends object>(target: Target): Target {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name === "settings") return this.#wrap(value as object);
        if (typeof value !== "function") return value;
        if (name === "records") return (kind: string) => this.#wrap(value.call(target, kind) as object);
        if (AT_ONCE.has(String(name))) return value.bind(target);
        if (name === "backup") return () => this.#pulls(value.call(target) as AsyncIterable<unknown>);
        return async (...args: unknown[]) => {
          await this.#pass();
          const given = name === "transact" ? [args[0], this.#planned(args[1] as TransactionPlan)] : args;
          const result: unknown = await value.apply(target, given);
          return name === "read" ? this.#read(result as EventRead) : result;
        };
      },
    });
  }

  #planned(plan: TransactionPlan): TransactionPlan {
    return async (view) => {
      this.#plans++;
      try {
        return await plan(view);
      } finally {
        this.#plans--;
      }
    };
  }

  #read({ version, batches }: EventRead): EventRead {
    return { version, batches: this.#pulls(batches) };
  }

  async *#pulls<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        await this.#pass();
        const next = await iterator.next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}

/** Does some work, and an action before one of its calls of a storage, or behind the last one. */
export type Meanwhile = <Result>(
  work: () => Promise<Result>,
  action: () => Promise<unknown>,
) => Promise<{ readonly result: Result; readonly isBehind: boolean }>;

/** Plays something with an action before each call of a storage in turn. */
export async function atEachCall(interposed: Interposed, play: (meanwhile: Meanwhile) => Promise<void>): Promise<void> {
  let isBehind = false;
  for (let nth = 1; !isBehind; nth++) {
    await play(async (work, action) => {
      // The work does not wait for every call that it makes, such as one that refreshes a cache.
      let acting: Promise<unknown> | undefined;
      interposed.before(nth, () => {
        acting = action();
        return acting;
      });
      const result = await work();
      isBehind = !interposed.end();
      await (acting ?? action());
      return { result, isBehind };
    }).catch((cause: Error) => {
      throw new Error(`before call ${nth}: ${cause.message}`, { cause });
    });
  }
}
