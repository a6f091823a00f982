import type { uvu } from "uvu";

/** Whether there is time for the long tests: `npm run test:long`. */
export const IS_LONG: boolean = process.env["TEST_LONG"] === "1";

/** A number that a variable of the environment may set, for one who looks for more. */
export function sizeOf(variable: string, sizes: { readonly short: number; readonly long: number }): number {
  return Number(process.env[variable] ?? (IS_LONG ? sizes.long : sizes.short));
}

const DAY_MILLIS = 86_400_000;

/** A seed: of the day in the long tests, so that runs over time try more than one does; a variable repeats one. */
export function seedOf(variable: string): number {
  return sizeOf(variable, { short: 1, long: Math.floor(Date.now() / DAY_MILLIS) });
}

/** One of so many parts of a list in the long tests, another one each day; all of it in the short ones. */
export function partOfDay<T>(items: readonly T[], parts: number): readonly T[] {
  const turn = seedOf("PART_OF_DAY") % parts;
  // Shifted in each row of parts: neighbours often differ in one respect, and always by the same period.
  return IS_LONG ? items.filter((_, index) => (index + Math.floor(index / parts)) % parts === turn) : items;
}

/** All of a list in the long tests; in the short ones every n-th. */
export function sampleOf<T>(items: readonly T[], every: number): readonly T[] {
  return IS_LONG ? items : items.filter((_, index) => index % every === 0);
}

/** Added to indexes in samples that rotate: another number each day. A variable repeats a day. */
export const SAMPLE_TURN: number = Number(process.env["SAMPLE_TURN"] ?? Math.floor(Date.now() / DAY_MILLIS));

/** All of a list in the long tests; in the short ones every n-th, starting at another one each day. */
export function rotatingSampleOf<T>(items: readonly T[], every: number): readonly T[] {
  return IS_LONG ? items : items.filter((_, index) => (index + SAMPLE_TURN) % every === 0);
}

/** All of a list in the long tests; in the short ones one of each two neighbours, the first and the second in turn. */
export function onePerPair<T>(items: readonly T[]): readonly T[] {
  return IS_LONG ? items : items.filter((_, index) => index % 2 === (index >> 1) % 2);
}

/**
 * Adds tests to a suite in the long tests alone: states, edges, repetitions at other widths, colours or languages, and
 * errors that are seldom reached. The main tasks that people do are tests of the short ones.
 */
export function detailsOf<T>(test: uvu.Test<T>): (name: string, body: uvu.Callback<T>) => void {
  return (name, body) => {
    if (IS_LONG) test(name, body);
  };
}
