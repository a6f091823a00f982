/**
 * Finds the first integer from `from` on for which a condition holds, by halves: from there on it must always hold.
 *
 * @returns `to` if it does not hold before
 */
export function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
