import type { Node } from "./ast.js";
import { searchStepsOf } from "./bound.js";
import { type NativeForm, nativeExpression } from "./native.js";

/** Lengths up to this are rounded up to a multiple of 16, longer ones to a power of two. */
const FINE_LENGTH = 1024;
const FINENESS = 16;
const LONGEST = 2 ** 31;

/** The engine's own matcher for one form of a pattern, and what it may cost. */
export class NativeMatcher {
  readonly #expression: RegExp;
  readonly #searchSteps: (length: number) => number;
  /** Steps by rounded length, where they were asked for. */
  readonly #steps = new Map<number, number>();
  #isBroken = false;

  private constructor(expression: RegExp, searchSteps: (length: number) => number) {
    this.#expression = expression;
    this.#searchSteps = searchSteps;
  }

  /** @returns `undefined` when the form does not fit the pattern */
  static of(root: Node, form: NativeForm): NativeMatcher | undefined {
    const expression = nativeExpression(root, form);
    return expression && new NativeMatcher(expression, searchStepsOf(root, form));
  }

  /** At most so many steps for a text of this length. */
  stepsFor(length: number): number {
    const rounded =
      length <= FINE_LENGTH ? (length + FINENESS) & -FINENESS : 2 ** (32 - Math.clz32(Math.min(length, LONGEST)));
    let steps = this.#steps.get(rounded);
    if (steps === undefined) {
      steps = this.#searchSteps(rounded);
      this.#steps.set(rounded, steps);
    }
    return steps;
  }

  /** Whether the text holds a match; `undefined` when the engine cannot say. */
  test(text: string): boolean | undefined {
    if (this.#isBroken) return undefined;
    try {
      return this.#expression.test(text);
    } catch {
      // V8 compiles at the first test, and may find then that the pattern is too large for it.
      this.#isBroken = true;
      return undefined;
    }
  }
}
