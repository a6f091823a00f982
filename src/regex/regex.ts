import type { Node } from "./ast.js";
import { Automaton } from "./automaton.js";
import { Backtracker } from "./backtracker.js";
import { RegexLimitError } from "./limits.js";
import { loosen } from "./loosen.js";
import { Meter } from "./meter.js";
import { NativeMatcher } from "./native-matcher.js";
import { type ParsedPattern, parsePattern } from "./parser.js";
import { backtrackingProgram, type Program, stateProgram } from "./program.js";
import type { Search } from "./search.js";
import { isAnchored, isOrderDependent, simplify } from "./simplify.js";
import { RegexSyntaxError } from "./syntax-error.js";
import { isAscii, searchInWindows } from "./windows.js";

/** A compiled pattern in the dialect of rules (docs/reference/compatibility.md#regular-expressions). */
export interface Regex {
  /**
   * Whether the text contains a match. Calls `budget` regularly, which throws to stop the search.
   *
   * @returns a paused search if the time slice ends before the result is known
   * @throws RegexLimitError for patterns with backreferences, atomic groups or conditions that exceed a limit
   */
  test(text: string, budget: Budget): boolean | PausedSearch;
}

/** A search in progress. */
export interface PausedSearch {
  /** Continues, and throws, like `Regex.test`. @returns the result, or `undefined` when another pause is due */
  go(): boolean | undefined;
}

/** Limits of a search, and its pauses. */
export interface Budget {
  /**
   * Called at least every few thousand steps with the number of steps since the last call. Throws to stop the search. A
   * step is the work for about one character: 1 to 50 ns. A search by the engine is reported before it starts, with its
   * maximum number of steps, which is at most a million.
   */
  spend(steps: number): void;
  /** Whether the search should pause; checked after `spend`. @default never */
  readonly isSliceOver?: () => boolean;
}

/** Options for parsing a pattern. */
export interface RegexOptions {
  /** Prepends `(?i)` to the pattern. @default false */
  readonly ignoreCase?: boolean;
  /**
   * Whether to compose the pattern's characters. It then matches all canonically equivalent forms, if the texts are
   * composed as well (`util/composed.ts`). @default false
   */
  readonly canonical?: boolean;
}

// Part of this module's interface. The parser, a lower layer, throws one of them as well.
export { RegexLimitError, RegexSyntaxError };

/**
 * Maximum steps of a search that cannot be interrupted, and maximum length of its text: a millisecond, usually far
 * less.
 */
const NATIVE_LIMIT = 1_000_000;
const NATIVE_LENGTH = 65_536;
/** Maximum size of a pattern for the engine, whose compilation cannot be interrupted either. */
const NATIVE_SIZE = 2_000;
/** An automaton has a letter for each combination of lookaround results. */
const MAX_LOOKAROUNDS = 12;

class CompiledRegex implements Regex {
  readonly #parsed: ParsedPattern;
  /** `undefined` if the order of alternatives matters. */
  readonly #simple: Node | undefined;
  /** The engine's matcher, if it is correct for all texts. */
  readonly #plain: NativeMatcher | undefined;
  /** The engine's matcher for a superset of the pattern. */
  readonly #loose: NativeMatcher | undefined;
  /** The engine's matcher for ASCII texts; `null` until it is first needed. */
  #ascii: NativeMatcher | null | undefined;
  #matcher: Automaton | Backtracker | undefined;

