import type { JsonValue } from "../../src/domain/json.js";
import { rootRecord } from "./names.js";
import { printRoot, type Root } from "./root.js";
import { Slots } from "./slots.js";
import type { Values } from "./values.js";

/** The working copy of the root. */
export interface RootWork {
  device: string | undefined;
  readonly buckets: Map<number, string>;
  readonly settings: Map<string, JsonValue>;
  isChanged: boolean;
}

/** Writes the root. Every version of it is whole, so one that did not land is simply overridden by the next. */
export class RootFile {
  readonly #values: Values;
  readonly #slots: Slots;
  #root: Root;
  #version = 0;
  #isInDoubt = false;

  /** @param root of the term before, or one without anything */
  constructor(values: Values, term: string, root: Root) {
    this.#values = values;
    this.#slots = new Slots(rootRecord(term));
    this.#root = { ...root, version: 0 };
  }

  /** What was stored last. */
  get root(): Root {
    return this.#root;
  }

  /** Whether what was refused might be found after a crash. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /** Writes the first versions of a term. */
  async confirm(verify: () => Promise<void>): Promise<void> {
    for (const confirmed of [false, true]) await this.#write({ ...this.#root, confirmed }, verify);
  }

  begin(): RootWork {
    const { device, buckets, settings } = this.#root;
    return { device, buckets: new Map(buckets), settings: new Map(settings), isChanged: this.#isInDoubt };
  }

  /** @param verify asked behind the write: from then on it counts */
  async store(
    { device, buckets, settings, isChanged }: RootWork,
    { nextId, nextBucket }: Pick<Root, "nextId" | "nextBucket">,
    verify: () => Promise<void>,
  ): Promise<void> {
    if (!isChanged) return verify();
    await this.#write({ ...this.#root, device, nextId, nextBucket, buckets, settings }, verify);
  }

  async #write(facts: Omit<Root, "version">, verify: () => Promise<void>): Promise<void> {
    const root = { ...facts, version: ++this.#version };
    try {
      await this.#values.write(this.#slots.next, printRoot(root));
      await verify();
    } catch (thrown) {
      this.#slots.failed();
      this.#isInDoubt = true;
      throw thrown;
    }
    this.#slots.landed();
    this.#isInDoubt = false;
    this.#root = root;
  }
}
