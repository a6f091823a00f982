import type { Node } from "./ast.js";
import { Automaton } from "./automaton.js";
import { Backtracker, RegexMemoryError } from "./backtracker.js";
import { loosen } from "./loosen.js";
import { Meter } from "./meter.js";
import { NativeMatcher } from "./native-matcher.js";
import { type ParsedPattern, parsePattern } from "./parser.js";
import { backtrackingProgram, type Program, stateProgram } from "./program.js";
import { isAnchored, isOrderDependent, simplify } from "./simplify.js";
import { RegexSyntaxError } from "./syntax-error.js";

/** A compiled pattern of the dialect that rules are written in (contract query.md 6). */
export interface Regex {
  readonly source: string;
  /**
   * Whether the text holds a match. `budget` is asked now and then, and throws to end it.
   *
   * @throws RegexMemoryError for some patterns with back references on texts of megabytes
   */
  test(text: string, budget: Budget): boolean;
}

/** What ends a search that takes too long. */
export interface Budget {
  /**
   * Called every few thousand steps of work with the number of steps since the last call; throws to end the work.
   * A step is a character looked at, or something of that kind: 1 to 50 nanoseconds. A search that is handed to the
   * engine is reported by the length of its text, before it begins, and takes about a millisecond at the very most.
   */
  spend(steps: number): void;
}

/** How a pattern is to be read. */
export interface RegexOptions {
  /** As if the pattern began with `(?i)`. @default false */
  readonly ignoreCase?: boolean;
}

// Part of what this module offers; the parser, below it, throws one of them too.
export { RegexMemoryError, RegexSyntaxError };

/** Most steps of a search that cannot be interrupted, and longest text: a millisecond, usually far less. */
const NATIVE_LIMIT = 1_000_000;
const NATIVE_LENGTH = 65_536;
/** Largest pattern for the engine: compiling it cannot be interrupted either. */
const NATIVE_SIZE = 2_000;
/** The budget is asked after so many steps that the engine may have taken. */
const NATIVE_PACE = 200_000;
/** An automaton has letters for all combinations of what its looks answer. */
const MOST_LOOKS = 12;

const ASCII_ONLY = /^[\0-\x7f]*$/;

class CompiledRegex implements Regex {
  readonly source: string;
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
  /** Steps that the engine may have taken since the budget was asked, and characters that it was given. */
  #mayHaveTaken = 0;
  #given = 0;

  constructor(source: string, parsed: ParsedPattern) {
    this.source = source;
    this.#parsed = parsed;
    this.#simple = isOrderDependent(parsed.root) ? undefined : simplify(parsed.root);
    if (parsed.size > NATIVE_SIZE) return;
    this.#plain = this.#simple && NativeMatcher.of(this.#simple, "plain");
    if (this.#plain) return;
    this.#loose = NativeMatcher.of(loosen(parsed.root), "plain");
    this.#ascii = this.#simple && null;
  }

  test(text: string, budget: Budget): boolean {
    const exact = this.#ask(this.#plain, text, budget);
    if (exact !== undefined) return exact;
    if (this.#ask(this.#loose, text, budget) === false) return false;
    if (this.#ascii !== undefined && text.length <= NATIVE_LENGTH && ASCII_ONLY.test(text)) {
      if (this.#ascii === null) this.#ascii = this.#simple && NativeMatcher.of(this.#simple, "ascii");
      const answer = this.#ask(this.#ascii, text, budget);
      if (answer !== undefined) return answer;
    }
    this.#own ??= this.#ownMatcher();
    return this.#own.search(text, new Meter(budget));
  }

  /** @returns `undefined` when the text is too much for the engine, which cannot be interrupted */
  #ask(matcher: NativeMatcher | undefined, text: string, budget: Budget): boolean | undefined {
    if (matcher === undefined || text.length > NATIVE_LENGTH) return undefined;
    const steps = matcher.stepsFor(text.length);
    if (!(steps <= NATIVE_LIMIT)) return undefined;
    this.#report(steps, text.length, budget);
    return matcher.test(text);
  }

  #report(steps: number, length: number, budget: Budget): void {
    this.#mayHaveTaken += steps;
    this.#given += length + 1;
    if (this.#mayHaveTaken < NATIVE_PACE) return;
    const given = this.#given;
    this.#mayHaveTaken = 0;
    this.#given = 0;
    budget.spend(given);
  }

  #ownMatcher(): Automaton | Backtracker {
    const { root, groupCount } = this.#parsed;
    const program = this.#simple && stateProgram(this.#simple);
    if (program && hasFewLooks(program)) return new Automaton(program, isAnchored(root));
    return new Backtracker(backtrackingProgram(root, groupCount), isAnchored(root));
  }
}

function hasFewLooks({ looks }: Program): boolean {
  return looks.length <= MOST_LOOKS && looks.every(({ program }) => program === undefined || hasFewLooks(program));
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
export function compileRegex(pattern: string, { ignoreCase = false }: RegexOptions = {}): Regex {
  const key = `${ignoreCase ? "i" : "c"}${pattern}`;
  const kept = cache.get(key);
  if (kept) {
    cache.delete(key);
    cache.set(key, kept);
    return kept.regex;
  }
  const parsed = parsePattern(pattern, ignoreCase);
  const regex = new CompiledRegex(pattern, parsed);
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
