import { type CharSet, contains } from "./char-set.js";
import { contextOf, EDGE } from "./context.js";

/** The symbol of the end of the text, or of its start if it is read from right to left. */
export const END = 0;

const PAGE_BITS = 8;
const PAGE_SIZE = 1 << PAGE_BITS;
const BASIC_PAGES = 256;
const LAST_BASIC = 0xffff;
/** Placeholder for pages without known characters. */
const NEW_PAGE = new Int32Array(PAGE_SIZE);

/**
 * Groups characters by the sets of a program that contain them. The program cannot distinguish characters of one
 * symbol, so that an automaton has a few transitions per state instead of one per character.
 */
export class Symbols {
  readonly #sets: readonly CharSet[];
  /** Context bits that the program depends on. */
  readonly #contextMask: number;
  /** Symbols of the characters up to U+FFFF, in pages; 0 = not seen yet. */
  readonly pages: Int32Array[] = Array.from({ length: BASIC_PAGES }, () => NEW_PAGE);
  readonly #beyond = new Map<number, number>();
  readonly #byMembership = new Map<string, number>();
  readonly #members: Int32Array[] = [];
  readonly #contexts: number[] = [];

  constructor(sets: readonly CharSet[], contextMask: number) {
    this.#sets = sets;
    this.#contextMask = contextMask;
    this.clear();
  }

  clear(): void {
    this.pages.fill(NEW_PAGE);
    this.#beyond.clear();
    this.#byMembership.clear();
    this.#members.length = 0;
    this.#contexts.length = 0;
    // The end of the text.
    this.#members.push(new Int32Array());
    this.#contexts.push(EDGE);
  }

  /** Number of sets to check for a new character. */
  get effort(): number {
    return this.#sets.length + 1;
  }

  /** The symbol of a character; 0 = not seen yet. */
  symbolOf(codePoint: number): number {
    if (codePoint > LAST_BASIC) return this.#beyond.get(codePoint) ?? 0;
    return (this.pages[codePoint >> PAGE_BITS] as Int32Array)[codePoint % PAGE_SIZE] as number;
  }

  /**
   * Assigns a symbol to a new character.
   *
   * @returns how many numbers the cache has grown by
   */
  assign(codePoint: number): number {
    const members: number[] = [];
    for (const [index, set] of this.#sets.entries()) if (contains(set, codePoint)) members.push(index);
    const context = contextOf(codePoint) & this.#contextMask;
    const key = `${context}:${members.join()}`;
    const found = this.#byMembership.get(key);
    const symbol = found ?? this.#members.push(Int32Array.from(members)) - 1;
    if (found === undefined) {
      this.#contexts.push(context);
      this.#byMembership.set(key, symbol);
    }
    return (found === undefined ? members.length : 0) + this.#remember(codePoint, symbol);
  }

  #remember(codePoint: number, symbol: number): number {
    if (codePoint > LAST_BASIC) {
      this.#beyond.set(codePoint, symbol);
      return 1;
    }
    const index = codePoint >> PAGE_BITS;
    let page = this.pages[index] as Int32Array;
    const isNew = page === NEW_PAGE;
    if (isNew) {
      page = new Int32Array(PAGE_SIZE);
      this.pages[index] = page;
    }
    page[codePoint % PAGE_SIZE] = symbol;
    return isNew ? PAGE_SIZE : 0;
  }

  /** Indexes of the sets that contain the characters of a symbol. */
  membersOf(symbol: number): Int32Array {
    return this.#members[symbol] as Int32Array;
  }

  contextOf(symbol: number): number {
    return this.#contexts[symbol] as number;
  }
}
