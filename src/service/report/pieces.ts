import type { Micros } from "../../domain/time.js";
import { type Calendar, daysBetween, type Period } from "../../report/calendar.js";
import type { Piece } from "../../report/piece.js";
import type { Steps } from "../../transforms/steps.js";

/** Longer periods are sums of months. */
const MAX_DAYS = 62;

/** A part of a period, and its own parts: its sums are those of its parts. */
export interface PieceTree {
  readonly piece: Piece;
  /** Empty if it is summed up from events. */
  readonly parts: readonly PieceTree[];
  readonly isYear: boolean;
}

/**
 * The parts of a period: past days or months, and the days of the current month. Later days are part of today. The
 * months of a whole year are together, and so is the past.
 */
export function* piecesOf(period: Period, calendar: Calendar, now: Micros): Steps<PieceTree> {
  const days = yield* calendar.borders(period, "day");
  const today = calendar.around("day", calendar.dayAt(now)).start;
  let past = days.filter((at) => at <= today);
  const years: Micros[] = [];
  if (daysBetween(period.first, period.last) >= MAX_DAYS) {
    const months = new Set(yield* calendar.borders(period, "month"));
    const lastMonth = past.findLast((at) => months.has(at)) ?? period.start;
    past = past.filter((at) => months.has(at) || at > lastMonth);
    for (const at of past) if (calendar.dayAt(at).endsWith("-01-01")) years.push(at);
  }
  const borders = [period.start, ...past.filter((at) => at > period.start && at < period.end), period.end];
  const leaves = borders.slice(1).map((end, at): PieceTree => {
    return { piece: joined({ start: borders[at] as number, end }, period), parts: [], isYear: false };
  });
  let trees: readonly PieceTree[] = leaves;
  for (const [at, start] of years.entries()) {
    const end = years[at + 1];
    if (end !== undefined) trees = together(trees, { start, end }, period, true);
  }
  const lastBorder = past.findLast((at) => at > period.start) ?? period.start;
  trees = together(trees, { start: period.start, end: lastBorder }, period, false);
  const [only] = trees;
  return trees.length === 1 && only !== undefined
    ? only
    : { piece: joined(period, period), parts: trees, isYear: false };
}

/** Puts the parts of a range together, if there are several. */
function together(
  trees: readonly PieceTree[],
  { start, end }: Pick<Piece, "start" | "end">,
  period: Period,
  isYear: boolean,
): readonly PieceTree[] {
  const from = trees.findIndex(({ piece }) => piece.start === start);
  const to = trees.findIndex(({ piece }) => piece.end === end) + 1;
  if (from < 0 || to - from < 2) return trees;
  const parts = trees.slice(from, to);
  return [...trees.slice(0, from), { piece: joined({ start, end }, period), parts, isYear }, ...trees.slice(to)];
}

/** Joins adjacent parts, from the start of the first to the end of the last. */
export function joined({ start, end }: Pick<Piece, "start" | "end">, period: Pick<Period, "start" | "end">): Piece {
  return { start, end, isFirst: start === period.start, isLast: end === period.end };
}

/** The parts that are summed up from events. */
export function* leavesOf(tree: PieceTree): Iterable<PieceTree> {
  if (tree.parts.length === 0) yield tree;
  for (const part of tree.parts) yield* leavesOf(part);
}
