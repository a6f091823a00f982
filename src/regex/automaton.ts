import { contextBits, isAssertionMet } from "./context.js";
import type { Meter } from "./meter.js";
import type { Program } from "./program.js";
import type { Search } from "./search.js";
import { copyWithoutTransitions, createState, type Progress, type State } from "./state.js";
import { END, Symbols } from "./symbols.js";
import { characterAt } from "./text.js";

/** Numbers that all automata together may cache before all caches are cleared. About 10 to 30 MB. */
const MEMORY_LIMIT = 1_000_000;
/** Estimated size of a state, in addition to its places. */
const STATE_SIZE = 16;
const PORTION = 1024;
const LAST_ROUND = 2 ** 31 - 1;

let memoryUsed = 0;
const cachingAutomata = new Set<Automaton>();

/**
 * Searches a text in linear time, whatever the pattern. It follows all alternatives at once: a set of alternatives is a
 * state of an automaton, built lazily as texts require. For programs without backreferences and similar constructs.
 *
 * Each lookaround is evaluated first, for all positions of the text, by a separate automaton that runs toward these
 * positions. Its results become part of the letters that the outer automaton reads.
 */
export class Automaton {
  readonly #program: Program;
  readonly #anchored: boolean;
  readonly #lookarounds: readonly Automaton[];
  /**
   * Rounds in which an instruction, a target or a set was last seen, so that these lists need not be cleared for each
   * state.
   */
  readonly #visitedInRound: Int32Array;
  readonly #targetedInRound: Int32Array;
  readonly #memberInRound: Int32Array;
  #round = 0;

  readonly #symbols: Symbols;
  readonly #states = new Map<string, State>();
  /** Used with lookarounds: one letter for each symbol and combination of lookaround results. */
  readonly #letters = new Map<number, number>();
  readonly #symbolOfLetter: number[] = [];
  readonly #answersOfLetter: number[] = [];
  #first: State;
  /** Number of times that the cache was cleared. */
  #age = 0;