  constructor(parsed: ParsedPattern) {
    this.#parsed = parsed;
    this.#simple = isOrderDependent(parsed.root) ? undefined : simplify(parsed.root);
    if (parsed.size > NATIVE_SIZE) return;
    this.#plain = this.#simple && NativeMatcher.of(this.#simple, "plain");
    if (this.#plain) return;
    this.#loose = NativeMatcher.of(loosen(parsed.root), "plain");
    this.#ascii = this.#simple && null;
  }

  test(text: string, budget: Budget): boolean | PausedSearch {
    const exact = this.#tryNative(this.#plain, text, budget);
    if (exact !== undefined) return exact;
    const mayMatch = this.#tryNative(this.#loose, text, budget);
    if (mayMatch === false) return false;
    const ascii = this.#matcherForAscii(text);
    const answer = this.#tryNative(ascii, text, budget);
    if (answer !== undefined) return answer;
    return searchSlice(this.#searchInWindows(text, ascii, mayMatch === undefined ? this.#loose : undefined), budget);
  }

  /** Searches in windows by the engine if it is correct for the text; otherwise by the server's own matcher. */
  #searchInWindows(text: string, ascii: NativeMatcher | undefined, loose: NativeMatcher | undefined): Search {
    const forAscii = { isForAscii: ascii !== undefined };
    const exactly = (): Search =>
      searchInWindows(this.#plain ?? ascii, text, () => this.#searchByMatcher(text), forAscii);
    return searchInWindows(loose, text, exactly, { isLoose: true });
  }

  #searchByMatcher(text: string): Search {
    this.#matcher ??= this.#createMatcher();
    return this.#matcher.search(text);
  }

  /** The matcher for ASCII texts. A long text is checked for ASCII later, in windows. */
  #matcherForAscii(text: string): NativeMatcher | undefined {
    if (this.#ascii === undefined || (text.length <= NATIVE_LENGTH && !isAscii(text))) return undefined;
    if (this.#ascii === null) this.#ascii = this.#simple && NativeMatcher.of(this.#simple, "ascii");
    return this.#ascii;
  }

  /** @returns `undefined` if the search could take too long for the engine, which cannot be interrupted */
  #tryNative(matcher: NativeMatcher | undefined, text: string, budget: Budget): boolean | undefined {
    if (matcher === undefined || text.length > NATIVE_LENGTH) return undefined;
    const steps = matcher.stepsFor(text.length);
    if (!(steps <= NATIVE_LIMIT)) return undefined;
    budget.spend(steps);
    return matcher.test(text);
  }

  #createMatcher(): Automaton | Backtracker {
    const { root, groupCount } = this.#parsed;
    const program = this.#simple && stateProgram(this.#simple);
    if (program && hasFewLookarounds(program)) return new Automaton(program, isAnchored(root));
    return new Backtracker(backtrackingProgram(root, groupCount), isAnchored(root));
  }
}

/** Runs a search until the next pause. */
function searchSlice(search: Search, budget: Budget): boolean | PausedSearch {
  const go = (): boolean | undefined => {
    const meter = new Meter(budget);
    const answer = search.go(meter);
    meter.report();
    return answer;
  };
  return go() ?? { go };
}

function hasFewLookarounds({ lookarounds }: Program): boolean {
  return (
    lookarounds.length <= MAX_LOOKAROUNDS &&
    lookarounds.every(({ program }) => program === undefined || hasFewLookarounds(program))
  );
}

/** Cost of a cached pattern in addition to its size. A few hundred typical patterns fit. */
const COST_OF_ONE = 100;
const CACHE_LIMIT = 200_000;

const cache = new Map<string, { readonly regex: Regex; readonly cost: number }>();
let cacheCost = 0;

/**
 * Compiles a pattern, or returns a recently compiled one from the cache.
 *
 * @throws RegexSyntaxError
 */
export function compileRegex(pattern: string, options: RegexOptions = {}): Regex {
  const { ignoreCase = false, canonical = false } = options;
  const key = `${ignoreCase ? "i" : "c"}${canonical ? "n" : "w"}${pattern}`;
  const kept = cache.get(key);
  if (kept) {
    cache.delete(key);
    cache.set(key, kept);
    return kept.regex;
  }
  const parsed = parsePattern(pattern, ignoreCase, canonical);
  const regex = new CompiledRegex(parsed);
  const cost = COST_OF_ONE + pattern.length + parsed.size;
  cache.set(key, { regex, cost });
  cacheCost += cost;
  for (const [oldest, { cost: freed }] of cache) {
    if (cacheCost <= CACHE_LIMIT) break;
    cache.delete(oldest);
    cacheCost -= freed;
  }
  return regex;
}
