// Converts rows of responses to lines of a panel. Pure.

import type { Goal } from "../../../domain/goals.js";
import { labelOf, UNCATEGORIZED } from "../../categories.js";
import type { CategoryColors } from "../../category-colors.js";
import { createCategoryCondition } from "../../filter/handle.js";
import { goalsOf, type Span, targetsIn } from "../../goals.js";
import type { Line, Segment } from "./panel.js";
import { type CategoryTime, categoryRows, identityOf, type Row } from "./results.js";

/** Maximum number of segments of a bar. Further ones are too short to see and join the last one. */
const MOST_SEGMENTS = 6;

/** Context for displaying a period's categories. */
export interface CategoryContext {
  readonly colors: CategoryColors;
  readonly goals: readonly Goal[];
  readonly span: Span;
  /** Times of the previous period; `undefined` = not loaded yet. */
  readonly before: readonly CategoryTime[] | undefined;
}

/** Categories as a tree. */
export function categoryLines(times: readonly CategoryTime[], context: CategoryContext): readonly Line[] {
  const { colors, goals, span, before } = context;
  const past = before && new Map(categoryRows(before).map(({ name, seconds }) => [labelOf(name), seconds]));
  return categoryRows(times)
    .filter(({ seconds }) => seconds > 0)
    .map(({ name, seconds }) => ({
      key: JSON.stringify(name),
      label: name.length === 1 ? labelOf(name) : (name.at(-1) ?? ""),
      within: name.length > 1 ? labelOf(name.slice(0, -1)) : undefined,
      seconds,
      segments: [segmentOf(name, seconds, colors)],
      change: past && seconds - (past.get(labelOf(name)) ?? 0),
      targets: targetsIn(goalsOf(goals, name), span),
      depth: name.length - 1,
      handle: createCategoryCondition(name),
    }));
}

/** Categories that only the previous period has. */
export function goneCategories(times: readonly CategoryTime[], before: readonly CategoryTime[] = []): readonly Line[] {
  const now = new Set(categoryRows(times).map(({ name }) => labelOf(name)));
  return categoryRows(before)
    .filter(({ name, seconds }) => seconds > 0 && !now.has(labelOf(name)))
    .map(({ name, seconds }) => ({
      key: JSON.stringify(name),
      label: labelOf(name),
      seconds: 0,
      segments: [],
      change: -seconds,
    }));
}

/** Rows of the previous period, by identity. */
export interface RowsBefore {
  readonly rows: readonly Row[];
  /** Whether the list was truncated, so that missing rows are unknown. */
  readonly isCut: boolean;
}

/** @param colors if omitted, lines are neutral */
export function rowLines(
  rows: readonly Row[],
  before: RowsBefore | undefined,
  colors: CategoryColors | undefined,
): readonly Line[] {
  const past = before && new Map(before.rows.map((row) => [identityOf(row), row.seconds]));
  return rows.map((row) => {
    const old = past?.get(identityOf(row)) ?? (before?.isCut === false ? 0 : undefined);
    const change = old === undefined ? undefined : row.seconds - old;
    return { ...row, segments: createSegments(row, colors), change };
  });
}

/** Rows that only the previous period has, unless they may be beyond the end of the list. */
export function goneRows(rows: readonly Row[], before: RowsBefore | undefined, isCut: boolean): readonly Line[] {
  if (before === undefined || isCut) return [];
  const now = new Set(rows.map(identityOf));
  return before.rows
    .filter((row) => !now.has(identityOf(row)))
    .map((row) => ({
      ...{ ...row, key: `gone ${row.key}`, handle: undefined },
      ...{ seconds: 0, segments: [], change: -row.seconds },
    }));
}

function createSegments(
  { seconds, category, parts = [] }: Row,
  colors: CategoryColors | undefined,
): readonly Segment[] {
  if (colors === undefined || category === undefined) return [{ color: undefined, seconds }];
  if (parts.length < 2) return [segmentOf(category, seconds, colors)];
  const few = parts.slice(0, MOST_SEGMENTS);
  const rest = seconds - few.reduce((sum, part) => sum + part.seconds, 0);
  const segments = few.map((part) => segmentOf(part.name, part.seconds, colors));
  return rest > 1 ? [...segments, { color: undefined, seconds: rest }] : segments;
}

function segmentOf(name: readonly string[], seconds: number, colors: CategoryColors): Segment {
  return { color: colors.of(name), seconds, isHatched: name[0] === UNCATEGORIZED };
}
