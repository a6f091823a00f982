// Nested boxes of categories, from the rows of a report. Pure.
import { keyOf } from "../../categories.js";
import type { ReportGroup } from "../../report.js";
import { MIN_ROW } from "./rows.js";
import { type Box, squarified } from "./squarified.js";

/** A category in the map. */
export interface MapBox {
  readonly name: readonly string[];
  readonly seconds: number;
  readonly box: Box;
  /** Whether there is room for a label. */
  readonly hasLabel: boolean;
}

type CategoryRow = ReportGroup["rows"][number];

/** Height of the label above subcategories, and the border around them, in CSS pixels. */
const HEAD = 20;
const BORDER = 3;
const LEAST_LABEL = { width: 34, height: 16 } as const;
/** Smaller boxes show no subcategories. */
const LEAST_INNER = { width: 40, height: 46 } as const;

/** @param group the tree of categories: parents precede their subcategories, siblings are sorted by time */
export function mapBoxes(group: Pick<ReportGroup, "rows"> | undefined, whole: Box): readonly MapBox[] {
  const rows = (group?.rows ?? []).filter(({ name, seconds }) => name !== undefined && seconds >= MIN_ROW);
  const children = new Map<string, CategoryRow[]>();
  for (const row of rows) {
    const parent = keyOf(row.name?.slice(0, -1) ?? []);
    children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  const place = (parent: readonly string[], own: number, box: Box): readonly MapBox[] => {
    const below = children.get(keyOf(parent)) ?? [];
    if (below.length === 0) return [];
    // The time of the parent itself is an empty place among its subcategories.
    const items: readonly { readonly row?: CategoryRow; readonly seconds: number }[] = [
      ...below.map((row) => ({ row, seconds: row.seconds })),
      ...(own >= MIN_ROW ? [{ seconds: own }] : []),
    ].sort((a, b) => b.seconds - a.seconds);
    const boxes = squarified(
      items.map(({ seconds }) => seconds),
      box,
    );
    return items.flatMap(({ row, seconds }, at) => {
      const each = boxes[at] as Box;
      if (row === undefined) return [];
      const name = row.name ?? [];
      const hasLabel = each.width >= LEAST_LABEL.width && each.height >= LEAST_LABEL.height;
      const hasRoom = each.width >= LEAST_INNER.width && each.height >= LEAST_INNER.height;
      return [{ name, seconds, box: each, hasLabel }, ...(hasRoom ? place(name, row.own ?? 0, innerOf(each)) : [])];
    });
  };
  return whole.width > 0 ? place([], 0, whole) : [];
}

function innerOf({ x, y, width, height }: Box): Box {
  return { x: x + BORDER, y: y + HEAD, width: width - 2 * BORDER, height: height - HEAD - BORDER };
}
