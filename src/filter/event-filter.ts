import type { DataTable, EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { ownCopyOf, TextCache } from "../util/text-cache.js";
import { WeakCache } from "../util/weak-cache.js";
import type { Check, Steps } from "./checks.js";

/** A check, and whether data meet it by failing. */
export interface SignedCheck {
  readonly check: Check;
  readonly not: boolean;
  /** Whether it costs more than to remember what came of it. @default false */
  readonly isCostly?: boolean;
}

/** Characters of texts whose decisions are known at a time. */
const KNOWN_CHARACTERS = 8 * 1024 * 1024;

const NO = 1;
const YES = 2;

/**
 * A filter, ready to run: data meet it when they meet all of its checks. Decides once about equal data. Belongs to one
 * request, since it keeps its place between two pauses.
 */
export class EventFilter {
  readonly #checks: readonly SignedCheck[];
  readonly #isCostly: boolean;
  readonly #byObject: WeakCache<JsonObject, boolean> = new WeakCache();
  readonly #byTable: WeakMap<DataTable, Uint8Array> = new WeakMap();
  readonly #byText: TextCache<{ readonly text: string; readonly meets: boolean }> = new TextCache(KNOWN_CHARACTERS);
  #paused: { readonly data: JsonObject; readonly steps: Steps<boolean> } | undefined;
  /** Data that were made of a text, and are not decided about. */
  #made: { readonly text: string; readonly data: JsonObject } | undefined;

  constructor(checks: readonly SignedCheck[]) {
    this.#checks = checks;
    this.#isCostly = checks.some(({ isCostly }) => isCostly);
  }

  /** Whether all data meet it. */
  get isEmpty(): boolean {
    return this.#checks.length === 0;
  }

  /**
   * Whether data meet the filter.
   *
   * @returns `undefined`: ask again, about the same data, after a pause
   * @throws ActivityError `QUERY_TOO_LARGE` when a pattern takes too long for a text
   */
  test(data: JsonObject): boolean | undefined {
    if (this.isEmpty) return true;
    const known = this.#isCostly ? this.#byObject.get(data) : undefined;
    if (known !== undefined) return known;
    const meets = this.#decide(data);
    if (meets !== undefined && this.#isCostly) this.#byObject.set(data, meets);
    return meets;
  }

  /** The same of a row of a batch: data of tables are made only where their text was not decided about before. */
  testAt(batch: EventBatch, row: number): boolean | undefined {
    const { table } = batch;
    if (this.isEmpty) return true;
    // Each row has an entry of its own, and mostly one that is an object already.
    if (!batch.isKept && table.size >= batch.length) return this.test(batch.dataAt(row));
    let known = this.#byTable.get(table);
    if (known === undefined) {
      known = new Uint8Array(table.size);
      this.#byTable.set(table, known);
    }
    const ref = batch.refAt(row);
    if (known[ref] !== 0) return known[ref] === YES;
    const meets = this.#testText(table.textAt(ref));
    if (meets !== undefined) known[ref] = meets ? YES : NO;
    return meets;
  }

  /** The whole decision, in steps. */
  *decide(data: JsonObject): Steps<boolean> {
    for (;;) {
      const meets = this.test(data);
      if (meets !== undefined) return meets;
      yield;
    }
  }

  #testText(text: string): boolean | undefined {
    const known = this.#isCostly ? this.#byText.get(text) : undefined;
    if (known !== undefined) return known.meets;
    // Parsed anew: a table would keep its values, of which most do not count.
    const data = this.#made?.text === text ? this.#made.data : (JSON.parse(text) as JsonObject);
    const meets = this.#decide(data);
    this.#made = meets === undefined ? { text, data } : undefined;
    if (meets !== undefined && this.#isCostly) this.#byText.add({ text: ownCopyOf(text), meets });
    return meets;
  }

  #decide(data: JsonObject): boolean | undefined {
    const answer = this.#paused?.data === data ? this.#paused.steps : this.#meets(data);
    return typeof answer === "boolean" ? answer : this.#step(data, answer);
  }

  #meets(data: JsonObject): boolean | Steps<boolean> {
    for (const [index, { check, not }] of this.#checks.entries()) {
      const passes = check(data);
      if (typeof passes !== "boolean") return this.#goOn(data, passes, index);
      if (passes === not) return false;
    }
    return true;
  }

  /** The check at an index takes steps, and so may those behind it. */
  *#goOn(data: JsonObject, steps: Steps<boolean>, index: number): Steps<boolean> {
    const passes = yield* steps;
    if (passes === this.#checks[index]?.not) return false;
    for (const { check, not } of this.#checks.slice(index + 1)) {
      const answer = check(data);
      if ((typeof answer === "boolean" ? answer : yield* answer) === not) return false;
    }
    return true;
  }

  #step(data: JsonObject, steps: Steps<boolean>): boolean | undefined {
    this.#paused = { data, steps };
    const step = steps.next();
    if (step.done !== true) return undefined;
    this.#paused = undefined;
    return step.value;
  }
}
