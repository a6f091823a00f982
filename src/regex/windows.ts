import type { Meter } from "./meter.js";
import type { NativeMatcher } from "./native-matcher.js";
import type { Search } from "./search.js";

const ASCII_ONLY = /^[\0-\x7f]*$/;

/** Whether the engine's ASCII matcher is correct for this text. */
export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}

/** Options of a search in windows. */
export interface WindowOptions {
  /** Restricts the search to ASCII parts of the text. */
  readonly isForAscii?: boolean;
  /** A loose matcher: its match is only a candidate, but no match is certain. */
  readonly isLoose?: boolean;
}

/** The members of the engine's matcher that a search in windows uses. */
export type WindowMatcher = Pick<NativeMatcher, "windowSize" | "stepsFor" | "findMatch">;

/**
 * Searches a text by the engine in small windows, with pauses in between.
 *
 *     text     ------------------------------------------
 *     window 1 [ starts here   | reach ]
 *     window 2                 [ starts here   | reach ]
 *
 * @param otherwise continues with the whole text if the engine cannot tell
 */
export function searchInWindows(
  matcher: WindowMatcher | undefined,
  text: string,
  otherwise: () => Search,
  options: WindowOptions = {},
): Search {
  const size = matcher?.windowSize;
  if (matcher === undefined || size === undefined) return otherwise();
  return new WindowSearch(matcher, size, text, otherwise, options);
}

/** Window size of a matcher, in UTF-16 units. */
export interface WindowSize {
  /** Part in which a match may start. */
  readonly starts: number;
  /** Maximum reach of a match, to either side. */
  readonly reach: number;
}

class WindowSearch implements Search {
  readonly #matcher: WindowMatcher;
  readonly #size: WindowSize;
  readonly #text: string;
  readonly #otherwise: () => Search;
  readonly #options: WindowOptions;
  #at = 0;
  /** Continues if the engine could not tell. */
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
      const found = this.#searchWindow();
      if (found === true) return true;
      this.#at += starts;
      if (found === undefined) this.#next = this.#otherwise();
      else if (this.#at > this.#text.length) return false;
      meter.spend(this.#matcher.stepsFor(starts + reach));
      if (meter.isSliceOver) return undefined;
    }
    return this.#next.go(meter);
  }

  /** Whether a match starts in the window; `undefined` if the engine cannot tell. */
  #searchWindow(): boolean | undefined {
    const { starts, reach } = this.#size;
    const end = this.#at + starts;
    if (this.#options.isForAscii && !isAscii(this.#text.slice(Math.max(0, this.#at - reach), end + reach))) {
      return undefined;
    }
    // Keeps everything before the window, so that only its right end is not a real edge of the text.
    const place = this.#matcher.findMatch(this.#text.slice(0, end + reach), this.#at);
    if (place === undefined) return undefined;
    if (place < 0 || place >= end) return false;
    return this.#options.isLoose ? undefined : true;
  }
}
