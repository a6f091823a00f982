import { BacktrackingSearch } from "./backtracking-search.js";
import type { Program } from "./program.js";
import type { Search } from "./search.js";

/**
 * Searches texts by backtracking with an explicit stack. For patterns whose result depends on the order of
 * alternatives: those with backreferences, atomic groups or conditions. Some need exponential time; a limit stops
 * these.
 */
export class Backtracker {
  readonly #program: Program;
  readonly #anchored: boolean;
  /** A finished search for reuse: most texts are short, and creating one takes as long as running it. */
  #idle: BacktrackingSearch | undefined;

  /** @param anchored whether a match can only start at the start of the text */
  constructor(program: Program, anchored: boolean) {
    this.#program = program;
    this.#anchored = anchored;
  }

  /** Starts a search for a match in the text. Its `go` throws `RegexLimitError` when the search exceeds its limits. */
  search(text: string): Search {
    const search = this.#idle ?? new BacktrackingSearch(this.#program, this.#anchored, (ended) => (this.#idle = ended));
    this.#idle = undefined;
    search.begin(text);
    return search;
  }
}
