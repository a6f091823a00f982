import type { ComponentChildren, JSX } from "preact";
import { hasScores } from "../../category-state.js";
import { formatRough, formatShare, formatTime } from "../../format.js";
import { shownGoals } from "../../goals-state.js";
import { type Calendar, dayAt, type Period, periodAround, routeOfPeriod } from "../../period.js";
import type { Report } from "../../report.js";
import { filterTexts, href, type Params } from "../../router.js";
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { Duration } from "./duration.js";
import { Goals } from "./goals.js";
import { titleOf } from "./names.js";
import { Score } from "./score.js";

export interface TilesProps {
  /** `undefined` until known. */
  readonly report: Report | undefined;
  readonly isFailed: boolean;
  /** Description of the comparison. */
  readonly compared: string;
  /** Note if the compared period has data from a later day only. */
  readonly dataFrom: string | undefined;
  readonly period: Period;
  readonly calendar: Calendar;
  /** Parameters that links preserve. */
  readonly params: Params;
}

/** The most important numbers. */
export function Tiles({ report, isFailed, compared, dataFrom, period, calendar, params }: TilesProps): JSX.Element {
  const totals = report?.totals;
  const isDay = period.first === period.last;
  return (
    <div class="activity-tiles">
      <Tile title={common("activeTime")} class="activity-total">
        {totals === undefined && <strong>{isFailed ? "–" : "…"}</strong>}
        {report !== undefined && <ActiveTime {...{ report, compared, dataFrom, isDay }} />}
      </Tile>
      {shownGoals.value && (
        <Tile title={t("goal")}>
          <Goals goals={shownGoals.value} {...{ report, period }} />
        </Tile>
      )}
      {hasScores.value && (
        <Tile title={t("score")} hint={t("scoreHint")}>
          <Score report={report} />
        </Tile>
      )}
      <Tile title={t("focus")} hint={t("focusHint")}>
        <Focus {...{ totals, calendar, isDay, params }} filter={filterTexts.value} />
      </Tile>
      <Tile title={t(isDay ? "firstLast" : "firstLastAverage")}>
        <FirstAndLast {...{ totals, calendar, isDay }} />
      </Tile>
    </div>
  );
}

interface ActiveTimeProps extends Pick<TilesProps, "compared" | "dataFrom"> {
  readonly report: Report;
  readonly isDay: boolean;
}

export function ActiveTime({ report, compared, dataFrom, isDay }: ActiveTimeProps): JSX.Element {
  const { totals } = report;
  const { count } = totals.days;
  return (
    <>
      <strong>
        <Duration seconds={totals.active} />
      </strong>
      <Change {...{ totals, compared }} before={report.compared?.totals} />
      {dataFrom !== undefined && <p class="quiet">{dataFrom}</p>}
      {!isDay && count > 1 && (
        <p class="quiet">{t("perActiveDay", { length: formatRough(totals.active / count), count })}</p>
      )}
    </>
  );
}

type Totals = Report["totals"];

interface TileProps {
  readonly title: string;
  readonly hint?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

function Tile({ title, hint, class: name = "", children }: TileProps): JSX.Element {
  return (
    <section class={`activity-tile ${name}`} title={hint}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface TotalsProps {
  /** `undefined` until known. */
  readonly totals: Totals | undefined;
}

interface ChangeProps {
  readonly totals: Totals;
  readonly before: Totals | undefined;
  readonly compared: string;
}

/** Difference from the previous period. */
function Change({ totals: { active }, before, compared }: ChangeProps): JSX.Element {
  if (before === undefined) return <p class="quiet">{t("comparedWith", { period: compared })}</p>;
  const change = active - before.active;
  const word = changeTextKey(change, before.active);
  const length = formatRough(Math.abs(change));
  const share = formatShare(Math.abs(change), before.active);
  const filling = { length, share, period: <span class="quiet">{compared}</span> };
  return (
    <p class="activity-change">
      <span aria-hidden="true">{SIGNS[word]} </span>
      {t.rich(word, filling)}
    </p>
  );
}

const SIGNS = { same: "=", moreBy: "▲", moreThan: "▲", lessBy: "▼", noneBefore: "" } as const;
/** A longer time is no share of the previous one, but something else. */
const MAX_SHARE = 5;

/** The text for a change. */
function changeTextKey(change: number, before: number): keyof typeof SIGNS {
  if (Math.abs(change) < 30) return "same";
  if (before < 1) return "noneBefore";
  if (change > before * MAX_SHARE) return "moreThan";
  return change > 0 ? "moreBy" : "lessBy";
}

interface FocusProps extends TotalsProps {
  readonly calendar: Calendar;
  readonly isDay: boolean;
  readonly params: Params;
  readonly filter: readonly string[];
}

export function Focus({ totals, calendar, isDay, params, filter }: FocusProps): JSX.Element {
  const longest = totals?.longest_focus;
  if (!longest) return <strong>{totals ? "–" : "…"}</strong>;
  const { zone } = calendar;
  const day = periodAround("day", dayAt(Date.parse(longest.start), calendar), calendar);
  return (
    <>
      <strong>{formatRough(longest.seconds)}</strong>
      <p class="quiet">
        {!isDay && <a href={href(routeOfPeriod(day), params, filter)}>{titleOf(day, true)}</a>}
        {!isDay && ", "}
        {formatTime(longest.start, zone)} – {formatTime(longest.end, zone)}
      </p>
      {/* A few short activities can have less time than the breaks between them. */}
      {filter.length > 0 && <p class="quiet">{t("focusBreaks")}</p>}
    </>
  );
}

/** Start and end of a day's activity, with the elapsed time; of several days, on average. */
export function FirstAndLast(props: Pick<FocusProps, "totals" | "calendar" | "isDay">): JSX.Element {
  const { totals, isDay } = props;
  const { zone } = props.calendar;
  if (!isDay) return <AverageDay totals={totals} />;
  if (!totals?.first || !totals.last) return <strong>{totals ? "–" : "…"}</strong>;
  return (
    <>
      <strong>
        {formatTime(totals.first, zone)} – {formatTime(totals.last, zone)}
      </strong>
      <FromTo seconds={totals.days.span} />
    </>
  );
}

/** Start and end of activity, on average. */
function AverageDay({ totals }: TotalsProps): JSX.Element {
  const { first = null, last = null, span = null } = totals?.days ?? {};
  if (first === null || last === null) return <strong>{totals ? "–" : "…"}</strong>;
  return (
    <>
      <strong>
        {formatTime(first * 1000, "UTC")} – {formatTime(last * 1000, "UTC")}
      </strong>
      <FromTo seconds={span} />
    </>
  );
}

function FromTo({ seconds }: { readonly seconds: number | null }): JSX.Element {
  return <p class="quiet">{t("fromTo", { length: formatRough(seconds ?? 0) })}</p>;
}
