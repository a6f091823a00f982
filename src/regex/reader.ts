import type { RegexFault, RegexFaultValues } from "./faults.js";
import { RegexSyntaxError } from "./syntax-error.js";

/** A cursor over a pattern. Positions are in UTF-16 units. */
export class PatternReader {
  readonly #pattern: string;
  /** Whether to compose characters, for composed texts. */
  readonly isCanonical: boolean;
  at = 0;

  constructor(pattern: string, isCanonical = false) {
    this.#pattern = pattern;
    this.isCanonical = isCanonical;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#pattern.length;
  }

  /** The next UTF-16 unit; empty at the end. */
  get next(): string {
    return this.#pattern.charAt(this.at);
  }

  startsWith(text: string): boolean {
    return this.#pattern.startsWith(text, this.at);
  }

  /** Consumes the string if it comes next. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Consumes the match of a sticky expression. */
  takeMatch(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const match = expression.exec(this.#pattern);
    if (!match) return undefined;
    this.at += match[0].length;
    return match;
  }

  /** Consumes one code point. */
  takeCodePoint(): number {
    const codePoint = this.#pattern.codePointAt(this.at) as number;
    this.at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Skips white space and comments of the `x` flag. */
  skipExtended(): void {
    this.takeMatch(/(?:[ \t\n\r\f\v]|#[^\n]*(?:\n|$))*/y);
  }

  /** @param at position of the mistake */
  fail(name: RegexFault, values: RegexFaultValues, at: number = this.at): never {
    throw new RegexSyntaxError(name, values, at);
  }
}
