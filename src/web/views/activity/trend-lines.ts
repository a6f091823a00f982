// The lines of a trend, from the bars of a period and of the one before. Pure.
import { keyOf, labelOf } from "../../categories.js";
import type { CategoryColors } from "../../category-colors.js";
import { type Bars, sumByTopCategory, sumSeconds, timesWithin } from "./bars.js";
import { previousSums } from "./previous-period.js";

/** A line to choose. */
export interface TrendLine {
  readonly key: string;
  /** Empty for all active time. */
  readonly name: readonly string[];
  /** CSS color. */
  readonly color: string;
  /** In seconds; parts in the future are absent. */
  readonly values: readonly number[];
  /** The period before; `undefined` if it is unknown or empty. */
  readonly before: readonly number[] | undefined;
}

/** Categories that are lines without being selected, the longest ones. */
const MAX_TOP = 8;

export interface TrendInput {
  readonly bars: Bars;
  /** The period before, up to the time that is compared. */
  readonly before: Bars | undefined;
  readonly zone: string;
  readonly colors: CategoryColors;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The line of all active time, or of a category with its subcategories. */
export function trendLine(name: readonly string[], { bars, before, zone, colors, now }: TrendInput): TrendLine {
  const within = (of: Bars): Bars => ({ parts: of.parts, times: timesWithin(of, name) });
  const past = before?.times.some((own) => own.length > 0) && previousSums(bars.parts, within(before), zone);
  return {
    ...{ key: keyOf(name), name, color: name.length === 0 ? "var(--ink)" : colors.of(name) },
    values: within(bars)
      .times.slice(0, bars.parts.filter(({ start }) => start <= now).length)
      .map(sumSeconds),
    before: past ? past.slice(0, before?.parts.length) : undefined,
  };
}

/** The top-level categories with the most time. */
export function topCategories({ times }: Bars): readonly (readonly string[])[] {
  return [...sumByTopCategory(times.flat()).keys()].slice(0, MAX_TOP).map((name) => [name]);
}

/** Other categories to choose from, by name. */
export function otherCategories(
  { times }: Bars,
  shown: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const known = new Set(shown.map(keyOf));
  const others = new Map<string, readonly string[]>();
  for (const { name } of times.flat()) {
    for (const depth of name.keys()) {
      const level = name.slice(0, depth + 1);
      if (!known.has(keyOf(level))) others.set(keyOf(level), level);
    }
  }
  return [...others.values()].sort((a, b) => labelOf(a).localeCompare(labelOf(b)));
}
