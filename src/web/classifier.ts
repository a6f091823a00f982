// Categories of data by the server's rules, since regular expressions of browsers differ.
import type { JsonObject } from "../domain/json.js";

/** Where data belong. */
export interface Classified {
  readonly category: readonly string[];
  /** Whether the data meet the filter. */
  readonly matches: boolean;
}

/** Requests the classes of data, in order. */
export type AskClasses = (data: readonly JsonObject[]) => Promise<readonly Classified[]>;

const MAX_PER_REQUEST = 500;

/** Asks once for equal data. */
export class Classifier {
  readonly #ask: AskClasses;
  readonly #changed: () => void;
  /** By the data as JSON; `undefined` while the request runs. */
  readonly #known: Map<string, Classified | undefined> = new Map();

  /** @param changed called when data that `of` lacked are known */
  constructor(ask: AskClasses, changed: () => void) {
    this.#ask = ask;
    this.#changed = changed;
  }

  /** The class of data; `undefined` until the server has responded. */
  of(data: JsonObject): Classified | undefined {
    const key = JSON.stringify(data);
    if (!this.#known.has(key)) void this.load([data]).then(this.#changed, () => undefined);
    return this.#known.get(key);
  }

  /** Requests what is unknown. */
  async load(datas: readonly JsonObject[]): Promise<void> {
    const missing = new Map<string, JsonObject>();
    for (const data of datas) {
      const key = JSON.stringify(data);
      if (!this.#known.has(key)) missing.set(key, data);
    }
    const all = [...missing];
    for (let from = 0; from < all.length; from += MAX_PER_REQUEST) {
      await this.#request(all.slice(from, from + MAX_PER_REQUEST));
    }
  }

  async #request(asked: readonly (readonly [key: string, data: JsonObject])[]): Promise<void> {
    for (const [key] of asked) this.#known.set(key, undefined);
    try {
      const found = await this.#ask(asked.map(([, data]) => data));
      for (const [index, [key]] of asked.entries()) this.#known.set(key, found[index]);
    } catch (error) {
      for (const [key] of asked) this.#known.delete(key);
      throw error;
    }
  }
}
