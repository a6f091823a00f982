import { BacktrackingSearch } from "./backtracking-search.js";
import type { Program } from "./program.js";
import type { Search } from "./search.js";

/**
 * Searches texts by trying one way after the other, with a stack of its own. For patterns in which it matters which
 * way is found first: those with back references, atomic groups or conditions. Some of them take exponential time; a
 * limit ends that.
 */
export class Backtracker {
  readonly #program: Program;
  readonly #anchored: boolean;
  /** One that has ended: most texts are short, and making one would take as long as using it. */
  #idle: BacktrackingSearch | undefined;

  /** @param anchored whether a match can only begin at the start of the text */
  constructor(program: Program, anchored: boolean) {
    this.#program = program;
    this.#anchored = anchored;
  }

  /** Begins to look for a match in the text. Going on throws `RegexLimitError` when that takes too much. */
  search(text: string): Search {
    const search = this.#idle ?? new BacktrackingSearch(this.#program, this.#anchored, (ended) => (this.#idle = ended));
    this.#idle = undefined;
    search.begin(text);
    return search;
  }
}
