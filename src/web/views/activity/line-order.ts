// Sorting of a panel's lines. Pure.
import type { Line } from "./panel.js";

/** Sort order. */
export interface LineOrder {
  readonly by: "time" | "change";
  readonly descending: boolean;
}

/** Sorts lines. Lines of a tree stay below their parents and are sorted among siblings. */
export function sortedLines(lines: readonly Line[], order: LineOrder, isTree: boolean): readonly Line[] {
  if (order.by === "time" && order.descending) return lines;
  if (!isTree) return [...lines].sort(comparison(order));
  return sortedTree(lines, 0, order);
}

function sortedTree(lines: readonly Line[], depth: number, order: LineOrder): readonly Line[] {
  const families: Line[][] = [];
  for (const line of lines) {
    const family = families.at(-1);
    if ((line.depth ?? 0) <= depth || family === undefined) families.push([line]);
    else family.push(line);
  }
  const compare = comparison(order);
  const headed = families.flatMap((family) => (family[0] === undefined ? [] : [{ head: family[0], family }]));
  return headed
    .sort((a, b) => compare(a.head, b.head))
    .flatMap(({ head, family }) => [head, ...(family.length > 1 ? sortedTree(family.slice(1), depth + 1, order) : [])]);
}

/** Lines without a change are last in both directions. */
function comparison({ by, descending }: LineOrder): (a: Line, b: Line) => number {
  const direction = descending ? -1 : 1;
  return (a, b) => {
    if (by === "time") return (a.seconds - b.seconds) * direction;
    if (a.change === undefined || b.change === undefined) {
      return Number(a.change === undefined) - Number(b.change === undefined);
    }
    return (a.change - b.change) * direction;
  };
}
