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
import { inWindows, isAscii } from "./windows.js";

/** A compiled pattern of the dialect that rules are written in (docs/compatibility.md#regular-expressions). */
export interface Regex {
  /**
   * Whether the text holds a match. `budget` is asked now and then, and throws to end it.
   *
   * @returns a search to go on with after a pause, when the budget is used up before the answer is known
   * @throws RegexLimitError for patterns with references, atomic groups or conditions that take too much
   */
  test(text: string, budget: Budget): boolean | PausedSearch;
}

/** A search that is not at its end. */
export interface PausedSearch {
  /** Goes on, and throws, as `Regex.test` does. @returns the answer, or `undefined` when another pause is due */
  go(): boolean | undefined;
}

/** What a search may use up, and when it should pause. */
export interface Budget {
  /**
   * Called at least every few thousand steps of work with the number of steps since the last call; throws to end the
   * work. A step is a character looked at, or something of that kind: 1 to 50 nanoseconds. A search that is handed to
   * the engine is reported before it begins, by the most steps that it can take: a million at the very most.
   */
  spend(steps: number): void;
  /** Whether the search should pause; asked after `spend`. @default never */
  readonly isSliceOver?: () => boolean;
}

/** How a pattern is to be read. */
export interface RegexOptions {
  /** As if the pattern began with `(?i)`. @default false */
  readonly ignoreCase?: boolean;
  /**
   * Whether the characters of the pattern are composed. It then finds all forms of what it says, if the texts that it
   * is put to are composed too (`util/composed.ts`). @default false
   */
  readonly canonical?: boolean;
}

// Part of what this module offers; the parser, below it, throws one of them too.
export { RegexLimitError, RegexSyntaxError };

/** Most steps of a search that cannot be interrupted, and longest text: a millisecond, usually far less. */
const NATIVE_LIMIT = 1_000_000;
const NATIVE_LENGTH = 65_536;
/** Largest pattern for the engine: compiling it cannot be interrupted either. */
const NATIVE_SIZE = 2_000;
/** An automaton has letters for all combinations of what its lookarounds answer. */
const MOST_LOOKAROUNDS = 12;

class CompiledRegex implements Regex {
  readonly #parsed: ParsedPattern;
  /** `undefined` when the order of trying matters. */
  readonly #simple: Node | undefined;
  /** The engine's matcher, where it is right for all texts. */
  readonly #plain: NativeMatcher | undefined;
  /** Finds more texts than those that match. */
  readonly #loose: NativeMatcher | undefined;
  /** The engine's matcher for ASCII texts; `null` where it was not asked for yet. */
  #ascii: NativeMatcher | null | undefined;
  #own: Automaton | Backtracker | undefined;

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
    const exact = this.#ask(this.#plain, text, budget);
    if (exact !== undefined) return exact;
    const mayMatch = this.#ask(this.#loose, text, budget);
    if (mayMatch === false) return false;
    const ascii = this.#matcherForAscii(text);
    const answer = this.#ask(ascii, text, budget);
    if (answer !== undefined) return answer;
    return slice(this.#searchInParts(text, ascii, mayMatch === undefined ? this.#loose : undefined), budget);
  }

  /** By the engine where it is right for the text, but not for all of it at once; else by a matcher of our own. */
  #searchInParts(text: string, ascii: NativeMatcher | undefined, loose: NativeMatcher | undefined): Search {
    const forAscii = { isForAscii: ascii !== undefined };
    const exactly = (): Search => inWindows(this.#plain ?? ascii, text, () => this.#ownSearch(text), forAscii);
    return inWindows(loose, text, exactly, { isLoose: true });
  }

  #ownSearch(text: string): Search {
    this.#own ??= this.#ownMatcher();
    return this.#own.search(text);
  }

  /** For a text of ASCII characters; a long one is looked at in pieces, if need be. */
  #matcherForAscii(text: string): NativeMatcher | undefined {
    if (this.#ascii === undefined || (text.length <= NATIVE_LENGTH && !isAscii(text))) return undefined;
    if (this.#ascii === null) this.#ascii = this.#simple && NativeMatcher.of(this.#simple, "ascii");
    return this.#ascii;
  }

  /** @returns `undefined` when the text is too much for the engine, which cannot be interrupted */
  #ask(matcher: NativeMatcher | undefined, text: string, budget: Budget): boolean | undefined {
    if (matcher === undefined || text.length > NATIVE_LENGTH) return undefined;
    const steps = matcher.stepsFor(text.length);
    if (!(steps <= NATIVE_LIMIT)) return undefined;
    budget.spend(steps);
    return matcher.test(text);
  }

  #ownMatcher(): Automaton | Backtracker {
    const { root, groupCount } = this.#parsed;
    const program = this.#simple && stateProgram(this.#simple);
    if (program && hasFewLookarounds(program)) return new Automaton(program, isAnchored(root));
    return new Backtracker(backtrackingProgram(root, groupCount), isAnchored(root));
  }
}

/** Searches up to the next pause. */
function slice(search: Search, budget: Budget): boolean | PausedSearch {
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
    lookarounds.length <= MOST_LOOKAROUNDS &&
    lookarounds.every(({ program }) => program === undefined || hasFewLookarounds(program))
  );
}

/** What a pattern costs in the cache beside its size; a few hundred patterns of people fit. */
const COST_OF_ONE = 100;
const CACHE_LIMIT = 200_000;

const cache = new Map<string, { readonly regex: Regex; readonly cost: number }>();
let cacheCost = 0;

/**
 * Compiles a pattern. The latest ones are kept, so that compiling the same again costs next to nothing.
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
