import { otherCases } from "./case-folding.js";
import { asciiTable, has } from "./char-set.js";
import { EDGE, holdsBetween, LINE_BREAK, WORD_CHARACTER } from "./context.js";
import type { Meter } from "./meter.js";
import type { Instruction, Program } from "./program.js";
import { NEWLINE, WORD } from "./properties.js";
import { holds } from "./symbols.js";

/** Most numbers on the stack, 4 bytes each. */
const STACK_LIMIT = 16_000_000;
const FIRST_STACK = 1024;
/** A larger stack is not kept for the next search. */
const KEPT_STACK = 65_536;
const LAST_ASCII = 0x7f;
const NO_MATCH = -1;
const UNSET = -1;

/** A search that needs more memory than is allowed; like an exceeded budget, it ends only its own query. */
export class RegexMemoryError extends Error {
  constructor() {
    super("the search for a regular expression with back references needs too much memory");
    this.name = "RegexMemoryError";
  }
}

/**
 * Searches a text by trying one way after the other, with a stack of its own. For patterns in which it matters which
 * way is found first: those with back references, atomic groups or conditions. Some of them take exponential time;
 * the budget ends that.
 */
export class Backtracker {
  readonly #program: Program;
  readonly #anchored: boolean;
  /** Ends of groups and starts of rounds. */
  readonly #slots: Int32Array;
  /** For ASCII characters, what each set holds, once it was asked. */
  readonly #tables: (Uint8Array | undefined)[];
  /**
   * Pairs of numbers: an instruction and the place in the text where to go on with it, or, negative, a slot and what
   * it held before.
   */
  #stack = new Int32Array(FIRST_STACK);
  #height = 0;

  /** @param anchored whether a match can only begin at the start of the text */
  constructor(program: Program, anchored: boolean) {
    this.#program = program;
    this.#anchored = anchored;
    this.#slots = new Int32Array(program.slotCount);
    this.#tables = program.sets.map(() => undefined);
  }

  /**
   * Whether the text holds a match.
   *
   * @throws RegexMemoryError for some patterns on texts of megabytes
   */
  search(text: string, meter: Meter): boolean {
    if (this.#stack.length > KEPT_STACK) this.#stack = new Int32Array(FIRST_STACK);
    for (let from = 0; from <= text.length; from++) {
      if (isInsidePair(text, from)) continue;
      this.#slots.fill(UNSET);
      this.#height = 0;
      if (this.#run(this.#program.start, text, from, false, meter) !== NO_MATCH) return true;
      if (this.#anchored) break;
    }
    return false;
  }

  /** @returns where the match ends. What was tried is then forgotten, what slots held before is not. */
  #run(start: number, text: string, from: number, backwards: boolean, meter: Meter): number {
    const base = this.#height;
    let place = start;
    let at = from;
    for (let steps = 1; ; steps++) {
      if (steps % 256 === 0) meter.spend(256);
      const instruction = this.#program.instructions[place] as Instruction;
      if (instruction.op === "match") {
        meter.spend(steps % 256);
        this.#settle(base, meter);
        return at;
      }
      const reached = this.#step(instruction, text, at, backwards, meter);
      if (reached !== NO_MATCH) {
        at = reached;
        place = this.#next;
        continue;
      }
      const height = this.#takeBack(base);
      if (height === NO_MATCH) {
        meter.spend(steps % 256);
        return NO_MATCH;
      }
      place = this.#stack[height] as number;
      at = this.#stack[height + 1] as number;
    }
  }

  /** The instruction to go on with, after a step that succeeded. */
  #next = 0;

  /** @returns the place in the text after the instruction */
  #step(instruction: Instruction, text: string, at: number, backwards: boolean, meter: Meter): number {
    switch (instruction.op) {
      case "set": {
        this.#next = instruction.next;
        const codePoint = characterAt(text, at, backwards);
        if (!this.#holds(instruction.set, codePoint)) return NO_MATCH;
        const width = codePoint > 0xffff ? 2 : 1;
        return backwards ? at - width : at + width;
      }
      case "split":
        this.#next = instruction.first;
        this.#push(instruction.second, at);
        return at;
      case "assertion": {
        this.#next = instruction.next;
        const left = contextOf(characterAt(text, at, true));
        return holdsBetween(instruction.what, left, contextOf(characterAt(text, at, false))) ? at : NO_MATCH;
      }
      case "save":
        this.#next = instruction.next;
        this.#set(instruction.slot, at);
        return at;
      case "round":
        this.#next = this.#slots[instruction.slot] === at ? instruction.leave : instruction.next;
        return at;
      case "condition":
        this.#next = this.#isSet(instruction.group) ? instruction.yes : instruction.no;
        return at;
      case "backreference":
        this.#next = instruction.next;
        return this.#repeatGroup(instruction.group, instruction.ignoreCase, text, at, backwards, meter);
      case "atomic": {
        const end = this.#run(instruction.body, text, at, backwards, meter);
        this.#next = instruction.next;
        return end;
      }
      case "look":
        return this.#look(instruction, text, at, meter);
      case "match":
        return at;
    }
  }

  #holds(index: number, codePoint: number): boolean {
    const set = this.#program.sets[index];
    if (codePoint < 0 || !set) return false;
    if (codePoint > LAST_ASCII) return has(set, codePoint);
    let table = this.#tables[index];
    if (table === undefined) {
      table = asciiTable(set);
      this.#tables[index] = table;
    }
    return table[codePoint] === 1;
  }

  #look(instruction: Instruction & { op: "look" }, text: string, at: number, meter: Meter): number {
    const look = this.#program.looks[instruction.look];
    if (!look) throw new Error("a look is part of its program");
    const base = this.#height;
    const isFound = this.#run(look.start, text, at, look.behind, meter) !== NO_MATCH;
    // What groups took inside a negative look is never seen outside.
    if (isFound && instruction.negative) this.#undoDownTo(base);
    this.#next = instruction.next;
    return isFound === instruction.negative ? NO_MATCH : at;
  }

