import type { JSX } from "preact";
import { formatDuration, shorten } from "../format.js";
import { filterTexts } from "../router.js";
import { common } from "../texts/common.js";
import { t } from "../texts/filtered.js";

const MAX_SHOWN = 120;

export interface FilterSummaryProps {
  /** Name of the period. */
  readonly period: string;
  /** `undefined` until known. */
  readonly seconds: number | undefined;
  /** Number of days with results; `undefined` if it is not meaningful or unknown. */
  readonly days: number | undefined;
}

/** Summarizes the results of the filter in one line: `thesis · March 2026 · 31h 20m · 19 days`. */
export function FilterSummary({ period, seconds, days }: FilterSummaryProps): JSX.Element | null {
  const filter = filterTexts.value;
  if (filter.length === 0) return null;
  const parts = [
    <bdi key="filter">{shorten(filter.join(" · "), MAX_SHOWN)}</bdi>,
    <bdi key="period">{period}</bdi>,
    <strong key="time">{seconds === undefined ? "…" : formatDuration(seconds)}</strong>,
    ...(days === undefined ? [] : [<span key="days">{common("days", { count: days })}</span>]),
  ];
  return (
    <p class="filter-answer" role="status" aria-label={t("found")}>
      {parts.flatMap((part, at) => (at === 0 ? [part] : [" · ", part]))}
    </p>
  );
}
