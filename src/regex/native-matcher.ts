import type { Node } from "./ast.js";
import { searchStepsOf } from "./bound.js";
import { type NativeForm, nativeExpression } from "./native.js";
import { reachOf } from "./reach.js";
import type { WindowSize } from "./windows.js";

/** Lengths up to this are rounded up to a multiple of 16, longer ones to a power of two. */
const FINE_LENGTH = 1024;
const FINENESS = 16;
const LONGEST = 2 ** 31;

/** Most steps of one window of a long text: a fraction of a millisecond. */
const WINDOW_STEPS = 200_000;
/** One less than a power of two, so that `stepsFor` does not round it to twice as much. */
const LARGEST_WINDOW = 2 ** 16 - 1;
/** Where a window could only be smaller, an automaton is faster. */
const SMALLEST_WINDOW = 2 ** 10 - 1;

/** The engine's own matcher for one form of a pattern, and what it may cost. */
export class NativeMatcher {
  readonly #root: Node;
  readonly #expression: RegExp;
  /** The same, able to begin in the middle of a text; made when a long text is searched. */
  #fromPlace: RegExp | undefined;
  /** `null` while nobody has asked. */
  #windowSize: WindowSize | undefined | null = null;
  readonly #searchSteps: (length: number) => number;
  /** Steps by rounded length, where they were asked for. */
  readonly #steps = new Map<number, number>();
  #isBroken = false;

  private constructor(root: Node, expression: RegExp, searchSteps: (length: number) => number) {
    this.#root = root;
    this.#expression = expression;
    this.#searchSteps = searchSteps;
  }

  /** @returns `undefined` when the form does not fit the pattern */
  static of(root: Node, form: NativeForm): NativeMatcher | undefined {
    const expression = nativeExpression(root, form);
    return expression && new NativeMatcher(root, expression, searchStepsOf(root, form));
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

  /** How to cut a long text; `undefined` when a match may be longer than a window, or a window would take too long. */
  get windowSize(): WindowSize | undefined {
    if (this.#windowSize === null) this.#windowSize = this.#findWindowSize();
    return this.#windowSize;
  }

  #findWindowSize(): WindowSize | undefined {
    const reach = reachOf(this.#root);
    for (let units = LARGEST_WINDOW; units >= SMALLEST_WINDOW && units >= 2 * reach; units >>= 1) {
      if (this.stepsFor(units) <= WINDOW_STEPS) return { starts: units - reach, reach };
    }
    return undefined;
  }

  /** Where the first match begins that does not begin before `from`; -1 = nowhere, `undefined` as for `test`. */
  placeIn(text: string, from: number): number | undefined {
    if (this.#isBroken) return undefined;
    try {
      this.#fromPlace ??= new RegExp(this.#expression.source, `${this.#expression.flags}g`);
      this.#fromPlace.lastIndex = from;
      return this.#fromPlace.exec(text)?.index ?? -1;
    } catch {
      this.#isBroken = true;
      return undefined;
    }
  }
}
