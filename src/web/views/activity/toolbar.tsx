import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { DateField } from "../../parts/date-field.js";
import {
  adjacentPeriod,
  type Calendar,
  dayAt,
  isCurrent,
  PERIOD_KINDS,
  type Period,
  type PeriodKind,
  periodAround,
  rangeOf,
  routeOfPeriod,
} from "../../period.js";
import { href, navigate, type Params } from "../../router.js";
import { t } from "../../texts/period.js";
import { titleOf } from "./names.js";

export interface ToolbarProps {
  readonly period: Period;
  readonly calendar: Calendar;
  readonly now: number;
  readonly params: Params;
  readonly hosts: JSX.Element;
  /** Route segments before the period. */
  readonly view?: readonly string[];
  /** Kinds of periods that the view does not support. */
  readonly without?: PeriodKind;
}

/** Selects period and hosts, all of it in the address. */
export function Toolbar(props: ToolbarProps): JSX.Element {
  const { period, calendar, now, params, hosts, view = [], without } = props;
  const today = dayAt(now, calendar);
  const pathTo = (target: Period): readonly string[] => [...view, ...routeOfPeriod(target)];
  const linkTo = (target: Period): string => href(pathTo(target), params);
  const previous = adjacentPeriod(period, -1, calendar);
  const next = adjacentPeriod(period, 1, calendar);
  useArrows(
    () => navigate(pathTo(previous), params),
    () => navigate(pathTo(next), params),
  );
  const isNow = isCurrent(period, now);
  const [previousLabel, nextLabel] = [t(`previous_${period.kind}`), t(`next_${period.kind}`)];
  return (
    <header class="activity-head">
      <h1>{titleOf(period)}</h1>
      <div class="row activity-tools">
        <nav class="activity-kinds" aria-label={t("lengths")}>
          {PERIOD_KINDS.filter((kind) => kind !== without).map((kind) => (
            <a
              key={kind}
              href={linkTo(
                kind === period.kind ? period : changeKind(kind, period, calendar, isNow ? today : period.first),
              )}
              aria-current={kind === period.kind ? "page" : undefined}
            >
              {t(kind)}
            </a>
          ))}
        </nav>
        <nav class="row activity-steps" aria-label={t("steps")} dir="ltr">
          <a class="button" href={linkTo(previous)} aria-label={previousLabel} title={`${previousLabel} (←)`}>
            ←
          </a>
          <a class="button" href={linkTo(changeKind(period.kind, period, calendar, today))}>
            {t(`now_${period.kind}`)}
          </a>
          <a class="button" href={linkTo(next)} aria-label={nextLabel} title={`${nextLabel} (→)`}>
            →
          </a>
        </nav>
        <Dates {...{ period, calendar }} onPick={(target) => navigate(pathTo(target), params)} />
        {hosts}
      </div>
    </header>
  );
}

/** The period of another kind at the same time. A range keeps its length, or starts with the previous period. */
function changeKind(kind: PeriodKind, period: Period, calendar: Calendar, date: string): Period {
  if (kind !== "range") return periodAround(kind, date, calendar);
  if (period.kind !== "range") return rangeOf(period.first, period.last, calendar);
  const days = Math.round((Date.parse(period.last) - Date.parse(period.first)) / 86_400_000);
  return rangeOf(new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10), date, calendar);
}

interface DatesProps extends Pick<ToolbarProps, "period" | "calendar"> {
  readonly onPick: (target: Period) => void;
}

function Dates({ period, calendar, onPick: go }: DatesProps): JSX.Element {
  const { kind, first, last } = period;
  if (kind !== "range") {
    return <DateField label={t("date")} value={first} onPick={(date) => go(periodAround(kind, date, calendar))} />;
  }
  return (
    <>
      <DateField label={t("from")} value={first} onPick={(date) => go(rangeOf(date, last, calendar))} />
      <DateField label={t("to")} value={last} onPick={(date) => go(rangeOf(first, date, calendar))} />
    </>
  );
}

/**
 * Handles the left and right arrow keys, unless another element uses them. Synchronous, since keys may follow quickly.
 */
function useArrows(goBack: () => void, goForward: () => void): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest("input, select, textarea, .scroll, dialog")) return;
      if (event.key === "ArrowLeft") goBack();
      else if (event.key === "ArrowRight") goForward();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  });
}