  #isSet(group: number): boolean {
    return this.#slots[2 * group] !== UNSET && this.#slots[2 * group + 1] !== UNSET;
  }

  /** A group that took no part matches nothing, not even nothing. */
  #repeatGroup(group: number, ignoreCase: boolean, text: string, at: number, backwards: boolean, meter: Meter): number {
    if (!this.#isSet(group)) return NO_MATCH;
    const taken = text.slice(this.#slots[2 * group], this.#slots[2 * group + 1]);
    meter.spend(taken.length);
    const from = backwards ? at - taken.length : at;
    if (from < 0) return NO_MATCH;
    const there = text.slice(from, from + taken.length);
    if (there !== taken && !(ignoreCase && areSameIgnoringCase(there, taken))) return NO_MATCH;
    return backwards ? from : from + taken.length;
  }

  #set(slot: number, value: number): void {
    this.#push(-1 - slot, this.#slots[slot] as number);
    this.#slots[slot] = value;
  }

  #push(first: number, second: number): void {
    if (this.#height + 2 > this.#stack.length) {
      if (this.#stack.length >= STACK_LIMIT) throw new RegexMemoryError();
      const larger = new Int32Array(2 * this.#stack.length);
      larger.set(this.#stack);
      this.#stack = larger;
    }
    this.#stack[this.#height] = first;
    this.#stack[this.#height + 1] = second;
    this.#height += 2;
  }

  /** Goes back to the last choice above the base. @returns where it is on the stack */
  #takeBack(base: number): number {
    while (this.#height > base) {
      this.#height -= 2;
      const first = this.#stack[this.#height] as number;
      if (first >= 0) return this.#height;
      this.#slots[-1 - first] = this.#stack[this.#height + 1] as number;
    }
    return NO_MATCH;
  }

  #undoDownTo(base: number): void {
    while (this.#takeBack(base) !== NO_MATCH);
  }

  /** Drops the choices above the base: a match was found. What the slots held before stays, for further back. */
  #settle(base: number, meter: Meter): void {
    let kept = base;
    for (let height = base; height < this.#height; height += 2) {
      if ((this.#stack[height] as number) >= 0) continue;
      this.#stack[kept] = this.#stack[height] as number;
      this.#stack[kept + 1] = this.#stack[height + 1] as number;
      kept += 2;
    }
    meter.spend((this.#height - base) >> 1);
    this.#height = kept;
  }
}

/** The character ahead of a place, or behind it; -1 beyond the ends of the text. */
function characterAt(text: string, at: number, backwards: boolean): number {
  if (!backwards) return at < text.length ? (text.codePointAt(at) as number) : -1;
  if (at === 0) return -1;
  return isInsidePair(text, at - 1) ? (text.codePointAt(at - 2) as number) : text.charCodeAt(at - 1);
}

function isInsidePair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 && (text.codePointAt(at - 1) as number) > 0xffff;
}

function contextOf(codePoint: number): number {
  if (codePoint < 0) return EDGE;
  return (holds(WORD, codePoint) ? WORD_CHARACTER : 0) | (holds(NEWLINE, codePoint) ? LINE_BREAK : 0);
}

function areSameIgnoringCase(left: string, right: string): boolean {
  const others = [...right];
  const points = [...left];
  return (
    points.length === others.length &&
    points.every((character, index) => {
      const point = character.codePointAt(0) as number;
      const other = others[index]?.codePointAt(0) as number;
      return point === other || otherCases(point).includes(other);
    })
  );
}
