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
/** Data that are wanted within this time are asked for together, in milliseconds. */
const TOGETHER = 30;

/** Asks once for equal data, and one request at a time: what is wanted meanwhile goes into the next one. */
export class Classifier {
  readonly #ask: AskClasses;
  readonly #changed: () => void;
  /** By the data as JSON; `undefined` while the request runs. */
  readonly #known: Map<string, Classified | undefined> = new Map();
  /** Data for the next request, by the data as JSON. */
  #waiting: Map<string, JsonObject> = new Map();
  /** The next request; `undefined` while no data wait. */
  #next: Promise<void> | undefined;
  /** Resolves when all earlier requests have ended. */
  #ended: Promise<void> = Promise.resolve();

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
    let isMissing = false;
    for (const data of datas) {
      const key = JSON.stringify(data);
      if (this.#known.has(key)) continue;
      this.#known.set(key, undefined);
      this.#waiting.set(key, data);
      isMissing = true;
    }
    if (!isMissing) return;
    if (this.#next === undefined) {
      const others = new Promise((resolve) => setTimeout(resolve, TOGETHER));
      this.#next = Promise.all([this.#ended, others]).then(() => this.#requestWaiting());
      this.#ended = this.#next.catch(() => undefined);
    }
    await this.#next;
  }

  async #requestWaiting(): Promise<void> {
    const all = [...this.#waiting];
    this.#waiting = new Map();
    this.#next = undefined;
    for (let from = 0; from < all.length; from += MAX_PER_REQUEST) {
      const asked = all.slice(from, from + MAX_PER_REQUEST);
      try {
        const found = await this.#ask(asked.map(([, data]) => data));
        for (const [index, [key]] of asked.entries()) this.#known.set(key, found[index]);
      } catch (error) {
        for (const [key] of all.slice(from)) this.#known.delete(key);
        throw error;
      }
    }
  }
}
