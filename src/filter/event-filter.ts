import type { DataTable, EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { ownCopyOf, TextCache } from "../util/text-cache.js";
import { WeakCache } from "../util/weak-cache.js";
import type { Check, Steps } from "./checks.js";

/** A check, and whether to negate its result. */
export interface SignedCheck {
  readonly check: Check;
  readonly not: boolean;
  /** Whether the check costs more than caching its result. @default false */
  readonly isCostly?: boolean;
}

/** Maximum number of characters in cached texts. */
const MAX_CACHED_CHARACTERS = 8 * 1024 * 1024;

const NO = 1;
const YES = 2;

/**
 * A compiled filter: data pass if they meet all checks. Caches results of equal data. Use one per request, since it
 * keeps its position during pauses.
 */
export class EventFilter {
  readonly #checks: readonly SignedCheck[];
  readonly #isCostly: boolean;
  readonly #byObject: WeakCache<JsonObject, boolean> = new WeakCache();
  readonly #byTable: WeakMap<DataTable, Uint8Array> = new WeakMap();
  readonly #byText: TextCache<{ readonly text: string; readonly meets: boolean }> = new TextCache(
    MAX_CACHED_CHARACTERS,
  );
  #paused: { readonly data: JsonObject; readonly steps: Steps<boolean> } | undefined;
  /** Parsed data without a result yet, and their text. */
  #pending: { readonly text: string; readonly data: JsonObject } | undefined;

  constructor(checks: readonly SignedCheck[]) {
    this.#checks = checks;
    this.#isCostly = checks.some(({ isCostly }) => isCostly);
  }

  /** Whether the filter passes all data. */
  get isEmpty(): boolean {
    return this.#checks.length === 0;
  }

  /**
   * Whether data pass the filter.
   *
   * @returns `undefined` = call again with the same data after a pause
   * @throws ActivityError `QUERY_TOO_LARGE` when a pattern takes too long for a string
   */
  test(data: JsonObject): boolean | undefined {
    if (this.isEmpty) return true;
    const known = this.#isCostly ? this.#byObject.get(data) : undefined;
    if (known !== undefined) return known;
    const meets = this.#decide(data);
    if (meets !== undefined && this.#isCostly) this.#byObject.set(data, meets);
    return meets;
  }

  /** Whether a row of a batch passes the filter. Parses data of tables only if their text has no cached result. */
  testAt(batch: EventBatch, row: number): boolean | undefined {
    const { table } = batch;
    if (this.isEmpty) return true;
    // Each row has a separate entry, which mostly is an object already.
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

  /** Tests data in steps. */
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
    // Parsed here, since the table would retain its values, most of which the filter rejects.
    const data = this.#pending?.text === text ? this.#pending.data : (JSON.parse(text) as JsonObject);
    const meets = this.#decide(data);
    this.#pending = meets === undefined ? { text, data } : undefined;
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
      if (typeof passes !== "boolean") return this.#continueChecks(data, passes, index);
      if (passes === not) return false;
    }
    return true;
  }

  /** Continues a slow check at an index, then runs the remaining checks. */
  *#continueChecks(data: JsonObject, steps: Steps<boolean>, index: number): Steps<boolean> {
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
