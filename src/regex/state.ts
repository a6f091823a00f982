/** Possible places in a program between two characters. States are computed during a search, and cached. */
export interface State {
  /** Instructions to continue with. */
  readonly places: Int32Array;
  /** Context bits of the last character read. */
  readonly context: number;
  /** Whether a match ended before the last character read. */
  readonly hasMatched: boolean;
  /** Whether no match is possible anymore. */
  readonly isDead: boolean;
  /** Whether `hasMatched` or `isDead` is set. */
  readonly isSpecial: boolean;
  /** The state after each letter, computed lazily. */
  readonly next: (State | undefined)[];
}

/** Creates a state without known transitions. */
export function createState(places: Int32Array, context: number, hasMatched: boolean, isDead: boolean): State {
  return { places, context, hasMatched, isDead, isSpecial: hasMatched || isDead, next: [] };
}

/** Copies a state without its transitions, for an automaton whose letters have changed. */
export function copyWithoutTransitions({ places, context, hasMatched, isDead }: State): State {
  return createState(places, context, hasMatched, isDead);
}

/** Progress of a search by an automaton. */
export interface Progress {
  readonly text: string;
  /** 1 at each position where a match ends, or where it starts if the program reads from right to left. */
  readonly marks: Uint8Array | undefined;
  /** Results of the lookarounds, in order. */
  readonly answers: Uint8Array[];
  /** The lookaround in progress. */
  lookaround: Progress | undefined;
  at: number;
  state: State;
  /** Age of the automaton when the search reached the state. */
  age: number;
}
