/** Where a program can be between two characters. States are found while searching, and remembered. */
export interface State {
  /** Instructions to go on with. */
  readonly places: Int32Array;
  /** What stands on the side that was read already. */
  readonly context: number;
  /** A match ended before the last character that was read. */
  readonly hasMatched: boolean;
  /** Nothing can match any more. */
  readonly isDead: boolean;
  /** Either of the two. */
  readonly isSpecial: boolean;
  /** The state after each letter; empty where that is not known yet. */
  readonly next: (State | undefined)[];
}

/** A state of which nothing is known yet but where it is. */
export function stateOf(places: Int32Array, context: number, hasMatched: boolean, isDead: boolean): State {
  return { places, context, hasMatched, isDead, isSpecial: hasMatched || isDead, next: [] };
}

/** The same state for an automaton that has new letters since. */
export function withoutLetters({ places, context, hasMatched, isDead }: State): State {
  return stateOf(places, context, hasMatched, isDead);
}

/** How far a search by an automaton has come. */
export interface Progress {
  readonly text: string;
  /** 1 at each place where a match ends; where it begins, for a program that is read from right to left. */
  readonly marks: Uint8Array | undefined;
  /** What the lookarounds found, one after the other. */
  readonly answers: Uint8Array[];
  /** The lookaround that is being answered. */
  lookaround: Progress | undefined;
  at: number;
  state: State;
  /** How often the automaton had forgotten its letters when it came to the state. */
  age: number;
}