  /** @param anchored whether a match can only start at the start of the text */
  constructor(program: Program, anchored: boolean) {
    this.#program = program;
    this.#anchored = anchored;
    this.#lookarounds = program.lookarounds.map((lookaround) => {
      if (!lookaround.program) throw new Error("a lookaround of an automaton has a program");
      return new Automaton(lookaround.program, false);
    });
    let mask = 0;
    for (const instruction of program.instructions) {
      if (instruction.op === "assertion") mask |= contextBits(instruction.what);
    }
    this.#visitedInRound = new Int32Array(program.instructions.length);
    this.#targetedInRound = new Int32Array(program.instructions.length);
    this.#memberInRound = new Int32Array(program.sets.length);
    this.#symbols = new Symbols(program.sets, mask);
    this.#first = this.#firstState();
  }

  /** Starts a search for a match in the text. */
  search(text: string): Search {
    const progress = this.#start(text, undefined);
    return { go: (meter) => this.#go(progress, meter) };
  }

  #start(text: string, marks: Uint8Array | undefined): Progress {
    const at = this.#program.backwards ? text.length : 0;
    return { text, marks, answers: [], lookaround: undefined, at, state: this.#first, age: this.#age };
  }

  /** Continues a search of this automaton. */
  #go(progress: Progress, meter: Meter): boolean | undefined {
    return this.#evaluateLookarounds(progress, meter) ? this.#run(progress, meter) : undefined;
  }

  /** @returns whether all lookarounds are evaluated */
  #evaluateLookarounds(progress: Progress, meter: Meter): boolean {
    const { text, answers } = progress;
    while (answers.length < this.#lookarounds.length) {
      const lookaround = this.#lookarounds[answers.length] as Automaton;
      const marks = progress.lookaround?.marks ?? new Uint8Array(text.length + 1);
      progress.lookaround ??= lookaround.#start(text, marks);
      if (lookaround.#go(progress.lookaround, meter) === undefined) return false;
      answers.push(marks);
      progress.lookaround = undefined;
    }
    return true;
  }

  #run(progress: Progress, meter: Meter): boolean | undefined {
    const { text, marks, answers } = progress;
    const hasLookarounds = answers.length > 0;
    const { pages } = this.#symbols;
    const { backwards } = this.#program;
    const end = backwards ? 0 : text.length;
    const direction = backwards ? -1 : 1;
    let at = progress.at;
    let state = progress.age === this.#age ? progress.state : copyWithoutTransitions(progress.state);
    meter.spend(Math.min(PORTION, Math.abs(end - at)));
    for (let pause = PORTION; ; pause--) {
      let symbol = END;
      let width = direction;
      if (at !== end) {
        const unit = text.charCodeAt(backwards ? at - 1 : at);
        if ((unit & 0xf800) !== 0xd800) symbol = (pages[unit >> 8] as Int32Array)[unit & 0xff] as number;
        if (symbol === END) {
          const codePoint = characterAt(text, at, backwards);
          if (codePoint > 0xffff) width = 2 * direction;
          symbol = this.#symbols.symbolOf(codePoint) || this.#assignSymbol(codePoint, meter);
          if (meter.isSliceOver) pause = 0;
        }
      }
      const letter = hasLookarounds ? this.#letterOf(symbol, answers, at) : symbol;
      let next = state.next[letter];
      if (next === undefined) {
        next = this.#advance(state, letter, meter);
        if (meter.isSliceOver) pause = 0;
      }
      if (next.isSpecial) {
        if (next.hasMatched) {
          if (marks === undefined) return true;
          marks[at] = 1;
        }
        if (next.isDead) return false;
      }
      if (at === end) return false;
      at += width;
      state = next;
      if (pause > 0) continue;
      meter.spend(Math.min(PORTION, Math.abs(end - at)));
      if (meter.isSliceOver) {
        progress.at = at;
        progress.state = state;
        progress.age = this.#age;
        return undefined;
      }
      pause = PORTION;
    }
  }

  #assignSymbol(codePoint: number, meter: Meter): number {
    meter.spend(this.#symbols.effort);
    memoryUsed += this.#symbols.assign(codePoint);
    return this.#symbols.symbolOf(codePoint);
  }

  /** The letter of a symbol and the results of all lookarounds at a position. */
  #letterOf(symbol: number, answers: readonly Uint8Array[], at: number): number {
    let bits = 0;
    for (const answer of answers) bits = 2 * bits + (answer[at] as number);
    const key = symbol * 2 ** answers.length + bits;
    let letter = this.#letters.get(key);
    if (letter === undefined) {
      letter = this.#symbolOfLetter.push(symbol) - 1;
      this.#answersOfLetter.push(bits);
      this.#letters.set(key, letter);
    }
    return letter;
  }

  /** Computes the state after a letter. */
  #advance(state: State, letter: number, meter: Meter): State {
    const hasLookarounds = this.#lookarounds.length > 0;
    const symbol = hasLookarounds ? (this.#symbolOfLetter[letter] as number) : letter;
    const answers = hasLookarounds ? (this.#answersOfLetter[letter] as number) : 0;
    const round = this.#nextRound();
    for (const set of this.#symbols.membersOf(symbol)) this.#memberInRound[set] = round;
    const context = this.#symbols.contextOf(symbol);
    const { targets, hasMatched, steps } = this.#followTransitions(state, context, answers, round);
    targets.sort((a, b) => a - b);
    const key = `${hasMatched} ${context} ${targets.join()}`;
    const next = this.#states.get(key) ?? this.#addState(key, targets, context, hasMatched);
    memoryUsed += Math.max(0, letter + 1 - state.next.length);
    state.next[letter] = next;
    meter.spend(steps + 1);
    return next;
  }

  #nextRound(): number {
    if (this.#round === LAST_ROUND) {
      this.#round = 0;
      for (const rounds of [this.#visitedInRound, this.#targetedInRound, this.#memberInRound]) rounds.fill(0);
    }
    return ++this.#round;
  }

  /** Follows all empty transitions from the places of a state, then all transitions by one character. */
  #followTransitions(state: State, context: number, answers: number, round: number): Reached {
    const { instructions, start, backwards } = this.#program;
    const [left, right] = backwards ? [context, state.context] : [state.context, context];
    const open = [...state.places];
    if (!this.#anchored) open.push(start);
    const targets: number[] = [];
    let hasMatched = false;
    let steps = 0;
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (this.#visitedInRound[place] === round) continue;
      this.#visitedInRound[place] = round;
      steps++;
      const instruction = instructions[place];
      switch (instruction?.op) {
        case "match":
          hasMatched = true;
          break;
        case "set":
          if (this.#memberInRound[instruction.set] === round && this.#targetedInRound[instruction.next] !== round) {
            this.#targetedInRound[instruction.next] = round;
            targets.push(instruction.next);
          }
          break;
        case "split":
          open.push(instruction.second, instruction.first);
          break;
        case "assertion":
          if (isAssertionMet(instruction.what, left, right)) open.push(instruction.next);
          break;
        case "lookaround": {
          const answer = Math.floor(answers / 2 ** (this.#lookarounds.length - 1 - instruction.lookaround)) % 2;
          if ((answer === 1) !== instruction.negative) open.push(instruction.next);
          break;
        }
        default:
          throw new Error(`an automaton cannot follow ${instruction?.op}`);
      }
    }
    return { targets, hasMatched, steps };
  }

  #addState(key: string, targets: readonly number[], context: number, hasMatched: boolean): State {
    memoryUsed += targets.length + STATE_SIZE;
    if (memoryUsed > MEMORY_LIMIT) clearAll();
    cachingAutomata.add(this);
    const state = createState(Int32Array.from(targets), context, hasMatched, this.#anchored && targets.length === 0);
    this.#states.set(key, state);
    return state;
  }

  #firstState(): State {
    const places = this.#anchored ? Int32Array.of(this.#program.start) : new Int32Array();
    return createState(places, this.#symbols.contextOf(END), false, false);
  }

  /** Clears the cache. A search in progress can continue: it keeps its state, and looks up every letter again. */
  clearCache(): void {
    this.#symbols.clear();
    this.#states.clear();
    this.#letters.clear();
    this.#symbolOfLetter.length = 0;
    this.#answersOfLetter.length = 0;
    this.#age++;
    this.#first = this.#firstState();
  }
}

interface Reached {
  readonly targets: number[];
  readonly hasMatched: boolean;
  readonly steps: number;
}

function clearAll(): void {
  for (const automaton of cachingAutomata) automaton.clearCache();
  cachingAutomata.clear();
  memoryUsed = 0;
}
