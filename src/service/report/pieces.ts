import type { Micros } from "../../domain/time.js";
import { type Calendar, daysBetween, type Period } from "../../report/calendar.js";
import type { Piece } from "../../report/piece.js";
import type { Steps } from "../../transforms/steps.js";

/** Longer periods are sums of months. */
const MAX_DAYS = 62;

/** The parts of a period: past days or months, and the days of the current month. Later days are part of today. */
export function* piecesOf(period: Period, calendar: Calendar, now: Micros): Steps<Piece[]> {
  const days = yield* calendar.borders(period, "day");
  const today = calendar.around("day", calendar.dayAt(now)).start;
  let past = days.filter((at) => at <= today);
  if (daysBetween(period.first, period.last) >= MAX_DAYS) {
    const months = new Set(yield* calendar.borders(period, "month"));
    const lastMonth = past.findLast((at) => months.has(at)) ?? period.start;
    past = past.filter((at) => months.has(at) || at > lastMonth);
  }
  const borders = [period.start, ...past.filter((at) => at > period.start && at < period.end), period.end];
  return borders.slice(1).map((end, at) => joined({ start: borders[at] as number, end }, period));
}

/** Joins adjacent parts, from the start of the first to the end of the last. */
export function joined({ start, end }: Pick<Piece, "start" | "end">, period: Pick<Period, "start" | "end">): Piece {
  return { start, end, isFirst: start === period.start, isLast: end === period.end };
}
