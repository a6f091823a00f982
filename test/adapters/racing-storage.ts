import type { KeyValueStorage } from "../../adapters/unstorage/index.js";
import { intOf } from "../contract/case.js";

/**
 * One set of keys that several processes use at once. Which of the calls under way is carried out next is drawn, and a
 * value is written in two steps, as a file is: between them others see its first half.
 */
export class SharedKeys {
  readonly items: Map<string, string> = new Map();
  readonly #random: () => number;
  readonly #underWay: { readonly process: Process; readonly step: () => void }[] = [];
  /** Carried out only when there is nothing else: a process that was put to sleep in the middle of something. */
  #asleep: Process | undefined;
  #isRunning = false;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** What a process of its own has in its hands. */
  newProcess(): Process {
    return new Process(this);
  }

  schedule(process: Process, step: () => void): void {
    this.#underWay.push({ process, step });
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#underWay.length > 0) {
      const awake = this.#underWay.filter(({ process }) => process !== this.#asleep);
      const candidates = awake.length > 0 ? awake : this.#underWay;
      const chosen = candidates[intOf(this.#random, 0, candidates.length - 1)] as (typeof candidates)[0];
      this.#underWay.splice(this.#underWay.indexOf(chosen), 1);
      // What a dead process had sent off may still arrive.
      if (!chosen.process.isDead || this.#random() < 0.5) chosen.step();
      if (this.#random() < 0.05) this.#asleep = this.#random() < 0.6 ? chosen.process : undefined;
      // Whoever got an answer may go on before the next call is chosen; not always all of them.
      if (this.#random() < 0.7) await new Promise(setImmediate);
    }
    this.#isRunning = false;
  }
}

/** Calls of one process. */
export class Process implements KeyValueStorage {
  readonly #keys: SharedKeys;
  /** From here on it begins nothing, and what it began is carried out later or never. */
  isDead = false;

  constructor(keys: SharedKeys) {
    this.#keys = keys;
  }

  getItem(key: string): Promise<unknown> {
    return this.#later(() => this.#keys.items.get(key) ?? null);
  }

  async setItem(key: string, value: string): Promise<void> {
    await this.#later(() => this.#keys.items.set(key, value.slice(0, value.length / 2)));
    await this.#later(() => this.#keys.items.set(key, value));
  }

  async removeItem(key: string): Promise<void> {
    await this.#later(() => this.#keys.items.delete(key));
  }

  getKeys(base: string): Promise<string[]> {
    return this.#later(() => [...this.#keys.items.keys()].filter((key) => key.startsWith(`${base}:`)));
  }

  #later<T>(make: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (this.isDead) return;
      this.#keys.schedule(this, () => {
        const answer = make();
        // The answer is under way for a while, too.
        this.#keys.schedule(this, () => resolve(answer));
      });
    });
  }
}
