import { asciiTable, has } from "./char-set.js";
import { contextOf, isAssertionMet } from "./context.js";
import { maxSteps, RegexLimitError } from "./limits.js";
import type { Meter } from "./meter.js";
import { PairStack } from "./pair-stack.js";
import type { Instruction, Program } from "./program.js";
import type { Search } from "./search.js";
import { characterAt, compareIgnoringCase, isInsidePair } from "./text.js";

/** Steps between two reports. */
const PORTION = 256;
/** UTF-16 units compared at once when case is ignored. */
const COMPARED_UNITS = 16_384;
const LAST_ASCII = 0x7f;
const UNSET = -1;

/** An atomic group or a lookaround in progress: a nested search. */
interface Frame {
  /** Stack height before it. Its own entries are above. */
  readonly base: number;
  /** The instruction after it. */
  readonly next: number;
  /** Start position of a lookaround; -1 for an atomic group, after which matching continues at its end. */
  readonly at: number;
  readonly isNegative: boolean;
  /** Direction of the outer search. */
  readonly backwards: boolean;
}

/** A search of one text by a `Backtracker`. Can be reused when it has finished. */
export class BacktrackingSearch implements Search {
  readonly #program: Program;
  readonly #anchored: boolean;
  readonly #ended: (search: BacktrackingSearch) => void;
  /** Ends of groups and starts of loop iterations. */
  readonly #slots: Int32Array;
  /** Lazily computed ASCII tables of the sets. */
  readonly #tables: (Uint8Array | undefined)[];
  /** Pairs of numbers: an instruction and a text position to continue at, or a negative slot and its previous value. */
  readonly #stack = new PairStack();
  /** The innermost is last. */
  readonly #frames: Frame[] = [];
  #text = "";
  /** Start of the current attempt. */
  #from = 0;
  /** The next instruction and the text position. */
  #place = 0;
  #at = 0;
  #backwards = false;
  /** Units of a backreference compared so far, when case is ignored. */
  #compared = 0;
  #steps = 0;
  #stepsLeft = 0;

  constructor(program: Program, anchored: boolean, ended: (search: BacktrackingSearch) => void) {
    this.#program = program;
    this.#anchored = anchored;
    this.#ended = ended;
    this.#slots = new Int32Array(program.slotCount);
    this.#tables = program.sets.map(() => undefined);
  }

  begin(text: string): void {
    this.#text = text;
    this.#stepsLeft = maxSteps(text.length);
    this.#startAt(0);
  }

