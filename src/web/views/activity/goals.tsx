import type { JSX } from "preact";
import type { Goal } from "../../../domain/goals.js";
import { keyOf, labelOf } from "../../categories.js";
import { formatRough, formatShare } from "../../format.js";
import { goalsOf, type Targets } from "../../goals.js";
import type { Period } from "../../period.js";
import type { Report } from "../../report.js";
import { href } from "../../router.js";
import { t } from "../../texts/activity.js";
import { describeDays, describeGoals, limitText, type Span } from "./limit-text.js";
import { targetsOf } from "./lines.js";

interface GoalsProps {
  /** `undefined` until known. */
  readonly report: Report | undefined;
  readonly period: Period;
  readonly goals: readonly Goal[];
}

/** All goals and limits. */
export function Goals({ goals, report, period }: GoalsProps): JSX.Element {
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
    <>
      {(own.isSet || ofCategories.length === 0) && <TotalGoal {...own} isAwaited={report === undefined} />}
      {ofCategories.map(({ name, ...rest }) => (
        <CategoryGoal key={keyOf(name)} name={labelOf(name)} {...rest} />
      ))}
    </>
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
    <div>
      <strong>{isKnown ? formatShare(seconds, whole) : isSet && isAwaited ? "…" : "–"}</strong>
      {isKnown && (
        <p>
          <Reached seconds={seconds} targets={targets} />
        </p>
      )}
      {isSet && <GoalBar {...{ seconds, targets }} />}
      <p class="quiet">{isSet ? made : <a href={href(["categories"])}>{t("setGoal")}</a>}</p>
    </div>
  );
}

interface CategoryGoalProps extends ToReach {
  readonly name: string;
}

function CategoryGoal({ name, seconds, targets, made }: CategoryGoalProps): JSX.Element {
  return (
    <div>
      <p class="activity-goal">
        <bdi>{name}</bdi> <strong>{seconds === undefined ? "…" : formatRough(seconds)}</strong>{" "}
        <Reached seconds={seconds ?? 0} targets={targets} />
      </p>
      <GoalBar {...{ seconds, targets }} />
      {made && <p class="quiet">{made}</p>}
    </div>
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
      {goal !== undefined && t("ofGoal", { goal: formatRough(goal) })}
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
