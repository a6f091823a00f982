import type { JsonObject } from "../domain/json.js";
import { composed } from "../util/composed.js";
import type { RuleTest } from "./classify.js";
import { type Effort, ownValue } from "./data.js";
import { TextTestRunner } from "./text-test.js";

/** No further rule matches. */
export const NO_RULE = -1;

/** Iterates over the rules that match some data. It keeps its position during pauses. */
export class RuleWalk {
  readonly #rules: readonly RuleTest[];
  readonly #isSliceOver: Effort["isSliceOver"];
  readonly #runner = new TextTestRunner();
  #data: JsonObject | undefined;
  /** The composed strings that rules can search. */
  readonly #texts: string[] = [];
  /** Composed forms of the strings that composition changes. */
  readonly #forms = new Map<unknown, string>();
  #rule = 0;
  /** Number of strings that the current rule has searched. */
  #searched = 0;

  constructor(rules: readonly RuleTest[], isSliceOver: Effort["isSliceOver"]) {
    this.#rules = rules;
    this.#isSliceOver = isSliceOver;
  }

  /** Starts with some data, unless it is already in progress. @returns whether it starts */
  through(data: JsonObject): boolean {
    if (data === this.#data) return false;
    this.#data = data;
    this.#composeStrings(data);
    this.#runner.reset();
    this.skipTo(0);
    return true;
  }

  /** @returns the next matching rule; `NO_RULE` after the last; `undefined` = call again after a pause */
  next(): number | undefined {
    while (this.#rule < this.#rules.length) {
      const isMatch = this.#isMatch(this.#rules[this.#rule] as RuleTest);
      if (isMatch === undefined) return undefined;
      this.skipTo(this.#rule + 1);
      if (isMatch) return this.#rule - 1;
    }
    this.#data = undefined;
    return NO_RULE;
  }

  /** Continues at this rule. */
  skipTo(rule: number): void {
    this.#rule = rule;
    this.#searched = 0;
  }

  #isMatch({ matches, selectKeys }: RuleTest): boolean | undefined {
    if (matches === undefined) return false;
    const keys = selectKeys?.length ? selectKeys : undefined;
    const count = (keys ?? this.#texts).length;
    while (this.#searched < count) {
      const text = keys === undefined ? this.#texts[this.#searched] : this.#valueOf(keys[this.#searched] as string);
      const isMatch = typeof text === "string" && this.#runner.run(matches, text);
      if (isMatch !== false) return isMatch;
      this.#searched++;
      // Many rules over long strings add up.
      if (this.#isSliceOver?.()) return undefined;
    }
    return false;
  }

  #composeStrings(data: JsonObject): void {
    this.#texts.length = 0;
    if (this.#forms.size > 0) this.#forms.clear();
    for (const value of Object.values(data)) {
      if (typeof value !== "string") continue;
      const form = composed(value);
      if (form !== value) this.#forms.set(value, form);
      this.#texts.push(form);
    }
  }

  #valueOf(key: string): unknown {
    const value = ownValue(this.#data as JsonObject, key);
    // Nearly always there are none, and a lookup would hash the string.
    return this.#forms.size === 0 ? value : (this.#forms.get(value) ?? value);
  }
}
