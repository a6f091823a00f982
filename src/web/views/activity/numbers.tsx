import type { JSX } from "preact";
import { createColors } from "../../category-colors.js";
import { effectiveCategories } from "../../category-state.js";
import { datesOf } from "../../csv.js";
import type { HeadProps } from "../../filter/head.js";
import type { NothingProps } from "../../filter/nothing.js";
import { filtered } from "../../filter/state.js";
import { Failure } from "../../parts/failure.js";
import { lazy } from "../../parts/lazy.js";
import { Skeleton } from "../../parts/skeleton.js";
import { type Calendar, isCurrent, type Period } from "../../period.js";
import { filterTexts, type Params } from "../../router.js";
import { alwaysActivePattern } from "../../settings.js";
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { AdjacentPeriods } from "./adjacent-periods.js";
import { useComparison } from "./comparison.js";
import { describeComparison } from "./describe-comparison.js";
import {
  type Displayed,
  isSame,
  isShown,
  toDisplayed,
  useAnswer,
  useRefresh,
  withoutSharedFailure,
} from "./displayed.js";
import type { EmptyProps, SilentProps } from "./empty.js";
import { ExcludedParts } from "./excluded-parts.js";
import { Hours } from "./hours.js";
import { Lists, Projects } from "./lists.js";
import { type Bars, loadBars, loadProjects, loadRows, loadSummary, requestKey } from "./load-period.js";
import { previousSums } from "./previous-period.js";
import { excludeRejected } from "./rejected.js";
import type { ListName, Row, Summary } from "./results.js";
import { editorProgramOf, programOf, type Source } from "./source.js";
import { spanOf, Tiles } from "./tiles.js";

/** Loaded lazily, since most visits have no filter. */
const Head = lazy<HeadProps>(async () => (await import("../../filter/head.js")).Head);
const Nothing = lazy<NothingProps>(async () => (await import("../../filter/nothing.js")).Nothing);
const Empty = lazy<EmptyProps>(async () => (await import("./empty.js")).Empty);
const Silent = lazy<SilentProps>(async () => (await import("./empty.js")).Silent);

export interface NumbersProps {
  readonly source: Source;
  readonly period: Period;
  readonly calendar: Calendar;
  /** Unix milliseconds; a later value reloads a current period. */
  readonly now: number;
  readonly params: Params;
}

