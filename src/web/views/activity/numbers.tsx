import type { JSX } from "preact";
import type { ClientBucket } from "../../../client/index.js";
import { createColors } from "../../category-colors.js";
import { effectiveCategories, hasDistracting } from "../../category-state.js";
import { datesOf } from "../../csv.js";
import type { HeadProps } from "../../filter/head.js";
import type { NothingProps } from "../../filter/nothing.js";
import { formatShare } from "../../format.js";
import { Failure } from "../../parts/failure.js";
import { lazy } from "../../parts/lazy.js";
import { Skeleton } from "../../parts/skeleton.js";
import { type Calendar, dayAt, isCurrent, type Period } from "../../period.js";
import { type Report, type ReportRequest, reportRequest } from "../../report.js";
import { filterTexts, type Params } from "../../router.js";
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { scheme } from "../../theme.js";
import { aroundOf, withTimes } from "./adjacent.js";
import { AdjacentPeriods } from "./adjacent-periods.js";
import { barsOf, binsFor, upTo } from "./bars.js";
import { Charts } from "./charts.js";
import { describeComparison } from "./describe-comparison.js";
import { useRefresh, useReport } from "./displayed.js";
import type { EmptyProps, SilentProps } from "./empty.js";
import { extentOf } from "./extent.js";
import type { Hosts } from "./hosts.js";
import { Lists } from "./lists.js";
import { formatDatePart, titleOf } from "./names.js";
import { Notes } from "./notes.js";
import { adjacentPeriods, namedPeriod, previousPeriod } from "./previous-period.js";
import { handlesOf, LIST_PARTS, requestedGroups } from "./requested.js";
import { Tiles } from "./tiles.js";

/** Loaded lazily, since most visits have no filter. */
const Head = lazy<HeadProps>(async () => (await import("../../filter/head.js")).Head);
const Nothing = lazy<NothingProps>(async () => (await import("../../filter/nothing.js")).Nothing);
const Empty = lazy<EmptyProps>(async () => (await import("./empty.js")).Empty);
const Silent = lazy<SilentProps>(async () => (await import("./empty.js")).Silent);

const DAY_AND_MONTH = { timeZone: "UTC", day: "numeric", month: "short" } as const;

export interface NumbersProps {
  readonly hosts: Hosts;
  /** Buckets whose events indicate activity. */
  readonly telling: readonly ClientBucket[];
  readonly period: Period;
  readonly calendar: Calendar;
  /** Unix milliseconds; a later value reloads a current period. */
  readonly now: number;
  readonly params: Params;
}

/** All numbers of a period, from one report. */
export function Numbers({ hosts, telling, period: given, calendar, now, params }: NumbersProps): JSX.Element {
  const isFiltered = filterTexts.value.length > 0;
  const period = namedPeriod(given, calendar);
  const periods = adjacentPeriods(given, calendar, now);
  const lists = LIST_PARTS.filter((part) =>
    part === "host" ? hosts.kind === "all" : part !== "distraction" || hasDistracting.value,
  );
  const request: ReportRequest = {
    ...reportRequest(period, calendar, hosts),
    around: aroundOf(periods),
    ...{ by: binsFor(period, calendar), groups: requestedGroups(lists, isFiltered), compare: "previous" },
  };
  const shown = useReport(request, period);
  const { value, isOld, progress, failure, retry } = shown;
  useRefresh({ start: previousPeriod(period, calendar).start, end: period.end }, isCurrent(period, now), now, retry);
  const report = value?.report;
  // The old numbers stay as they were until the new ones are known, so that nothing moves twice.
  const shownPeriod = value?.period ?? period;
  const before = previousPeriod(shownPeriod, calendar);
  const seconds = isOld ? undefined : report?.totals.active;
  const adjacent = withTimes(periods, given, isOld ? undefined : report);
  if (telling.length === 0) return <Silent params={params} />;
  if (report !== undefined && !isOld && failure === undefined && isEmpty(report)) {
    if (isFiltered) return <Nothing {...{ period: given, params }} />;
    return (
      <>
        <Notes report={report} />
        <Empty {...{ telling, calendar, params }} period={given} />
      </>
    );
  }
  const until = report?.compared ? Date.parse(report.compared.end) : before.end;
  const compared = describeComparison(before, until, shownPeriod, calendar);
  const firstDay = dayAt(extentOf(telling)?.start ?? 0, calendar);
  const dataFrom =
    firstDay > before.first && firstDay <= before.last
      ? t("dataFrom", { period: titleOf(before, true), date: formatDatePart(firstDay, DAY_AND_MONTH) })
      : undefined;
  const bars = value && barsOf(value.report.bins, value.period, calendar);
  const past = value?.report.compared?.bins;
  const pastBars = past && upTo(barsOf(past, before, calendar), until);
  const colors = createColors(effectiveCategories.value, scheme.value === "dark");
  return (
    <div class="activity-numbers" data-old={isOld} aria-busy={isOld || (report === undefined && failure === undefined)}>
      {progress !== undefined && (
        <p class="activity-progress" role="status">
          <progress value={progress} aria-label={common("loading")} /> {formatShare(progress, 1)}
        </p>
      )}
      {report !== undefined && <Notes report={report} />}
      {isFiltered && (
        <Head
          {...{ hosts, period: given, calendar, seconds }}
          days={isOld || period.first === period.last ? undefined : report?.totals.days.count}
          handles={report === undefined ? [] : handlesOf(report)}
          onChange={retry}
        />
      )}
      <AdjacentPeriods adjacent={adjacent} {...{ period: given, params }} />
      {failure !== undefined && <Failure title={common("notLoaded")} {...failure} />}
      {hasWindows(report) && (
        <section class="card activity-chart">
          <Tiles
            {...{ report, compared, dataFrom, calendar, params }}
            period={shownPeriod}
            isFailed={failure !== undefined}
          />
          <Charts
            {...{ bars, now, colors, params }}
            {...{ before: pastBars, period: shownPeriod, zone: calendar.zone }}
            {...{ group: report?.groups["category"], whole: report?.totals.active ?? 0 }}
            isFailed={failure !== undefined}
          />
        </section>
      )}
      <div class="activity-panels">
        {report === undefined && failure === undefined && (
          <section class="card activity-whole">
            <Skeleton lines={10} />
          </section>
        )}
        {report !== undefined && (
          <Lists {...{ report, colors, request, compared, hosts }} dates={datesOf(shownPeriod)} />
        )}
      </div>
    </div>
  );
}

/** Whether there are windows, as far as known: hosts can have only editors. */
function hasWindows(report: Report | undefined): boolean {
  if (report === undefined || report.totals.active > 0) return true;
  return report.coverage.some(({ kind }) => kind === "window" || kind === "phone");
}

function isEmpty({ totals, groups }: Report): boolean {
  return totals.active === 0 && Object.values(groups).every(({ rows }) => rows.length === 0);
}
