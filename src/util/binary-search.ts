/**
 * Finds the first integer from `from` that meets a condition, by binary search: all later integers must meet it as
 * well.
 *
 * @returns `to` if no earlier integer meets it
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