/** All numbers of a period. */
export function Numbers({ source, period, calendar, now, params }: NumbersProps): JSX.Element {
  const categories = effectiveCategories.value;
  const valid = excludeRejected({ categories, pattern: alwaysActivePattern.value });
  const classifying = filtered(valid.classifying);
  const program = programOf(source, classifying, { appParts: true, lean: true });
  const barProgram = programOf(source, classifying, { onlyCategories: true });
  const editorProgram = editorProgramOf(source, classifying, { lean: true });
  const ask = { period, until: now };
  const keyOf = (text: string | undefined): string => requestKey(period, text ?? "");
  const summaries = useAnswer(keyOf(program), program, valid, (text, signal) =>
    loadSummary({ ...ask, program: text }, signal),
  );
  const charts = useAnswer(keyOf(barProgram), barProgram, valid, (text, signal) =>
    loadBars({ ...ask, program: text }, calendar, signal),
  );
  const editors = useAnswer(keyOf(editorProgram), editorProgram, valid, (text, signal) =>
    loadProjects({ ...ask, program: text }, signal),
  );
  const loads = [summaries, charts, editors];
  const retry = (): void => {
    for (const load of loads) load.retry();
  };
  useRefresh(isCurrent(period, now), now, retry);
  const summary = toDisplayed(summaries, period, program, retry);
  const bars = toDisplayed(charts, period, barProgram, retry);
  const projects = withoutSharedFailure(bars, toDisplayed(editors, period, editorProgram, retry));
  const isOn = [summary, bars].every(({ value, isOld }) => value !== undefined && !isOld);
  const comparison = useComparison({ source, classifying, parameters: valid, period, calendar, now, isOn });
  const colors = createColors(categories);
  const loadAll = async (list: ListName, signal: AbortSignal): Promise<readonly Row[]> => {
    const text = programOf(source, classifying, { only: list });
    return text === undefined ? [] : loadRows({ ...ask, program: text }, list, signal);
  };
  if (program === undefined && editorProgram === undefined) return <Silent params={params} />;
  if (isKnownEmpty(summary, program) && isKnownEmpty(projects, editorProgram)) {
    if (filterTexts.value.length > 0) return <Nothing {...{ period, params }} />;
    return (
      <>
        <ExcludedParts refused={valid.refused} />
        <Empty {...{ source, period, calendar, params }} />
      </>
    );
  }
  const dates = datesOf(period);
  const compared = describeComparison(comparison.before, period, calendar);
  const isOld = summary.isOld || bars.isOld;
  const isBusy = [summary, bars, projects].some(({ isOld, isAwaited }) => isOld || isAwaited);
  const activeDays = comparison.rhythm?.activeDays ?? activeDaysOf(bars.value);
  const ghosts = bars.value && comparison.bars && previousSums(bars.value.parts, comparison.bars, calendar.zone);
  return (
    <div class="activity-numbers" data-old={isOld} aria-busy={isBusy}>
      <ExcludedParts refused={valid.refused} />
      <Head
        {...{ source, classifying, period, calendar, program: barProgram }}
        seconds={summary.isOld ? undefined : summary.value?.seconds}
        handles={createHandles(summary.value, projects.value)}
        onChange={retry}
      />
      {program !== undefined && (
        <>
          <AdjacentPeriods adjacent={comparison.adjacent} {...{ period, params }} />
          <section class="card activity-chart">
            <Tiles {...{ summary, comparison, activeDays, period, calendar, params }} />
            <div class="activity-hours">
              {bars.failure !== undefined && <Failure title={failureTitle(summary, bars)} {...bars.failure} />}
              {bars.isAwaited && <Skeleton lines={8} />}
              {bars.value !== undefined && (
                <Hours bars={bars.value} zone={calendar.zone} {...{ period, colors, params, ghosts }} />
              )}
            </div>
          </section>
          {summary.failure !== undefined && !isSame(summary.failure, bars.failure) && (
            <Failure title={common("notLoaded")} {...summary.failure} />
          )}
        </>
      )}
      <div class="activity-panels">
        {summary.isAwaited && (
          <section class="card activity-whole">
            <Skeleton lines={10} />
          </section>
        )}
        {program !== undefined && (
          <Lists
            summary={summary.value}
            before={comparison.summary}
            span={spanOf(period, activeDays)}
            {...{ colors, source, loadAll }}
            {...{ dates, compared }}
          />
        )}
        {isShown(projects) && (program === undefined || isShown(summary)) && (
          <Projects
            rows={projects.value}
            {...{ dates, compared }}
            before={comparison.projects}
            failure={projects.failure}
          />
        )}
      </div>
    </div>
  );
}

/** Conditions for the rows. */
function createHandles(
  summary: Summary | undefined,
  projects: readonly Row[] | undefined,
): readonly (string | undefined)[] {
  const rows = [...(summary?.apps ?? []), ...(summary?.sites ?? []), ...(projects ?? [])];
  return rows.map(({ handle }) => handle);
}

/** Number of days with activity, if the bars are days. */
function activeDaysOf(bars: Bars | undefined): number | undefined {
  if (bars?.parts[0]?.unit !== "day") return undefined;
  return bars.times.filter((times) => times.some(({ seconds }) => seconds > 0)).length;
}

/** Shows equal messages only once. */
function failureTitle(summary: Displayed<Summary>, bars: Displayed<Bars>): string {
  return isSame(summary.failure, bars.failure) ? common("notLoaded") : t("noChart");
}

/** Whether the period is known to be empty. */
function isKnownEmpty(seen: Displayed<Summary | readonly Row[]>, program: string | undefined): boolean {
  if (program === undefined) return true;
  if (seen.value === undefined || seen.isOld || seen.failure !== undefined) return false;
  return "seconds" in seen.value
    ? seen.value.seconds === 0 && seen.value.apps.length === 0 && seen.value.sites.length === 0
    : seen.value.length === 0;
}
