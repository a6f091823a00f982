import type { Assertion, Lookaround, Node, Repeat } from "./ast.js";
import type { CharSet } from "./char-set.js";

/** One instruction of a program. References to other instructions are their indexes. */
export type Instruction =
  | { readonly op: "match" }
  /** Consumes one character of the set `programs.sets[set]`. */
  | { readonly op: "set"; readonly set: number; readonly next: number }
  /** Continues at both, trying `first` first. */
  | { op: "split"; first: number; second: number }
  | { readonly op: "assertion"; readonly what: Assertion; readonly next: number }
  /** Evaluates `lookarounds[lookaround]`. */
  | { readonly op: "lookaround"; readonly lookaround: number; readonly negative: boolean; readonly next: number }
  /** Saves the position. Slots 2n and 2n + 1 are the ends of group n; further ones are starts of loop iterations. */
  | { readonly op: "save"; readonly slot: number; readonly next: number }
  /** Ends a loop iteration. Leaves the loop if the iteration was empty. */
  | { readonly op: "round"; readonly slot: number; readonly next: number; readonly leave: number }
  | { readonly op: "backreference"; readonly group: number; readonly ignoreCase: boolean; readonly next: number }
  /** Matches `body` in the first possible way only. */
  | { readonly op: "atomic"; readonly body: number; readonly next: number }
  | { readonly op: "condition"; readonly group: number; readonly yes: number; readonly no: number };

/** A lookaround as instructions. */
export interface LookaroundProgram {
  readonly behind: boolean;
  /** Index of its first instruction, if it is part of the same program. */
  readonly start: number;
  /** A separate program that runs toward the position. */
  readonly program: Program | undefined;
}

/** A pattern as instructions. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  readonly sets: readonly CharSet[];
  readonly lookarounds: readonly LookaroundProgram[];
  /** Whether it reads from right to left. */
  readonly backwards: boolean;
  readonly slotCount: number;
}

/** Compiles for the automaton: without groups and priorities, since only the existence of a match matters. */
export function stateProgram(root: Node, backwards = false): Program {
  return new Builder(backwards, 0).build(root);
}

/** Compiles for the backtracking matcher: with groups, and with all lookarounds in one program. */
export function backtrackingProgram(root: Node, groupCount: number): Program {
  return new Builder(false, 2 * (groupCount + 1)).build(root);
}

class Builder {
  readonly #instructions: Instruction[] = [];
  readonly #sets: CharSet[] = [];
  readonly #setPlaces = new Map<CharSet, number>();
  readonly #lookarounds: LookaroundProgram[] = [];
  /** Copies of a repeated lookaround share one entry. */
  readonly #lookaroundPlaces = new Map<Lookaround, number>();
  #slotCount: number;
  #backwards: boolean;
  readonly #remembers: boolean;

  /** @param slotCount 0 = groups are not saved */
  constructor(backwards: boolean, slotCount: number) {
    this.#backwards = backwards;
    this.#slotCount = slotCount;
    this.#remembers = slotCount > 0;
  }

  build(root: Node): Program {
    const backwards = this.#backwards;
    const start = this.#emit(root, this.#add({ op: "match" }));
    return {
      instructions: this.#instructions,
      start,
      sets: this.#sets,
      lookarounds: this.#lookarounds,
      backwards,
      slotCount: this.#slotCount,
    };
  }

  #add(instruction: Instruction): number {
    return this.#instructions.push(instruction) - 1;
  }

  /** @returns the first instruction of the node; after it, matching continues at `next` */
  #emit(node: Node, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "set":
        return this.#add({ op: "set", set: this.#placeOf(node.set), next });
      case "assertion":
        return this.#add({ op: "assertion", what: node.what, next });
      case "sequence":
        return this.#backwards
          ? node.items.reduce((after, item) => this.#emit(item, after), next)
          : node.items.reduceRight((after, item) => this.#emit(item, after), next);
      case "choice":
        return node.options
          .map((option) => this.#emit(option, next))
          .reduceRight((second, first) => this.#add({ op: "split", first, second }));
      case "group":
        return this.#emitGroup(node.body, node.index, next);
      case "atomic":
        return this.#add({ op: "atomic", body: this.#emit(node.body, this.#add({ op: "match" })), next });
      case "backreference":
        return this.#add({ op: "backreference", group: node.group, ignoreCase: node.ignoreCase, next });
      case "condition":
        return this.#add({
          op: "condition",
          group: node.group,
          yes: this.#emit(node.yes, next),
          no: this.#emit(node.no, next),
        });
      case "lookaround":
        return this.#emitLookaround(node, next);
      case "repeat":
        return this.#emitRepeat(node, next);
    }
  }

  #placeOf(set: CharSet): number {
    let place = this.#setPlaces.get(set);
    if (place === undefined) {
      place = this.#sets.push(set) - 1;
      this.#setPlaces.set(set, place);
    }
    return place;
  }

  #emitGroup(body: Node, index: number, next: number): number {
    if (!this.#remembers) return this.#emit(body, next);
    const [nearSlot, farSlot] = this.#backwards ? [2 * index + 1, 2 * index] : [2 * index, 2 * index + 1];
    const inside = this.#emit(body, this.#add({ op: "save", slot: farSlot, next }));
    return this.#add({ op: "save", slot: nearSlot, next: inside });
  }

  #emitLookaround(node: Lookaround, next: number): number {
    let lookaround = this.#lookaroundPlaces.get(node);
    if (lookaround === undefined) {
      const program = this.#lookaroundProgram(node);
      lookaround = this.#lookarounds.push(program) - 1;
      this.#lookaroundPlaces.set(node, lookaround);
    }
    return this.#add({ op: "lookaround", lookaround, negative: node.negative, next });
  }

  #lookaroundProgram({ body, behind }: Lookaround): LookaroundProgram {
    // The automaton evaluates a lookaround from the far end toward the position.
    if (!this.#remembers) return { behind, start: 0, program: stateProgram(body, !behind) };
    const outer = this.#backwards;
    this.#backwards = behind;
    const start = this.#emit(body, this.#add({ op: "match" }));
    this.#backwards = outer;
    return { behind, start, program: undefined };
  }

  #emitRepeat(repeat: Repeat, next: number): number {
    const { body, min, max } = repeat;
    let entry = next;
    let copies = min;
    if (max === Number.POSITIVE_INFINITY) {
      entry = this.#emitLoop(repeat, next);
      if (min > 0) copies--;
    } else {
      for (let count = min; count < max; count++) entry = this.#addSplit(repeat, this.#emit(body, entry), next);
    }
    for (let count = 0; count < copies; count++) entry = this.#emit(body, entry);
    return entry;
  }

  /** A loop of any number of iterations; of at least one if the minimum is above 0. */
  #emitLoop(repeat: Repeat, next: number): number {
    const split = this.#addSplit(repeat, 0, next);
    let inside: number;
    if (this.#remembers) {
      const slot = this.#slotCount++;
      const body = this.#emit(repeat.body, this.#add({ op: "round", slot, next: split, leave: next }));
      inside = this.#add({ op: "save", slot, next: body });
    } else {
      inside = this.#emit(repeat.body, split);
    }
    const instruction = this.#instructions[split];
    if (instruction?.op !== "split") throw new Error("a loop begins with a split");
    if (repeat.lazy) instruction.second = inside;
    else instruction.first = inside;
    return repeat.min > 0 ? inside : split;
  }

  #addSplit({ lazy }: Repeat, inside: number, next: number): number {
    return this.#add({ op: "split", first: lazy ? next : inside, second: lazy ? inside : next });
  }
}
