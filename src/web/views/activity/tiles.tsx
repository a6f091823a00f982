import type { ComponentChildren, JSX } from "preact";
import type { Goal } from "../../../domain/goals.js";
import { keyOf, labelOf } from "../../categories.js";
import { formatDuration, formatRough, formatShare, formatTime } from "../../format.js";
import { goalsOf, type Targets } from "../../goals.js";
import { shownGoals } from "../../goals-state.js";
import { type Calendar, dayAt, type Period, periodAround, routeOfPeriod } from "../../period.js";
import type { Report } from "../../report.js";
import { filterTexts, href, type Params } from "../../router.js";
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { Duration } from "./duration.js";
import { describeDays, describeGoals, limitText, type Span } from "./limit-text.js";
import { targetsOf } from "./lines.js";
import { titleOf } from "./names.js";

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
  const days = totals?.days.count ?? 0;
  return (
    <div class="activity-tiles">
      <Tile title={common("activeTime")} class="activity-total">
        <strong>{totals === undefined ? isFailed ? "–" : "…" : <Duration seconds={totals.active} />}</strong>
        {totals !== undefined && <Change {...{ totals, compared }} before={report?.compared?.totals} />}
        {dataFrom !== undefined && <p class="quiet">{dataFrom}</p>}
        {!isDay && totals !== undefined && days > 1 && (
          <p class="quiet">{t("perActiveDay", { length: formatDuration(totals.active / days), count: days })}</p>
        )}
      </Tile>
      {shownGoals.value && <GoalTile goals={shownGoals.value} {...{ report, period }} />}
      <Tile title={t("focus")} hint={t("focusHint")}>
        <Focus {...{ totals, calendar, isDay, params }} />
      </Tile>
      <Tile title={t(isDay ? "firstLast" : "firstLastAverage")}>
        {isDay ? <FirstAndLast {...{ totals, calendar }} /> : <AverageDay totals={totals} />}
      </Tile>
    </div>
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

interface GoalTileProps extends Pick<TilesProps, "report" | "period"> {
  readonly goals: readonly Goal[];
}

function GoalTile({ goals, report, period }: GoalTileProps): JSX.Element {
  const span = spanOf(period, report?.totals.days.count);
  const toReach = (name: readonly string[]) => {
    const set = goalsOf(goals, name);
    const own = report?.goals.filter(({ category }) => keyOf(category) === keyOf(name));
    const targets = targetsOf(own ?? [], name);
    return { isSet: set.length > 0, made: describeGoals(set, span, targets), seconds: own?.[0]?.seconds, targets };
  };
  const own = toReach([]);
  const names = new Map(goals.map(({ category }) => [keyOf(category), category]));
  const ofCategories = [...names.values()]
    .map((name) => ({ name, ...toReach(name) }))
    .filter(({ name, targets }) => name.length > 0 && (report === undefined || Object.keys(targets).length > 0));
  return (
    <Tile title={t("goal")}>
      {(own.isSet || ofCategories.length === 0) && <TotalGoal {...own} isAwaited={report === undefined} />}
      {ofCategories.map(({ name, ...rest }) => (
        <CategoryGoal key={keyOf(name)} name={labelOf(name)} {...rest} />
      ))}
    </Tile>
  );
}

interface ToReach {
  readonly targets: Targets;
  /** Description of its basis. */
  readonly made: string;
  readonly seconds: number | undefined;
}

interface OwnGoalProps extends ToReach {
  readonly isSet: boolean;
  /** Whether the target is still unknown. */
  readonly isAwaited: boolean;
}

/** The goal for all active time. */
function TotalGoal({ isSet, isAwaited, targets, made, seconds }: OwnGoalProps): JSX.Element {
  const whole = targets.goal ?? targets.limit;
  const isKnown = whole !== undefined && seconds !== undefined;
  return (
    <>
      <strong>{isKnown ? formatShare(seconds, whole) : isSet && isAwaited ? "…" : "–"}</strong>
      {isKnown && (
        <p>
          <Reached seconds={seconds} targets={targets} />
        </p>
      )}
      {isSet && <GoalBar {...{ seconds, targets }} />}
      <p class="quiet">{isSet ? made : <a href={href(["categories"])}>{t("setGoal")}</a>}</p>
    </>
  );
}

interface CategoryGoalProps extends ToReach {
  readonly name: string;
}

function CategoryGoal({ name, seconds, targets, made }: CategoryGoalProps): JSX.Element {
  return (
    <>
      <p class="activity-goal">
        <bdi>{name}</bdi> <strong>{seconds === undefined ? "…" : formatDuration(seconds)}</strong>{" "}
        <Reached seconds={seconds ?? 0} targets={targets} />
      </p>
      <GoalBar {...{ seconds, targets }} />
      {made && <p class="quiet">{made}</p>}
    </>
  );
}

/** The share of a goal, or the used share of a limit. The text next to it has the numbers. */
function GoalBar({ seconds = 0, targets }: Pick<ToReach, "seconds" | "targets">): JSX.Element {
  const whole = targets.goal ?? targets.limit ?? 0;
  const share = whole > 0 ? Math.min(1, seconds / whole) : 0;
  const state = isLimitBroken(seconds, targets) ? "is-over" : targets.goal && share === 1 ? "is-met" : "";
  return (
    <span class="bar-track activity-goal-bar" aria-hidden="true">
      {share > 0 && <span class={`bar-fill ${state}`} style={{ inlineSize: `${(share * 100).toFixed(1)}%` }} />}
    </span>
  );
}

function isLimitBroken(seconds: number, { limit, days }: Targets): boolean {
  const kept = days?.limit;
  return kept === undefined ? limit !== undefined && seconds > limit : kept.met < kept.count;
}

interface ReachedProps {
  readonly seconds: number;
  readonly targets: Targets;
}

/** A time next to its goal and limit, with the excess over the limit. */
function Reached({ seconds, targets }: ReachedProps): JSX.Element {
  const { goal, limit, days } = targets;
  const kept = days?.limit;
  return (
    <span class={isLimitBroken(seconds, targets) ? "bad" : "quiet"}>
      {goal !== undefined && t("ofGoal", { goal: formatDuration(goal) })}
      {days?.goal !== undefined && `, ${describeDays("goal", days.goal)}`}
      {goal !== undefined && limit !== undefined && ", "}
      {limit !== undefined && (kept === undefined ? limitText(seconds, limit) : describeDays("limit", kept))}
    </span>
  );
}

/** The time range that goals apply to. */
function spanOf({ first, last }: Period, activeDays: number | undefined): Span {
  return { days: Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1, activeDays };
}

interface FocusProps extends TotalsProps {
  readonly calendar: Calendar;
  readonly isDay: boolean;
  readonly params: Params;
}

function Focus({ totals, calendar, isDay, params }: FocusProps): JSX.Element {
  const longest = totals?.longest_focus;
  if (!longest) return <strong>{totals ? "–" : "…"}</strong>;
  const { zone } = calendar;
  const day = periodAround("day", dayAt(Date.parse(longest.start), calendar), calendar);
  return (
    <>
      <strong>{formatRough(longest.seconds)}</strong>
      <p class="quiet">
        {!isDay && <a href={href(routeOfPeriod(day), params)}>{titleOf(day, true)}</a>}
        {!isDay && ", "}
        {formatTime(longest.start, zone)} – {formatTime(longest.end, zone)}
      </p>
      {/* A few short activities can have less time than the breaks between them. */}
      {filterTexts.value.length > 0 && <p class="quiet">{t("focusBreaks")}</p>}
    </>
  );
}

/** Start and end of a day's activity, with the elapsed time. */
function FirstAndLast({ totals, calendar: { zone } }: Pick<FocusProps, "totals" | "calendar">): JSX.Element {
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
  return <p class="quiet">{t("fromTo", { length: formatDuration(seconds ?? 0) })}</p>;
}
