import type { ComponentChildren, JSX } from "preact";
import type { Goal } from "../../../domain/goals.js";
import { keyOf, labelOf } from "../../categories.js";
import { formatDuration, formatRough, formatShare, formatTime } from "../../format.js";
import { goalsOf, type Span, type Targets, targetsIn } from "../../goals.js";
import { shownGoals } from "../../goals-state.js";
import { type Calendar, dayAt, type Period, periodAround, routeOfPeriod } from "../../period.js";
import { filterTexts, href, type Params } from "../../router.js";
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import type { Rhythm } from "./active-ranges.js";
import type { Comparison } from "./comparison.js";
import { describeComparison } from "./describe-comparison.js";
import type { Displayed } from "./displayed.js";
import { Duration } from "./duration.js";
import { describeGoals, limitText } from "./limit-text.js";
import { titleOf } from "./names.js";
import { categoryRows, type Summary } from "./results.js";

/** Smaller overlaps are not mentioned, in seconds. */
const MIN_OVERLAP = 1;
const MINUTE = 60_000;

export interface TilesProps {
  readonly summary: Displayed<Summary>;
  readonly comparison: Comparison;
  /** Days with activity, as far as known. */
  readonly activeDays: number | undefined;
  readonly period: Period;
  readonly calendar: Calendar;
  /** Parameters that links preserve. */
  readonly params: Params;
}

/** The most important numbers. */
export function Tiles(props: TilesProps): JSX.Element {
  const { summary, comparison, activeDays, period, calendar, params } = props;
  const { value } = summary;
  const isDay = period.first === period.last;
  const { rhythm } = comparison;
  return (
    <div class="activity-tiles">
      <Tile title={common("activeTime")} class="activity-total">
        <Total seen={summary} />
        {value !== undefined && <Change seconds={value.seconds} {...{ comparison, period, calendar }} />}
        {!isDay && value !== undefined && activeDays !== undefined && activeDays > 1 && (
          <p class="quiet">
            {t("perActiveDay", { length: formatDuration(value.seconds / activeDays), count: activeDays })}
          </p>
        )}
        <OverlapNote value={value} />
      </Tile>
      {shownGoals.value && <GoalTile goals={shownGoals.value} {...{ value, period, activeDays }} />}
      <Tile title={t("focus")} hint={t("focusHint")}>
        <Focus {...{ rhythm, calendar, isDay, params }} />
      </Tile>
      <Tile title={t(isDay ? "firstLast" : "firstLastAverage")}>
        <StartAndEnd rhythm={rhythm} />
      </Tile>
    </div>
  );
}

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

function Total({ seen: { value, failure } }: { readonly seen: Displayed<Summary> }): JSX.Element {
  if (value === undefined) return <strong>{failure ? "–" : "…"}</strong>;
  return (
    <strong>
      <Duration seconds={value.seconds} />
    </strong>
  );
}

type ChangeProps = Pick<TilesProps, "comparison" | "period" | "calendar"> & { readonly seconds: number };

/** Difference from the previous period. */
function Change({ seconds, comparison: { before, summary }, period, calendar }: ChangeProps): JSX.Element {
  const when = describeComparison(before, period, calendar);
  if (summary === undefined) return <p class="quiet">{t("comparedWith", { period: when })}</p>;
  const change = seconds - summary.seconds;
  const word = changeTextKey(change, summary.seconds);
  const length = formatRough(Math.abs(change));
  const share = formatShare(Math.abs(change), summary.seconds);
  const filling = { length, share, period: <span class="quiet">{when}</span> };
  return (
    <p class="activity-change">
      <span aria-hidden="true">{SIGNS[word]} </span>
      {t.rich(word, filling)}
    </p>
  );
}

const SIGNS = { same: "=", moreBy: "▲", lessBy: "▼", noneBefore: "" } as const;

/** The text for a change. */
function changeTextKey(change: number, before: number): keyof typeof SIGNS {
  if (Math.abs(change) < 30) return "same";
  if (before === 0) return "noneBefore";
  return change > 0 ? "moreBy" : "lessBy";
}

