import type { Goal } from "../../../domain/goals.js";
import { formatCount, formatRough } from "../../format.js";
import type { GoalDays, Targets } from "../../goals.js";
import { t } from "../../texts/activity.js";

/** A time range that goals apply to. */
export interface Span {
  readonly days: number;
  /** Number of days with activity, which daily goals apply to. `undefined` until known. */
  readonly activeDays: number | undefined;
}

/** Describes a limit, and by how much it is exceeded. */
export function limitText(seconds: number, limit: number): string {
  if (seconds <= limit) return t("limitIs", { length: formatRough(limit) });
  return t("overLimit", { length: formatRough(seconds - limit), limit: formatRough(limit) });
}

/** Describes on how many days a daily goal was reached or a limit kept. */
export function describeDays(kind: Goal["kind"], days: GoalDays): string {
  const { count, met } = days;
  return t(kind === "goal" ? "reachedOn" : "keptOn", { count, met: formatCount(met) });
}

/** Describes what goals apply to, if that differs from the displayed period. */
export function describeGoals(goals: readonly Goal[], { days, activeDays = 0 }: Span, targets: Targets = {}): string {
  const parts = goals.flatMap(({ kind, seconds, per }) => {
    if (days === (per === "day" ? 1 : 7) || (per === "day" && activeDays === 0)) return [];
    const length = formatRough(seconds);
    const count = targets.days?.[kind]?.count ?? activeDays;
    const perUnit = per === "day" ? t("perActiveDay", { length, count }) : t("perWeek", { length });
    return t(`${kind}Is`, { length: perUnit });
  });
  return parts.join("; ");
}
