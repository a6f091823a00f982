// Converts rows of reports to lines of a panel. Pure.
import { keyOf, labelOf, UNCATEGORIZED } from "../../categories.js";
import type { CategoryColors } from "../../category-colors.js";
import { createCategoryCondition } from "../../filter/handle.js";
import type { Targets } from "../../goals.js";
import { shortNames } from "../../parts/name.js";
import type { Report, ReportGoal, ReportGroup, ReportRow } from "../../report.js";
import type { Line, Segment } from "./panel.js";
import { identityOf, MIN_ROW, type Row, rowsOf } from "./rows.js";

/** Maximum number of segments of a bar. Further ones are too short to see and join the last one. */
const MAX_SEGMENTS = 6;
/** Maximum number of titles below an app. */
const MAX_TITLES = 5;

/** Categories as a tree. */
export function categoryLines(
  group: ReportGroup | undefined,
  { colors, goals }: { readonly colors: CategoryColors; readonly goals: readonly ReportGoal[] },
): readonly Line[] {
  return listed(group).map(({ name = [], seconds, change }) => ({
    key: keyOf(name),
    label: name.length === 1 ? labelOf(name) : (name.at(-1) ?? ""),
    within: name.length > 1 ? labelOf(name.slice(0, -1)) : undefined,
    ...{ seconds, change },
    segments: [segmentOf(name, seconds, colors)],
    targets: targetsOf(goals, name),
    depth: name.length - 1,
    handle: createCategoryCondition(name),
  }));
}

/** The target times of a category in the period. */
export function targetsOf(goals: readonly ReportGoal[], name: readonly string[]): Targets {
  const own = goals.filter(({ category }) => keyOf(category) === keyOf(name));
  const days = own.flatMap(({ kind, days }) => (days ? [[kind, days] as const] : []));
  return {
    ...Object.fromEntries(own.map(({ kind, target }) => [kind, target])),
    ...(days.length > 0 && { days: Object.fromEntries(days) }),
  };
}

function listed(group: ReportGroup | undefined): ReportGroup["rows"] {
  return (group?.rows ?? []).filter(({ seconds }) => seconds >= MIN_ROW);
}

/** Categories that only the previous period has. */
export function goneCategories(now: ReportGroup | undefined, before: ReportGroup | undefined): readonly Line[] {
  const names = new Set(now?.rows.map(({ key }) => key));
  return listed(before)
    .filter(({ key }) => !names.has(key))
    .map(({ name = [], seconds }) => ({
      ...{ key: keyOf(name), label: labelOf(name), seconds: 0, segments: [], change: -seconds },
    }));
}

/** @param colors if omitted, lines are neutral */
export function rowLines(rows: readonly Row[], colors: CategoryColors | undefined): readonly Line[] {
  return rows.map((row) => ({ ...row, segments: createSegments(row, colors) }));
}

/** Apps in distracting categories, with their longest titles. */
export function distractionLines(
  groups: Report["groups"],
  colors: CategoryColors,
  titleField: (row: ReportRow) => string,
): readonly Line[] {
  const titles = groups["distracting title"]?.rows ?? [];
  return (groups["distracting app"]?.rows ?? []).flatMap((row, at) => {
    const apps = rowLines(rowsOf({ rows: [row] }, "app", at), colors);
    const own = titles.filter(({ app = null }) => app === row.key || row.names?.includes(app ?? ""));
    return apps.flatMap((app) => [
      app,
      ...rowLines(rowsOf({ rows: own.slice(0, MAX_TITLES) }, titleField), colors).map((title) => ({
        ...{ ...title, key: `${app.key} ${title.key}`, note: undefined },
        ...{ within: app.label, depth: 1 },
      })),
    ]);
  });
}

/** Lines that show only the last parts of paths. */
export function withShortNames(lines: readonly Line[]): readonly Line[] {
  const names = shortNames(lines.map(({ label }) => label));
  return lines.map((line) => ({ ...line, shown: names.get(line.label) }));
}

/** Rows that only the previous period has. */
export function goneRows(rows: readonly Row[], before: readonly Row[]): readonly Line[] {
  const now = new Set(rows.map(identityOf));
  return before
    .filter((row) => !now.has(identityOf(row)))
    .map((row) => ({
      ...{ ...row, key: `gone ${row.key}`, handle: undefined },
      ...{ seconds: 0, segments: [], change: -row.seconds },
    }));
}

/** Rows with their difference from other rows. */
export function compared(rows: readonly Row[], before: readonly Row[]): readonly Row[] {
  const past = new Map(before.map((row) => [identityOf(row), row.seconds]));
  return rows.map((row) => ({ ...row, change: row.seconds - (past.get(identityOf(row)) ?? 0) }));
}

function createSegments({ seconds, parts = [] }: Row, colors: CategoryColors | undefined): readonly Segment[] {
  if (colors === undefined) return [{ color: undefined, seconds }];
  const segments = parts.slice(0, MAX_SEGMENTS).map((part) => segmentOf(part.name, part.seconds, colors));
  const rest = seconds - segments.reduce((sum, part) => sum + part.seconds, 0);
  return rest > 1 ? [...segments, { color: undefined, seconds: rest }] : segments;
}

function segmentOf(name: readonly string[], seconds: number, colors: CategoryColors): Segment {
  return { color: colors.of(name), seconds, isHatched: name[0] === UNCATEGORIZED };
}
