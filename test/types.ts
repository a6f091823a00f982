// Comparisons that the compiler makes.

export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles where two types are the same. */
export const same = <A, B>(..._: Equal<A, B> extends true ? [] : [never]): void => undefined;
