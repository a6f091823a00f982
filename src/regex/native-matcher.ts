import type { Node } from "./ast.js";
import { boundSearchSteps } from "./bound.js";
import { type NativeForm, nativeExpression } from "./native.js";
import { reachOf } from "./reach.js";
import type { WindowSize } from "./windows.js";

/** Shorter lengths are rounded up to a multiple of 16, longer ones to a power of two. */
const FINE_LENGTH = 1024;
const FINENESS = 16;
const LONGEST = 2 ** 31;

/** Maximum steps of one window of a long text: a fraction of a millisecond. */
const WINDOW_STEPS = 200_000;
/** One less than a power of two, so that `stepsFor` does not double it. */
const LARGEST_WINDOW = 2 ** 16 - 1;
/** If a window would have to be smaller, an automaton is faster. */
const SMALLEST_WINDOW = 2 ** 10 - 1;

/** The engine's own matcher for one form of a pattern, with its cost. */
export class NativeMatcher {
  readonly #root: Node;
  readonly #expression: RegExp;
  /** The same expression for searches that start in the middle of a text. Created for the first long text. */
  #fromPlace: RegExp | undefined;
  /** `null` until it is first requested. */
  #windowSize: WindowSize | undefined | null = null;
  readonly #searchSteps: (length: number) => number;
  /** Steps by rounded length, computed lazily. */
  readonly #steps = new Map<number, number>();
  #isBroken = false;

  private constructor(root: Node, expression: RegExp, searchSteps: (length: number) => number) {
    this.#root = root;
    this.#expression = expression;
    this.#searchSteps = searchSteps;
  }

  /** @returns `undefined` if the pattern does not fit the form */
  static of(root: Node, form: NativeForm): NativeMatcher | undefined {
    const expression = nativeExpression(root, form);
    return expression && new NativeMatcher(root, expression, boundSearchSteps(root, form));
  }

  /** Maximum steps for a text of this length. */
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

  /** Whether the text contains a match; `undefined` if the engine cannot tell. */
  test(text: string): boolean | undefined {
    if (this.#isBroken) return undefined;
    try {
      return this.#expression.test(text);
    } catch {
      // V8 compiles at the first test, and may reject the pattern as too large only then.
      this.#isBroken = true;
      return undefined;
    }
  }

  /**
   * Window size for long texts; `undefined` if a match may be longer than a window, or a window would take too long.
   */
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

  /** Start of the first match at or after `from`; -1 = none, `undefined` as for `test`. */
  findMatch(text: string, from: number): number | undefined {
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