  #startAt(from: number): void {
    this.#from = from;
    this.#slots.fill(UNSET);
    this.#stack.height = 0;
    this.#frames.length = 0;
    this.#place = this.#program.start;
    this.#at = from;
    this.#backwards = false;
    this.#compared = 0;
  }

  /** @throws RegexLimitError */
  go(meter: Meter): boolean | undefined {
    for (;;) {
      const isFound = this.#run(meter);
      if (isFound === undefined) return undefined;
      if (isFound || !this.#startNext()) {
        this.#report(meter);
        this.#text = "";
        this.#stack.clear();
        this.#ended(this);
        return isFound;
      }
    }
  }

  /** @returns whether another start position is left */
  #startNext(): boolean {
    if (this.#anchored) return false;
    let from = this.#from + 1;
    if (isInsidePair(this.#text, from)) from++;
    if (from > this.#text.length) return false;
    this.#startAt(from);
    return true;
  }

  /** Tries to match from one start position; `undefined` when a pause is due. */
  #run(meter: Meter): boolean | undefined {
    const { instructions } = this.#program;
    for (;;) {
      if (this.#steps >= PORTION) {
        this.#report(meter);
        if (meter.isSliceOver) return undefined;
      }
      this.#steps++;
      const instruction = instructions[this.#place] as Instruction;
      if (instruction.op === "match" && this.#frames.length === 0) return true;
      if (!this.#step(instruction) && !this.#backtrack()) return false;
    }
  }

  #report(meter: Meter): void {
    const steps = this.#steps;
    this.#steps = 0;
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new RegexLimitError("too many steps");
    meter.spend(steps);
  }

  /** @returns whether the instruction matched */
  #step(instruction: Instruction): boolean {
    const at = this.#at;
    switch (instruction.op) {
      case "set": {
        const codePoint = characterAt(this.#text, at, this.#backwards);
        if (!this.#contains(instruction.set, codePoint)) return false;
        const width = codePoint > 0xffff ? 2 : 1;
        this.#at = this.#backwards ? at - width : at + width;
        this.#place = instruction.next;
        return true;
      }
      case "split":
        this.#stack.push(instruction.second, at);
        this.#place = instruction.first;
        return true;
      case "assertion": {
        const left = contextOf(characterAt(this.#text, at, true));
        this.#place = instruction.next;
        return isAssertionMet(instruction.what, left, contextOf(characterAt(this.#text, at, false)));
      }
      case "save":
        this.#set(instruction.slot, at);
        this.#place = instruction.next;
        return true;
      case "round":
        this.#place = this.#slots[instruction.slot] === at ? instruction.leave : instruction.next;
        return true;
      case "condition":
        this.#place = this.#isSet(instruction.group) ? instruction.yes : instruction.no;
        return true;
      case "backreference":
        return this.#matchBackreference(instruction.group, instruction.ignoreCase, instruction.next);
      case "atomic":
        this.#enter(instruction.body, { next: instruction.next, at: -1, isNegative: false }, this.#backwards);
        return true;
      case "lookaround": {
        const lookaround = this.#program.lookarounds[instruction.lookaround];
        if (!lookaround) throw new Error("a lookaround is part of its program");
        this.#enter(
          lookaround.start,
          { next: instruction.next, at, isNegative: instruction.negative },
          lookaround.behind,
        );
        return true;
      }
      case "match":
        return this.#leave();
    }
  }

  #enter(body: number, frame: Pick<Frame, "next" | "at" | "isNegative">, backwards: boolean): void {
    this.#frames.push({ ...frame, base: this.#stack.height, backwards: this.#backwards });
    this.#place = body;
    this.#backwards = backwards;
  }

  /** Ends the innermost frame with a match. Captures of a negative lookaround are never visible outside. */
  #leave(): boolean {
    const frame = this.#frames.pop() as Frame;
    this.#dropChoices(frame.base);
    this.#backwards = frame.backwards;
    if (frame.isNegative) return false;
    this.#place = frame.next;
    if (frame.at >= 0) this.#at = frame.at;
    return true;
  }

  #contains(index: number, codePoint: number): boolean {
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

  #isSet(group: number): boolean {
    return this.#slots[2 * group] !== UNSET && this.#slots[2 * group + 1] !== UNSET;
  }

  /** Matches a backreference. A group without a match matches nothing, not even the empty string. */
  #matchBackreference(group: number, ignoreCase: boolean, next: number): boolean {
    if (!this.#isSet(group)) return false;
    const [start, end] = [this.#slots[2 * group] as number, this.#slots[2 * group + 1] as number];
    const length = end - start;
    const from = this.#backwards ? this.#at - length : this.#at;
    if (from < 0 || from + length > this.#text.length) return false;
    if (this.#compared === 0) {
      this.#steps += length;
      if (this.#text.slice(start, end) === this.#text.slice(from, from + length))
        return this.#continueAt(next, from, length);
    }
    if (!ignoreCase) return false;
    // In portions, since this can be slow: the instruction repeats until everything is compared.
    const until = Math.min(this.#compared + COMPARED_UNITS, length);
    const same = compareIgnoringCase(this.#text, start, from, this.#compared, until);
    this.#compared = same >= 0 && same < length ? same : 0;
    this.#steps += COMPARED_UNITS;
    if (this.#compared > 0) return true;
    return same >= 0 && this.#continueAt(next, from, length);
  }

  #continueAt(place: number, from: number, length: number): true {
    this.#at = this.#backwards ? from : from + length;
    this.#place = place;
    return true;
  }

  #set(slot: number, value: number): void {
    this.#stack.push(-1 - slot, this.#slots[slot] as number);
    this.#slots[slot] = value;
  }

  /** Backtracks to the last choice, and out of frames without any left. @returns whether there is one */
  #backtrack(): boolean {
    for (;;) {
      const frame = this.#frames.at(-1);
      if (this.#popChoice(frame === undefined ? 0 : frame.base)) return true;
      if (frame === undefined) return false;
      this.#frames.pop();
      this.#backwards = frame.backwards;
      if (!frame.isNegative) continue;
      this.#place = frame.next;
      this.#at = frame.at;
      return true;
    }
  }

  #popChoice(base: number): boolean {
    const stack = this.#stack;
    while (stack.height > base) {
      stack.height -= 2;
      const first = stack.at(stack.height);
      const second = stack.at(stack.height + 1);
      if (first >= 0) {
        this.#place = first;
        this.#at = second;
        return true;
      }
      this.#slots[-1 - first] = second;
    }
    return false;
  }

  /** Drops the choices above the base after a match. Previous slot values stay for further backtracking. */
  #dropChoices(base: number): void {
    this.#steps += (this.#stack.height - base) >> 1;
    this.#stack.dropChoices(base);
  }
}
