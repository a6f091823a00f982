// Goals and limits of the setting `goals` (docs/guides/goals.md) for a period.
import type { DomainOf } from "../api/codec.js";
import type { Goal } from "../domain/goals.js";
import { type Micros, microsToSeconds } from "../domain/time.js";
import type { CalendarDay } from "./calendar.js";
import { sumsIn } from "./part.js";
import type { Summary } from "./summary.js";
import { addTime, type CategorySum } from "./sums.js";

type ReportGoal = DomainOf<"ReportGoal">;

/** A day with activity. */
export interface ActiveDay {
  readonly isWorkday: boolean;
  readonly sums: readonly CategorySum[];
}

/** The days with activity, from the bins of a summary. @param days ascending */
export function activeDaysOf(
  { borders, activeInBins, categoriesInBins, names }: Summary,
  days: readonly CalendarDay[],
  workdays: readonly number[],
): readonly ActiveDay[] {
  let bin = 0;
  return days.flatMap(({ date, end }) => {
    const times: Micros[] = [];
    let active = 0;
    for (; bin < activeInBins.length && (borders[bin] as number) < end; bin++) {
      active += activeInBins[bin] as number;
      const own = categoriesInBins[bin] ?? [];
      for (let at = 0; at < own.length; at += 2) addTime(times, own[at] as number, own[at + 1] as number);
    }
    const isWorkday = workdays.includes(new Date(date).getUTCDay());
    return active > 0 ? [{ isWorkday, sums: sumsIn(times, names) }] : [];
  });
}

/** The period that goals apply to. */
export interface GoalPeriod {
  readonly sums: readonly CategorySum[];
  readonly days: number;
  /** Empty in a period of one day. */
  readonly activeDays: readonly ActiveDay[];
}

/**
 * The goals that apply to a period, with the time spent. Weekly ones do not apply to a day. In a longer period, daily
 * goals apply to each workday with activity, and daily limits to each day with activity.
 */
export function goalsIn(goals: readonly Goal[], { sums, days, activeDays }: GoalPeriod): ReportGoal[] {
  return goals.flatMap((goal): ReportGoal[] => {
    const { seconds: each, ...rest } = goal;
    const seconds = secondsIn(sums, goal);
    if (goal.per === "week") return days === 1 ? [] : [{ ...rest, target: (each * days) / 7, seconds }];
    if (days === 1) return [{ ...rest, target: each, seconds }];
    const counted = activeDays.filter(({ isWorkday }) => isWorkday || goal.kind === "limit");
    const met = counted.filter(({ sums }) => {
      const spent = secondsIn(sums, goal);
      return goal.kind === "limit" ? spent <= each : spent >= each;
    });
    const count = counted.length;
    return count === 0 ? [] : [{ ...rest, target: each * count, seconds, days: { count, met: met.length } }];
  });
}

function secondsIn(sums: readonly CategorySum[], { category }: Goal): number {
  const within = sums.filter(({ name }) => category.every((level, depth) => level === name[depth]));
  return microsToSeconds(within.reduce((sum, { micros }) => sum + micros, 0));
}