function OverlapNote({ value }: { readonly value: Summary | undefined }): JSX.Element | null {
  const twice = value?.once === undefined ? 0 : value.seconds - value.once;
  if (twice <= MIN_OVERLAP) return null;
  return <p>{t("twice", { length: formatDuration(twice) })}</p>;
}

interface GoalTileProps extends Pick<TilesProps, "period" | "activeDays"> {
  readonly goals: readonly Goal[];
  readonly value: Summary | undefined;
}

function GoalTile({ goals, value, period, activeDays }: GoalTileProps): JSX.Element {
  const span = spanOf(period, activeDays);
  const isAwaited = value === undefined || (!span.isDay && activeDays === undefined);
  const toReach = (name: readonly string[]) => {
    const set = goalsOf(goals, name);
    return { isSet: set.length > 0, targets: targetsIn(set, span), made: describeGoals(set, span) };
  };
  const own = toReach([]);
  const names = new Map(goals.map(({ category }) => [keyOf(category), category]));
  const ofCategories = [...names.values()]
    .map((name) => ({ name, ...toReach(name) }))
    .filter(({ name, targets }) => name.length > 0 && (isAwaited || Object.keys(targets).length > 0));
  const rows = value && new Map(categoryRows(value.categories).map((row) => [keyOf(row.name), row.seconds]));
  return (
    <Tile title={t("goal")}>
      {(own.isSet || ofCategories.length === 0) && <TotalGoal {...{ ...own, isAwaited }} seconds={value?.seconds} />}
      {ofCategories.map(({ name, ...rest }) => (
        <CategoryGoal key={keyOf(name)} name={labelOf(name)} seconds={rows && (rows.get(keyOf(name)) ?? 0)} {...rest} />
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
      {made && <p class="quiet">{made}</p>}
    </>
  );
}

interface ReachedProps {
  readonly seconds: number;
  readonly targets: Targets;
}

/** A time next to its goal and limit, with the excess over the limit. */
function Reached({ seconds, targets: { goal, limit } }: ReachedProps): JSX.Element {
  return (
    <span class={limit !== undefined && seconds > limit ? "bad" : "quiet"}>
      {goal !== undefined && t("ofGoal", { goal: formatDuration(goal) })}
      {goal !== undefined && limit !== undefined && ", "}
      {limit !== undefined && limitText(seconds, limit)}
    </span>
  );
}

/** The time range that goals apply to. */
export function spanOf({ first, last }: Period, activeDays: number | undefined): Span {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
  return { isDay: days === 1, days, activeDays };
}

interface RhythmProps {
  /** `undefined` until known. */
  readonly rhythm: Rhythm | undefined;
}

interface FocusProps extends RhythmProps {
  readonly calendar: Calendar;
  readonly isDay: boolean;
  readonly params: Params;
}

function Focus({ rhythm, calendar, isDay, params }: FocusProps): JSX.Element {
  const longest = rhythm?.longest;
  if (longest === undefined) return <strong>{rhythm ? "–" : "…"}</strong>;
  const { zone } = calendar;
  const day = periodAround("day", dayAt(longest.start, calendar), calendar);
  return (
    <>
      <strong>{formatRough((longest.end - longest.start) / 1000)}</strong>
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

/** Start and end of activity. */
function StartAndEnd({ rhythm }: RhythmProps): JSX.Element {
  if (rhythm?.first === undefined || rhythm.last === undefined) return <strong>{rhythm ? "–" : "…"}</strong>;
  // Based on the displayed, rounded times.
  const minutes = Math.floor(rhythm.last / MINUTE) - Math.floor(rhythm.first / MINUTE);
  return (
    <>
      <strong>
        {formatTime(rhythm.first, "UTC")} – {formatTime(rhythm.last, "UTC")}
      </strong>
      <p class="quiet">{t("fromTo", { length: formatRough(minutes * 60) })}</p>
    </>
  );
}
