/** What a step does; relative frequencies. */
const WEIGHTS = {
  create: 10,
  heartbeat: 14,
  insert: 8,
  insertMany: 1,
  edit: 9,
  move: 5,
  split: 4,
  deleteEvent: 7,
  deleteMatching: 4,
  deleteBucket: 4,
  restore: 9,
  erase: 1,
  rename: 7,
  renameHost: 3,
  merge: 10,
  undo: 10,
  deleteRedirect: 3,
  privacy: 3,
  retain: 4,
  export: 3,
  import: 5,
  wait: 4,
  restart: 2,
  kill: 2,
} as const;

export type StepKind = keyof typeof WEIGHTS;

/** A step; its numbers choose among what there is when it is played. */
export interface Step {
  readonly kind: StepKind;
  readonly numbers: readonly number[];
}

/** Every other play has little but what happens between a merge and its undo. */
const AROUND_MERGES: Partial<Record<StepKind, number>> = {
  ...{ create: 6, heartbeat: 4, edit: 10, move: 6, split: 8, deleteEvent: 10, restore: 8, merge: 12, undo: 8 },
  ...{ insertMany: 1, deleteMatching: 3, privacy: 2, retain: 2, restart: 1, kill: 1 },
};

function kindsOf(weights: Partial<Record<StepKind, number>>): StepKind[] {
  return (Object.keys(weights) as StepKind[]).flatMap((kind) => new Array<StepKind>(weights[kind] ?? 0).fill(kind));
}

const ALL_KINDS = [WEIGHTS, AROUND_MERGES].map(kindsOf);
const NUMBERS = 8;

export function stepsOf(seed: number, count: number): Step[] {
  const random = randomOf(seed);
  const kinds = ALL_KINDS[seed % ALL_KINDS.length] as StepKind[];
  return Array.from({ length: count }, () => {
    const kind = kinds[random() % kinds.length] as StepKind;
    return { kind, numbers: Array.from({ length: NUMBERS }, () => random() % 1_000_000) };
  });
}

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
