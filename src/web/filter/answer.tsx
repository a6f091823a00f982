import type { JSX } from "preact";
import { formatDuration, shorten } from "../format.js";
import { filterTexts } from "../router.js";
import { t } from "../texts/filtered.js";

const MOST_SHOWN = 120;

export interface AnswerProps {
  /** Name of the period. */
  readonly period: string;
  /** `undefined` until it is known. */
  readonly seconds: number | undefined;
  /** How many days have some of it; `undefined` where that says nothing, or is not known yet. */
  readonly days: number | undefined;
}

/** Says what the filter finds in one line: `thesis · March 2026 · 31h 20m · 19 days`. */
export function Answer({ period, seconds, days }: AnswerProps): JSX.Element | null {
  const filter = filterTexts.value;
  if (filter.length === 0) return null;
  const parts = [
    <bdi key="filter">{shorten(filter.join(" · "), MOST_SHOWN)}</bdi>,
    <bdi key="period">{period}</bdi>,
    <strong key="time">{seconds === undefined ? "…" : formatDuration(seconds)}</strong>,
    ...(days === undefined ? [] : [<span key="days">{t("days", { count: days })}</span>]),
  ];
  return (
    <p class="filter-answer" role="status" aria-label={t("found")}>
      {parts.flatMap((part, at) => (at === 0 ? [part] : [" · ", part]))}
    </p>
  );
}
