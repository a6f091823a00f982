// Rounds durations so that displayed values add up. Pure.
import type { SheetChoice, Sum } from "./choice.js";

/** The cells of a row, and their sum. */
export interface RoundedRow {
  readonly cells: readonly number[];
  readonly total: number;
}

/** The unit of the last digit of decimal hours, so that written values add up. */
const LAST_DIGITS = { 1: 0.36, 60: 36, 360: 360, 900: 900, 1800: 1800 } as const;

/** Rounding unit in seconds. */
export function unitOf({ form, step }: Pick<SheetChoice, "form" | "step">): number {
  return form === "hours" ? LAST_DIGITS[step] : step;
}

/** Rounds to a multiple of the step, half up. */
export function roundTo(seconds: number, step: number): number {
  return Math.round(seconds / step) * step;
}

/** Rounds up to a multiple of the step. Fractions of a second are rounded first, so that none starts a new step. */
export function roundUpTo(seconds: number, step: number): number {
  return step <= 1 ? roundTo(seconds, step) : Math.ceil(Math.round(seconds) / step) * step;
}

/**
 * Rounds the cells of a row. With `cells`, each cell is rounded separately, and the total is their sum. With `row`, the
 * total is rounded, and the remainder goes to the cells that lose most by rounding down (largest remainder method), so
 * that no cell is off by a whole step. With `row_up` and `cells_up`, totals or cells are rounded up.
 */
export function roundRow(seconds: readonly number[], step: number, sum: Sum): RoundedRow {
  const rounded = sum === "row_up" || sum === "cells_up" ? roundUpTo : roundTo;
  if (sum === "cells" || sum === "cells_up") {
    const cells = seconds.map((one) => rounded(one, step));
    return { cells, total: cells.reduce((whole, one) => whole + one, 0) };
  }
  const total = rounded(
    seconds.reduce((whole, one) => whole + one, 0),
    step,
  );
  const cells = seconds.map((one) => Math.floor(one / step) * step);
  const left = Math.round((total - cells.reduce((whole, one) => whole + one, 0)) / step);
  const remainder = (index: number): number => (seconds[index] ?? 0) - (cells[index] ?? 0);
  const order = [...seconds.keys()].sort((a, b) => remainder(b) - remainder(a) || a - b);
  for (const index of order.slice(0, left)) cells[index] = (cells[index] ?? 0) + step;
  return { cells, total };
}
