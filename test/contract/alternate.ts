import type { Storage } from "../../src/storage/storage.js";

/** Methods that go to both storages. */
const SHARED: ReadonlySet<string> = new Set(["ready", "close"]);

/**
 * Two storages on one data set as one: calls go to the one and to the other in turn. Calls that are made while another
 * one is under way stay with its storage, since only there the order of the calls has a meaning.
 */
export function alternating(first: Storage, second: Storage): Storage {
  const sides = [first, second] as const;
  let turn = 0;
  let calls = 0;
  let inFlight = 0;

  function side(): Storage {
    // Every fifth call stays, or each call of a loop would always go to the same side.
    if (inFlight === 0 && ++calls % 5 !== 0) turn = 1 - turn;
    return sides[turn] as Storage;
  }

  function counted(value: unknown): unknown {
    if (!(value instanceof Promise)) return value;
    inFlight++;
    return value.finally(() => {
      inFlight--;
    });
  }

  /** An object whose methods are those of the object that `of` finds in a storage. */
  function view<T extends object>(of: (storage: Storage) => T): T {
    return new Proxy(of(first), {
      get(_, key) {
        const value: unknown = Reflect.get(of(first), key);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          const target = of(side());
          const method: unknown = Reflect.get(target, key);
          return typeof method === "function" ? counted(Reflect.apply(method, target, args)) : undefined;
        };
      },
    });
  }

  const storage = view((each) => each);
  const settings = view((each) => each.settings);
  return new Proxy(storage, {
    get(target, key) {
      if (key === "settings") return settings;
      if (key === "records") return (kind: string) => view((each) => each.records(kind));
      if (typeof key !== "string" || !SHARED.has(key)) return Reflect.get(target, key);
      return async () => {
        for (const each of sides) await (key === "close" ? each.close() : each.ready());
      };
    },
  });
}
