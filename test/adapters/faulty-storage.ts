import type { KeyValueStorage } from "../../adapters/unstorage/index.js";

/**
 * How a driver fails at its n-th call of a kind. Writes are `setItem` and `removeItem`; reads are `getItem`.
 *
 * - `refused`: this write is not made; the next one is.
 * - `made`: this write is made, but reported as failed.
 * - `late`: this write is not made and reported as failed, but carried out by `arrive()`.
 * - `torn`: half of the value is there, and it is reported as failed. So a file system does that is full.
 * - `full`: this write and all behind it are not made, until `repair()`.
 * - `unread`: this read fails.
 * - `crash before`, `crash behind`, `crash within`: this write is not made, made, or torn, and no call behind it is.
 */
export type Failure =
  | "refused"
  | "made"
  | "late"
  | "torn"
  | "full"
  | "unread"
  | "crash before"
  | "crash behind"
  | "crash within";

/** A driver over a map, as unstorage shows it, whose n-th call fails. Every call takes a turn of the event loop. */
export class FaultyStorage implements KeyValueStorage {
  readonly items: Map<string, string>;
  #calls = 0;
  #failsAt = Number.POSITIVE_INFINITY;
  #failure: Failure = "refused";
  #isBroken = false;
  #failed = 0;
  #sets = 0;
  #carryOut: () => unknown = () => undefined;

  constructor(items: Iterable<readonly [string, string]> = []) {
    this.items = new Map(items);
  }

  get failed(): number {
    return this.#failed;
  }

  /** Calls of `setItem` so far. */
  get sets(): number {
    return this.#sets;
  }

  failCall(count: number, failure: Failure): void {
    this.#calls = 0;
    this.#failsAt = count;
    this.#failure = failure;
  }

  repair(): void {
    this.#isBroken = false;
    this.#failsAt = Number.POSITIVE_INFINITY;
  }

  /** Carries out the write that is late, if there is one. */
  arrive(): void {
    this.#carryOut();
    this.#carryOut = () => undefined;
  }

  async getItem(key: string): Promise<unknown> {
    await this.#turn(this.#failure === "unread");
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): Promise<void> {
    this.#sets++;
    return this.#write(
      () => this.items.set(key, value),
      () => this.items.set(key, value.slice(0, value.length / 2)),
    );
  }

  removeItem(key: string): Promise<void> {
    return this.#write(
      () => this.items.delete(key),
      () => undefined,
    );
  }

  async getKeys(base: string): Promise<string[]> {
    await this.#turn(false);
    return [...this.items.keys()].filter((key) => key.startsWith(`${base}:`));
  }

  async #write(make: () => unknown, tear: () => unknown): Promise<void> {
    await this.#turn(this.#failure !== "unread", () => {
      if (/made|behind/.test(this.#failure)) make();
      if (this.#failure === "late") this.#carryOut = make;
      if (/torn|within/.test(this.#failure)) tear();
    });
    make();
  }

  /** @param counts whether this call is of the kind that may be the one to fail */
  async #turn(counts: boolean, half: () => void = () => undefined): Promise<void> {
    const isPoint = counts && ++this.#calls === this.#failsAt;
    const wasBroken = this.#isBroken && (this.#failure !== "full" || counts);
    if (isPoint && /full|crash/.test(this.#failure)) this.#isBroken = true;
    await new Promise(setImmediate);
    if (!isPoint && !wasBroken) return;
    this.#failed++;
    if (isPoint) half();
    throw new Error(`injected: the call fails (${this.#failure})`);
  }
}
