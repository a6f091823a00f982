import type { Meter } from "./meter.js";
import type { NativeMatcher } from "./native-matcher.js";
import type { Search } from "./search.js";

const ASCII_ONLY = /^[\0-\x7f]*$/;

/** Whether the engine's matcher for ASCII texts is right for this one. */
export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}

/** What the engine is to search a long text for. */
export interface WindowOptions {
  /** Only for parts of a text that are ASCII. */
  readonly isForAscii?: boolean;
  /** What it does not find is not there; what it finds may be. */
  readonly isLoose?: boolean;
}

/** What is needed of the engine's matcher. */
export type WindowMatcher = Pick<NativeMatcher, "windowSize" | "stepsFor" | "placeIn">;

/**
 * Searches a text by the engine in windows, each small enough not to be noticed, with pauses in between.
 *
 *     text     ------------------------------------------
 *     window 1 [ starts here   | reach ]
 *     window 2                 [ starts here   | reach ]
 *
 * @param otherwise goes on with the whole text where the engine cannot tell
 */
export function inWindows(
  matcher: WindowMatcher | undefined,
  text: string,
  otherwise: () => Search,
  options: WindowOptions = {},
): Search {
  const size = matcher?.windowSize;
  if (matcher === undefined || size === undefined) return otherwise();
  return new WindowSearch(matcher, size, text, otherwise, options);
}

/** Units of a window of a matcher. */
export interface WindowSize {
  /** Where a match may begin. */
  readonly starts: number;
  /** How far it may reach from there, to either side. */
  readonly reach: number;
}

class WindowSearch implements Search {
  readonly #matcher: WindowMatcher;
  readonly #size: WindowSize;
  readonly #text: string;
  readonly #otherwise: () => Search;
  readonly #options: WindowOptions;
  #at = 0;
  /** Goes on when this one could not tell. */
  #next: Search | undefined;

  constructor(matcher: WindowMatcher, size: WindowSize, text: string, otherwise: () => Search, options: WindowOptions) {
    this.#matcher = matcher;
    this.#size = size;
    this.#text = text;
    this.#otherwise = otherwise;
    this.#options = options;
  }

  go(meter: Meter): boolean | undefined {
    const { starts, reach } = this.#size;
    while (this.#next === undefined) {
      const found = this.#isInWindow();
      if (found === true) return true;
      this.#at += starts;
      if (found === undefined) this.#next = this.#otherwise();
      else if (this.#at > this.#text.length) return false;
      meter.spend(this.#matcher.stepsFor(starts + reach));
      if (meter.isSliceOver) return undefined;
    }
    return this.#next.go(meter);
  }

  /** Whether a match begins in the window; `undefined` when that cannot be told. */
  #isInWindow(): boolean | undefined {
    const { starts, reach } = this.#size;
    const end = this.#at + starts;
    if (this.#options.isForAscii && !isAscii(this.#text.slice(Math.max(0, this.#at - reach), end + reach))) {
      return undefined;
    }
    // All that lies before stays, so that only the right end of the window is not an end of the text.
    const place = this.#matcher.placeIn(this.#text.slice(0, end + reach), this.#at);
    if (place === undefined) return undefined;
    if (place < 0 || place >= end) return false;
    return this.#options.isLoose ? undefined : true;
  }
}
